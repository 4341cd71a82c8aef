// A short tour of the rules, one page at a time.

import { el } from "../dom.js";
import { has, named, t } from "../texts.js";
import { describe } from "../view/help.js";
import { button, dialog, gameTabs, primary } from "./dialog.js";
import { openPieces } from "./pieces.js";

/** A page by the name of its texts (`rules.…`), with the tokens of pieces to show. */
const page = (name, ...show) => ({
  title: t(`rules.${name}`),
  text: [1, 2].map((number) => `rules.${name}.${number}`).filter(has).map((key) => t(key)),
  show,
});

/** The pages of the tour of a game: title, paragraphs, tokens of pieces to show. */
function pages({ name, files, ranks, capture, impasse, kinds }) {
  const has = (token) => kinds.some((kind) => kind.token === token);
  const goal = t(capture ? "rules.goal-capture" : "rules.goal-mate");
  const first = { title: named(name), text: [t("rules.board", { files, ranks }), goal], show: ["W"] };
  const last = page("draws");
  last.text.push(t(impasse ? "rules.draws.impasse" : "rules.draws.off"));
  const own = has("+BR")
    ? [
        page("promotion", "HP", "+HP"),
        page("calves", "BRC", "+BRC"),
        page("killer", "K"),
        page("false-killer", "+BR"),
        page("beluga", "+NB", "+S"),
      ]
    : [page("porpoise", "P", "K"), page("dolphins", "D")];
  return [first, page("captures"), ...own, last].map((page) => ({ ...page, show: page.show.filter(has) }));
}

/** Opens the tour of a game, one of `games`. */
export function openTour(games, game) {
  let at = 0;
  let list = pages(game);
  const body = el("div", { class: "tour-page" });
  const back = button(t("rules.back"), () => show(at - 1));
  const next = primary("", () => (at === list.length - 1 ? node.close() : show(at + 1)));
  const count = el("span", { class: "tour-count" });
  const show = (index) => {
    at = Math.max(0, Math.min(list.length - 1, index));
    const page = list[at];
    body.replaceChildren(
      el("h3", {}, page.title),
      ...page.text.map((text) => el("p", {}, text)),
      el(
        "div",
        { class: "tour-pieces" },
        page.show.map((token) =>
          describe(
            game,
            game.kinds.find((kind) => kind.token === token),
          ),
        ),
      ),
    );
    body.parentElement?.scrollTo(0, 0);
    back.disabled = at === 0;
    next.textContent = t(at === list.length - 1 ? "rules.done" : "rules.next");
    count.textContent = t("rules.count", { at: at + 1, all: list.length });
  };
  const tabs = gameTabs(games, game, (other) => {
    game = other;
    list = pages(game);
    show(0);
  });
  const foot = el(
    "div",
    { class: "buttons tour-buttons" },
    button(t("piece.all"), () => (node.close(), openPieces(games, game))),
    el("span", { class: "grow" }),
    count,
    back,
    next,
  );
  const node = dialog(t("rules.title"), [tabs, body], { foot });
  show(0);
}
