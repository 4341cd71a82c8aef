// The page's own address: it names the game shown, or a position to begin from.

import { HUMANS, USUAL_RULES } from "./wishes.js";

/** What the address asks for: a `game` by its name, wishes for a new game from a `position` (`#v=…&sfen=…`), or neither. */
export function asked() {
  const parts = new URLSearchParams(location.hash.slice(1));
  const game = parts.get("game");
  if (game && /^[0-9a-f]{24}$/.test(game)) return { game };
  const variant = parts.get("v");
  if (!variant) return {};
  const rules = { ...USUAL_RULES };
  for (const name of (parts.get("rules") ?? "").split("+")) if (name in rules) rules[name] = !USUAL_RULES[name];
  return { position: { variant, sfen: parts.get("sfen"), rules, players: HUMANS } };
}

/** Names the game shown, without a step in the browser's history. */
export function name(game) {
  history.replaceState(null, "", `#game=${game}`);
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
