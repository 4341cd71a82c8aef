// The page's own address: it names the game shown, or a position to begin from.

import { HUMANS, USUAL_RULES } from "./request.js";
import { t } from "./texts.js";

/**
 * What an address asks for, this page's unless another is given: a `game` by its name, a `puzzle` of a game (`game`, and
 * `id` if it is a certain one), a `lesson` of a game (its `number`, 0: the next one), wishes for a new game from a `position` (`#v=…&sfen=…`), or, where nothing stands behind
 * it, `nothing`. What asks for rules that there are not, or for none of these, is `refused`, in words.
 */
export function asked(hash = location.hash) {
  if (hash.length < 2) return { nothing: true };
  // Leads over what stands above the board.
  if (hash === "#board") return {};
  // Links come through programs that write them anew.
  const parts = new URLSearchParams(hash.slice(1).replaceAll("&amp;", "&"));
  const game = parts.get("game");
  if (game && /^[0-9a-f]{24}$/.test(game)) return { game };
  const [, of, id] = /^([a-z]+)(?:\/([\w-]+))?$/.exec(parts.get("puzzle") ?? "") ?? [];
  if (of) return { puzzle: { game: of, id } };
  const [, course, number] = /^([a-z]+)(?:\/(\d{1,3}))?$/.exec(parts.get("learn") ?? "") ?? [];
  if (course) return { lesson: { game: course, number: Number(number ?? 0) } };
  const variant = parts.get("v");
  if (!variant) return { refused: t("page.no-game-named") };
  const unusual = (parts.get("rules") ?? "").split(/[+ ]/).filter(Boolean);
  const unknown = unusual.find((name) => !Object.hasOwn(USUAL_RULES, name));
  if (unknown) return { refused: t("page.no-rule", { name: unknown }) };
  const rules = { ...USUAL_RULES, ...Object.fromEntries(unusual.map((name) => [name, !USUAL_RULES[name]])) };
  return { position: { variant, sfen: parts.get("sfen"), rules, players: HUMANS } };
}

/** Names the game shown. One step back in the browser's history leads to the page without a game. */
export const name = (game) => show(`#game=${game}`);

/** Names the puzzle shown, in the same way. */
export const namePuzzle = ({ game, id }) => show(`#puzzle=${game}/${id}`);

/** Names the step of a course. */
export const nameLesson = ({ game, number }) => show(`#learn=${game}/${number}`);

function show(address) {
  if (asked().nothing) history.pushState(null, "", address);
  else history.replaceState(null, "", address);
}

/** Names no game. */
export function home() {
  if (!asked().nothing) history.replaceState(null, "", location.pathname + location.search);
}

/** A link that begins from the position shown, with the rules that are not as usual. */
export function linkTo({ variant, position, rules }) {
  const unusual = Object.keys(rules).filter((name) => rules[name] !== USUAL_RULES[name]);
  const parts = { v: variant, sfen: position.sfen, ...(unusual.length ? { rules: unusual.join("+") } : {}) };
  return `${location.origin}${location.pathname}#${new URLSearchParams(parts)}`;
}

/** Calls `act` when somebody enters another address by hand or by a link. */
export function onChange(act) {
  addEventListener("hashchange", act);
}

/** Loads the page again. */
export const again = () => location.reload();
