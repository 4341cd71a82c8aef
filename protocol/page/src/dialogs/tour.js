// A short tour of the rules, one page at a time.

import { el } from "../dom.js";
import { describe } from "../view/help.js";
import { button, dialog, gameTabs, primary } from "./dialog.js";
import { openPieces } from "./pieces.js";

/** The pages of the tour of a game: title, paragraphs, tokens of pieces to show. */
function pages(game) {
  const has = (token) => game.kinds.some((kind) => kind.token === token);
  const shared = [
    {
      title: game.name,
      text: [
        `Two sides, Black and White, move in turn on ${game.files}×${game.ranks} squares. Black moves up the board and begins. Tiles belong to the side they point away from.`,
        game.capture
          ? "Who captures the other side's white whale wins at once. Nothing forces you to answer a check, but a whale left hanging is usually the end."
          : "Who checkmates the other side's white whale wins. A side that has no legal move loses as well. You may not leave your own white whale under attack.",
      ],
      show: ["W"],
    },
    {
      title: "Captures and drops",
      text: [
        "A captured piece changes sides and goes to its captor's hand. Instead of moving you may drop a piece from your hand on any empty square.",
        "Click a piece in hand and then a marked square, or drag it there.",
      ],
      show: [],
    },
  ];
  const small = [
    {
      title: "Porpoise and killer whale",
      text: [
        "The porpoise goes one step sideways, no more. But who captures it gets a killer whale, the strongest piece of the game, for good.",
      ],
      show: ["P", "K"],
    },
    {
      title: "Dolphins",
      text: [
        "A dolphin goes one step forward. On the farthest rank it slides diagonally backward instead, and is an ordinary dolphin again when it has left.",
        "A dolphin may not be dropped on the farthest rank, nor on a file with two or more dolphins of yours, nor to give checkmate.",
      ],
      show: ["D"],
    },
  ];
  const great = [
    {
      title: "Promotion",
      text: [
        "The three farthest ranks are your promotion zone (tinted on the board). A piece may promote on any move that begins or ends there; a calf that reaches the farthest rank must. Promoted pieces have red letters and never promote again.",
        "Captured, a piece is again what it was before it promoted. Several kinds can move alike and still be different pieces: a promoted calf moves as its adult, but is a calf in hand.",
      ],
      show: ["HP", "+HP"],
    },
    {
      title: "Calves",
      text: [
        "All eleven kinds of calves step straight forward. They may not be dropped on the farthest rank, nor on a file with another unpromoted calf of yours, nor to give a checkmate that nothing can answer.",
      ],
      show: ["BRC", "+BRC"],
    },
    {
      title: "Killer whale: captures on the way",
      text: [
        "Forward along the diagonals the killer whale can jump two squares, capture what it jumps over, or capture the piece beside it and stay (igui).",
        "Click the killer whale, then the square it captures on, then where it ends: the same square again to stop there, its own square to stay, a square beyond to go on.",
      ],
      show: ["K"],
    },
    {
      title: "False killer whale",
      text: [
        "Straight ahead it goes up to three squares and captures any of the pieces it passes, or captures and stays. With an empty square in front it may pass: click it twice and choose Pass.",
      ],
      show: ["+BR"],
    },
    {
      title: "Beluga and blue whale",
      text: [
        "The beluga captures on any square beside it, with or without going there. The blue whale steps diagonally to an empty square and slides on from there in any direction, even back to where it was, which is a pass.",
      ],
      show: ["+NB", "+S"],
    },
  ];
  const end = [
    {
      title: "Draws",
      text: [
        "When a position occurs for the fourth time with the same side to move and the same hands, the game is a draw. But a side that gave check with every move in between loses.",
        game.impasse
          ? "An impasse rule, handicaps and other points on which sources differ can be chosen with a new game."
          : "That rule can be switched off with a new game.",
      ],
      show: [],
    },
  ];
  return [...shared, ...(has("+BR") ? great : small), ...end].map((page) => ({ ...page, show: page.show.filter(has) }));
}

/** Opens the tour of a game, one of `games`. */
export function openTour(games, game) {
  let at = 0;
  let list = pages(game);
  const body = el("div", { class: "tour-page" });
  const back = button("Back", () => show(at - 1));
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
    next.textContent = at === list.length - 1 ? "Done" : "Next";
    count.textContent = `${at + 1} of ${list.length}`;
  };
  const tabs = gameTabs(games, game, (other) => {
    game = other;
    list = pages(game);
    show(0);
  });
  const foot = el(
    "div",
    { class: "buttons tour-buttons" },
    button("All pieces", () => (node.close(), openPieces(games, game))),
    el("span", { class: "grow" }),
    count,
    back,
    next,
  );
  const node = dialog("The rules", [tabs, body], { foot });
  show(0);
}
