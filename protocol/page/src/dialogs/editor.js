// The position editor: the board becomes a table to put pieces on; the server says what is wrong.

import { el, toast } from "../dom.js";
import { icon } from "../icons.js";
import { Board } from "../view/board.js";
import { tile } from "../view/tiles.js";
import { HUMANS } from "../request.js";
import { named, t, told } from "../texts.js";
import { SIDES, handicapName, kindName, sideName } from "../words.js";
import { button, buttons, dialog, note, primary, select } from "./dialog.js";
import { openNewGame } from "./newgame.js";

/** A token of the other side. */
const turned = (token) => (token === token.toUpperCase() ? token.toLowerCase() : token.toUpperCase());

/** Opens the editor on the position shown. */
export function openEditor(store) {
  new Editor(store).open();
}

class Editor {
  #store;
  #game;
  #rules;
  #squares;
  #hands;
  #side;
  /** What a click on a square does: a token to place, `turn`, `remove`, or null to carry pieces about. */
  #tool = null;
  /** The square of the piece that is carried. */
  #picked = null;
  #verdict;

  #board;
  #dialog = null;
  #root = el("div", { class: "board editor-board" });
  #palette = el("div", { class: "palette" });
  #handBoxes = SIDES.map(() => el("div", { class: "edit-hand" }));
  #problems = el("ul", { class: "problems" });
  #sfen = el("p", { class: "sfen" });
  #play = primary(t("editor.play"), () => this.#playOn());
  #use = button(t("editor.use"), () => this.#useOnBoard());
  #sideChoice;

  constructor(store) {
    const { position, rules } = store.state();
    this.#store = store;
    this.#game = store.game();
    this.#rules = rules;
    this.#squares = new Map(position.squares);
    this.#hands = position.hands.map((hand) => new Map(hand));
    this.#side = position.side;
    this.#verdict = { sfen: position.sfen, reasons: [] };
    this.#board = new Board(this.#root, { onsquare: (square) => this.#touch(square) });
    this.#board.setGame(this.#game, false);
    this.#root.addEventListener("click", (event) => {
      const square = event.target.closest?.(".cell")?.dataset.square;
      if (square) this.#touch(square);
    });
    this.#sideChoice = select(
      { "aria-label": t("editor.side"), onchange: () => ((this.#side = this.#sideChoice.value), this.#check()) },
      SIDES.map((color) => [color, t("side.turn", { side: sideName(color) })]),
      this.#side,
    );
  }

  open() {
    const right = [
      buttons(this.#sideChoice, this.#setups()),
      this.#palette,
      ...this.#handBoxes,
      el("div", { role: "status" }, this.#problems),
      this.#sfen,
      buttons(this.#play, this.#use),
    ];
    this.#dialog = dialog(
      t("editor.title", { game: named(this.#game.name) }),
      el(
        "div",
        { class: "editor" },
        el("div", { class: "editor-left" }, this.#root, note(t("editor.help"))),
        el("div", { class: "editor-right" }, right),
      ),
      { wide: true },
    );
    this.#draw();
  }

  /** The choice of positions to begin with. */
  #setups() {
    const choice = select(
      {
        "aria-label": t("editor.from"),
        onchange: () => {
          if (choice.value) this.#load(choice.value);
          choice.value = "";
        },
      },
      [
        ["", t("editor.set-up")],
        ["empty", t("editor.empty")],
        ["whales", t("editor.whales")],
        ["start", t("editor.start")],
        ...this.#game.handicaps.map((item) => [item.id, t("editor.handicap", { names: handicapName(item) })]),
      ],
    );
    return choice;
  }

  #load(what) {
    const setups = { start: this.#game.setup };
    for (const { id, setup } of this.#game.handicaps) setups[id] = setup;
    const whale = (token) => this.#board.kind(token).in_hand === undefined;
    const kept = what === "whales" ? [...this.#squares].filter(([, token]) => whale(token)) : [];
    const { squares, hands, side } = setups[what] ?? { squares: kept, hands: [[], []], side: "b" };
    this.#squares = new Map(squares);
    this.#hands = hands.map((hand) => new Map(hand));
    this.#side = side;
    this.#sideChoice.value = side;
    this.#check();
  }

  /** A square was clicked: the tool goes there, or a piece is picked up, turned, or put down. */
  #touch(square) {
    const squares = this.#squares;
    const here = squares.get(square);
    if (this.#tool === "remove") squares.delete(square);
    else if (this.#tool === "turn") {
      if (here) squares.set(square, turned(here));
    } else if (this.#tool) {
      if (here === this.#tool) squares.delete(square);
      else squares.set(square, this.#tool);
    } else if (this.#picked) {
      if (this.#picked !== square) {
        squares.set(square, squares.get(this.#picked));
        squares.delete(this.#picked);
      }
      this.#picked = null;
    } else if (here) this.#picked = square;
    this.#check();
  }

  /** Asks the server what it thinks of the position. */
  #check() {
    this.#draw();
    const draft = {
      variant: this.#game.id,
      squares: Object.fromEntries(this.#squares),
      hands: this.#hands.map((hand) => Object.fromEntries(hand)),
      side: this.#side,
      rules: this.#rules,
    };
    this.#store.ask({ type: "check", draft }, "verdict", (reply) => {
      this.#verdict = reply;
      this.#draw();
    });
  }

  // Drawing

  #draw() {
    this.#board.show([...this.#squares], null, false);
    this.#board.mark({ selected: this.#picked ? [this.#picked] : [] });
    this.#drawPalette();
    SIDES.forEach((color, index) => this.#drawHand(color, this.#hands[index], this.#handBoxes[index]));
    this.#problems.replaceChildren(...this.#verdict.reasons.map((reason) => el("li", {}, told(reason))));
    this.#sfen.textContent = this.#verdict.sfen ?? "";
    this.#play.disabled = this.#use.disabled = this.#verdict.sfen === null;
  }

  #drawPalette() {
    this.#palette.replaceChildren(
      el(
        "div",
        { class: "tools" },
        this.#toolButton("turn", t("editor.turn.what"), [icon("turn"), t("editor.turn")]),
        this.#toolButton("remove", t("editor.remove.what"), [icon("close"), t("editor.remove")]),
      ),
      ...SIDES.map((color) =>
        el(
          "div",
          { class: "kinds", role: "group", "aria-label": t("editor.pieces", { side: sideName(color) }) },
          this.#game.kinds.map((kind) => {
            const token = color === "b" ? kind.token : turned(kind.token);
            const label = [
              t("editor.piece", { side: sideName(color), kind: kindName(kind) }),
              kind.promoted && t("board.promoted"),
            ].filter(Boolean).join(t("list.comma"));
            return this.#toolButton(token, label, tile(kind, color, color === "w"));
          }),
        ),
      ),
    );
  }

  #toolButton(value, label, content) {
    const chosen = this.#tool === value;
    return el(
      "button",
      {
        class: chosen ? "tool chosen" : "tool",
        "data-tool": value,
        "aria-pressed": chosen ? "true" : "false",
        "aria-label": label,
        title: label,
        onclick: () => {
          this.#tool = chosen ? null : value;
          this.#picked = null;
          this.#draw();
        },
      },
      content,
    );
  }

  #drawHand(color, hand, box) {
    const side = sideName(color);
    const step = (kind, by) => () => {
      const count = (hand.get(kind.token) ?? 0) + by;
      if (count > 0) hand.set(kind.token, count);
      else hand.delete(kind.token);
      this.#check();
    };
    const stock = (kind) => {
      const count = hand.get(kind.token) ?? 0;
      const more = {
        "aria-label": t("editor.more.side", { side, kind: kindName(kind) }),
        title: t("editor.more", { kind: named(kind.name) }),
      };
      const less = { class: "less", disabled: count === 0, "aria-label": t("editor.less.side", { side, kind: named(kind.name) }) };
      return el(
        "span",
        { class: count ? "stock-item has" : "stock-item", "data-token": kind.token },
        el("button", { ...more, onclick: step(kind, 1) }, tile(kind, color, color === "w")),
        el("b", {}, String(count)),
        el("button", { ...less, onclick: step(kind, -1) }, "−"),
      );
    };
    const holdable = this.#game.kinds.filter((kind) => kind.in_hand === kind.token);
    box.replaceChildren(el("h3", {}, t("side.hand", { side })), el("div", { class: "stock" }, holdable.map(stock)));
  }

  // Ways out

  #playOn() {
    this.#dialog.close();
    openNewGame(this.#store, { sfen: this.#verdict.sfen, variant: this.#game.id, rules: this.#rules });
  }

  async #useOnBoard() {
    const wishes = { variant: this.#game.id, sfen: this.#verdict.sfen, rules: this.#rules, players: HUMANS };
    try {
      await this.#store.start({ ...wishes, playing: false });
      this.#dialog.close();
    } catch (error) {
      toast(error.message, "bad");
    }
  }
}
