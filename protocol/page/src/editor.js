// The position editor: the board becomes a table to put pieces on; the server says what is wrong.

import { dialog, el, toast } from "./dom.js";
import { Board } from "./board.js";
import { openNewGame } from "./newgame.js";
import { tile } from "./tiles.js";

const NAMES = { b: "Black", w: "White" };

/** Opens the editor on the position shown. */
export function openEditor(app) {
  const state = app.state();
  const game = app.game();
  const find = (token) => game.kinds.find((kind) => kind.token === token);
  let squares = new Map(state.position.squares);
  let hands = state.position.hands.map((hand) => new Map(hand));
  let side = state.position.side;
  let tool = null;
  let picked = null;
  let verdict = { sfen: state.position.sfen, reasons: [] };
  const { rules } = state;

  const boardRoot = el("div", { class: "board editor-board" });
  const board = new Board(boardRoot, { onsquare: (square) => touch(square) });
  board.setGame(game, false);

  const palette = el("div", { class: "palette" });
  const handBoxes = [el("div", { class: "edit-hand" }), el("div", { class: "edit-hand" })];
  const problems = el("ul", { class: "problems", role: "status", "aria-live": "polite" });
  const sfen = el("p", { class: "sfen" });
  const sideChoice = el(
    "select",
    { "aria-label": "Side to move", onchange: () => ((side = sideChoice.value), check()) },
    ["b", "w"].map((value) => el("option", { value, selected: value === side }, `${NAMES[value]} to move`)),
  );
  const start = el(
    "select",
    {
      "aria-label": "Start from",
      onchange: () => {
        if (start.value) load(start.value);
        start.value = "";
      },
    },
    el("option", { value: "" }, "Set up…"),
    el("option", { value: "empty" }, "Empty board"),
    el("option", { value: "whales" }, "White whales only"),
    el("option", { value: "start" }, "Starting position"),
    game.handicaps.map((item) => el("option", { value: item.id }, `Handicap: ${item.name}`)),
  );
  const use = el("button", { class: "primary", onclick: () => play() }, "Play from here…");
  const analyse = el("button", { onclick: () => study() }, "Use on the board");

  const draft = () => ({
    variant: game.id,
    squares: Object.fromEntries(squares),
    hands: hands.map((hand) => Object.fromEntries(hand)),
    side,
    rules,
  });

  function load(what) {
    if (what === "empty" || what === "whales") {
      const whales = [...squares].filter(([, token]) => find(token.toUpperCase()).in_hand === undefined);
      squares = new Map(what === "whales" ? whales : []);
      hands = [new Map(), new Map()];
      side = "b";
    } else {
      const setup = what === "start" ? game.setup : game.handicaps.find((item) => item.id === what).setup;
      squares = new Map(setup.squares);
      hands = setup.hands.map((hand) => new Map(hand));
      side = setup.side;
    }
    sideChoice.value = side;
    check();
  }

  /** A square was clicked: the tool goes there, or a piece is picked up, turned, or put down. */
  function touch(square) {
    const here = squares.get(square);
    if (tool === "remove") squares.delete(square);
    else if (tool === "turn") {
      if (here) squares.set(square, here === here.toUpperCase() ? here.toLowerCase() : here.toUpperCase());
    } else if (tool) {
      if (here === tool) squares.delete(square);
      else squares.set(square, tool);
    } else if (picked) {
      if (picked !== square) {
        squares.set(square, squares.get(picked));
        squares.delete(picked);
      }
      picked = null;
    } else if (here) picked = square;
    check();
  }

  function draw() {
    board.show([...squares], null, false);
    board.mark({ selected: picked ? [picked] : [] });
    const button = (value, label, content) =>
      el(
        "button",
        {
          class: tool === value ? "tool chosen" : "tool",
          "data-tool": value,
          "aria-pressed": tool === value ? "true" : "false",
          "aria-label": label,
          title: label,
          onclick: () => {
            tool = tool === value ? null : value;
            picked = null;
            draw();
          },
        },
        content,
      );
    palette.replaceChildren(
      el("div", { class: "tools" }, button("turn", "Turn a piece to the other side", "⇅ Turn"), button("remove", "Remove a piece", "✕ Remove")),
      ...["b", "w"].map((color) =>
        el(
          "div",
          { class: "kinds", role: "group", "aria-label": `${NAMES[color]} pieces` },
          game.kinds.map((kind) => {
            const token = color === "b" ? kind.token : kind.token.toLowerCase();
            return button(token, `${NAMES[color]} ${kind.name}${kind.promoted ? " (promoted)" : ""}`, tile(kind, color, color === "w"));
          }),
        ),
      ),
    );
    hands.forEach((hand, index) => {
      const color = index === 0 ? "b" : "w";
      const holdable = game.kinds.filter((kind) => kind.in_hand === kind.token);
      const step = (kind, by) => () => {
        const count = (hand.get(kind.token) ?? 0) + by;
        if (count > 0) hand.set(kind.token, count);
        else hand.delete(kind.token);
        check();
      };
      handBoxes[index].replaceChildren(
        el("h3", {}, `${NAMES[color]}'s hand`),
        el(
          "div",
          { class: "stock" },
          holdable.map((kind) => {
            const count = hand.get(kind.token) ?? 0;
            return el(
              "span",
              { class: count ? "stock-item has" : "stock-item", "data-token": kind.token },
              el("button", { "aria-label": `One more ${kind.name} for ${NAMES[color]}`, title: `${kind.name}: one more`, onclick: step(kind, 1) }, tile(kind, color, color === "w")),
              el("b", {}, String(count)),
              el("button", { class: "less", disabled: count === 0, "aria-label": `One ${kind.name} less for ${NAMES[color]}`, onclick: step(kind, -1) }, "−"),
            );
          }),
        ),
      );
    });
    problems.replaceChildren(...verdict.reasons.map((reason) => el("li", {}, reason)));
    sfen.textContent = verdict.sfen ?? "";
    use.disabled = analyse.disabled = verdict.sfen === null;
  }

  function check() {
    draw();
    app.ask({ type: "check", draft: draft() }, "verdict", (reply) => {
      verdict = reply;
      draw();
    });
  }

  function play() {
    node.close();
    openNewGame(app, { sfen: verdict.sfen, variant: game.id, rules });
  }

  async function study() {
    const human = { kind: "human" };
    try {
      await app.start({ variant: game.id, sfen: verdict.sfen, rules, players: [human, human], playing: false });
      node.close();
    } catch (error) {
      toast(error.message, "bad");
    }
  }

  boardRoot.addEventListener("click", (event) => {
    const square = event.target.closest?.(".cell")?.dataset.square;
    if (square) touch(square);
  });

  const node = dialog(
    `Position editor · ${game.name}`,
    el(
      "div",
      { class: "editor" },
      el("div", { class: "editor-left" }, boardRoot, el("p", { class: "note" }, "Choose a piece and click squares to place it; click it there again to remove it. With nothing chosen, click a piece and then its new square.")),
      el("div", { class: "editor-right" }, el("div", { class: "buttons" }, sideChoice, start), palette, ...handBoxes, problems, sfen, el("div", { class: "buttons" }, use, analyse)),
    ),
    { wide: true },
  );
  draw();
}
