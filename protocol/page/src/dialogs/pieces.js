// The table of all pieces of a game.

import { el } from "../dom.js";
import { named, t } from "../texts.js";
import { describe } from "../view/help.js";
import { tile } from "../view/tiles.js";
import { dialog, gameTabs } from "./dialog.js";

/** Where there is no room beside the list, what is told of a piece stands in it, below the piece. */
const narrow = matchMedia("(max-width: 760px)");

/** Opens the table at a game, one of `games`. */
export function openPieces(games, game) {
  const detail = el("div", { class: "piece-detail" });
  const list = el("div", { class: "piece-list" });
  const both = el("div", { class: "pieces" }, list, detail);
  const show = (kind) => {
    detail.replaceChildren(describe(game, kind));
    for (const button of list.querySelectorAll("button"))
      button.classList.toggle("chosen", button.dataset.token === kind.token);
    if (narrow.matches) list.querySelector(".chosen").after(detail);
    else both.append(detail);
    detail.scrollIntoView({ block: "nearest" });
  };
  const group = (title, kinds) =>
    kinds.length > 0 && [
      el("h3", {}, title),
      el(
        "div",
        { class: "piece-grid" },
        kinds.map((kind) =>
          el(
            "button",
            { "data-token": kind.token, onclick: () => show(kind) },
            el("span", { class: "mini-tile" }, tile(kind, "b", false)),
            el("span", { class: "piece-name" }, named(kind.name)),
          ),
        ),
      ),
    ];
  const fill = () => {
    const calf = (kind) => kind.pawn && /calf/.test(kind.name);
    list.replaceChildren(
      ...[
        group(
          t("pieces.adults"),
          game.kinds.filter((kind) => !kind.promoted && !calf(kind)),
        ),
        group(t("pieces.calves"), game.kinds.filter(calf)),
        group(
          t("pieces.promoted"),
          game.kinds.filter((kind) => kind.promoted),
        ),
      ]
        .flat()
        .filter(Boolean),
    );
    show(game.kinds[0]);
  };
  const tabs = gameTabs(games, game, (other) => {
    game = other;
    fill();
  });
  fill();
  dialog(t("pieces.title"), [tabs, both], { wide: true });
}
