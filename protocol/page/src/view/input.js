// How a move is entered: a piece is chosen, then the squares it captures on the way and where it
// ends, as the list of legal moves has them.

import { el, focused } from "../dom.js";
import { follow, owned } from "./drag.js";
import { named, t } from "../texts.js";
import { narrow } from "./menu.js";
import { tile } from "./tiles.js";

/** The squares to click for a move, after its piece. */
const clicks = (move) => [...(move.way ?? []), move.to];
const startsWith = (list, prefix) => prefix.every((square, index) => list[index] === square);

export class Input {
  #store;
  #view;
  /** The choice among moves that is open beside a square. */
  #choice = null;

  /** `view` has `board`, `coach`, `refresh()` and `look(token, place)`. */
  constructor(store, view) {
    this.#store = store;
    this.#view = view;
    this.piece = null;
    this.path = [];
    const { root } = view.board;
    root.addEventListener("pointerdown", (event) => this.#down(event));
    // The focus on squares is for those who move it by keys: with a mouse, arrow keys step through the game.
    root.addEventListener("mousedown", (event) => {
      if (event.target.closest(".choices")) return;
      event.preventDefault();
      focused()?.blur();
    });
    // Clicks come from pointers as well as from assistive technology that knows no pointers.
    root.addEventListener("click", (event) => {
      const square = event.target.closest?.(".cell")?.dataset.square;
      if (square && event.detail === 0) this.square(square);
    });
  }

  /** Forgets what was chosen. */
  reset() {
    this.piece = null;
    this.path = [];
    this.#closeChoice();
  }

  get moves() {
    const state = this.#store.state();
    return state?.movable ? state.position.legal : [];
  }

  #candidates() {
    const { piece } = this;
    if (!piece) return [];
    return this.moves.filter((move) => (piece.from ? move.from === piece.from : move.drop === piece.drop));
  }

  /** Marks for the board. */
  marks() {
    const candidates = this.#candidates().filter((move) => startsWith(clicks(move), this.path));
    const next = new Set();
    const captures = new Set();
    for (const move of candidates) {
      const list = clicks(move);
      const square = list[this.path.length];
      if (!square) continue;
      next.add(square);
      if (this.#view.board.pieces.has(square) && square !== this.piece.from) captures.add(square);
    }
    const stop = this.path.length > 0 && candidates.some((move) => clicks(move).length === this.path.length);
    return {
      selected: this.piece?.from ? [this.piece.from] : [],
      target: [...next].filter((square) => !captures.has(square)),
      capture: [...captures],
      path: this.path,
      stop: stop ? [this.path.at(-1)] : [],
    };
  }

  /** The squares from which a piece can be carried. */
  pickable({ squares, side }) {
    const { board } = this.#view;
    const own = this.moves.length > 0 ? squares.filter(([, token]) => board.color(token) === side) : [];
    return [...own.map(([square]) => square), ...this.path.slice(-1)];
  }

  /** What is to be done next in a move of several legs. */
  advice() {
    if (this.path.length === 0) return "";
    const marks = this.marks();
    const again = marks.stop.length ? t("way.stop") : "";
    const own = marks.target.includes(this.piece.from) ? t("way.own") : "";
    const on = marks.target.some((square) => square !== this.piece.from) || marks.capture.length;
    const more = on ? t("way.on") : "";
    const ways = [more, again, own].filter(Boolean).join(t("way.or"));
    // A phone has no such key.
    return t("way.choose", { ways }) + (narrow.matches ? "" : t("way.escape"));
  }

  choose(piece) {
    this.#view.coach.takeBack();
    this.reset();
    this.piece = piece;
    this.#view.refresh();
  }

  /** A square was clicked. */
  square(name) {
    const state = this.#store.state();
    if (!state) return;
    this.#closeChoice();
    const token = this.#view.board.pieces.get(name);
    if (token && this.path.length === 0) this.#view.look(token, { from: name });
    const own = token && this.#view.board.color(token) === state.position.side;
    if (!this.piece) {
      if (own && state.movable) this.choose({ from: name });
      else if (token && state.movable && state.position.legal.length > 0) this.#store.explain({ from: name }, name);
      return;
    }
    if (this.path.length === 0 && name === this.piece.from) {
      const passes = this.#candidates().filter((move) => clicks(move).length === 1 && move.to === name);
      if (passes.length > 0) this.#ask(name, [[t("way.pass"), passes[0]]]);
      else this.choose(null);
      return;
    }
    if (name === this.path.at(-1)) {
      const done = this.#candidates().filter((move) => {
        const list = clicks(move);
        return list.length === this.path.length && startsWith(list, this.path);
      });
      if (done.length > 0) return this.#finish(done);
    }
    const path = [...this.path, name];
    const fitting = this.#candidates().filter((move) => startsWith(clicks(move), path));
    if (fitting.length === 0) {
      if (own) this.choose({ from: name });
      else this.#store.explain(this.piece, name);
      return;
    }
    const done = fitting.filter((move) => clicks(move).length === path.length);
    if (done.length === fitting.length) return this.#finish(done);
    this.path = path;
    this.#view.refresh();
  }

  #finish(moves) {
    if (moves.length === 1) return this.#play(moves[0]);
    // A game that ends with the move has no use for a promotion.
    if (this.#endsGame(moves[0])) return this.#play(moves.find((move) => !move.promotes));
    const kind = this.#view.board.kind(this.#view.board.pieces.get(moves[0].from));
    const promoted = this.#view.board.game.kinds.find((other) => other.token === kind.promotes_to);
    const side = this.#store.state().position.side;
    const turned = (side === "w") !== this.#view.board.flipped;
    const label = (move) => {
      const shown = move.promotes ? promoted : kind;
      return el(
        "span",
        { class: "choice-tile" },
        tile(shown, side, turned),
        t(move.promotes ? "input.promote" : "input.keep", { kind: named(shown.name) }),
      );
    };
    const ordered = [...moves].sort((a, b) => Number(b.promotes ?? false) - Number(a.promotes ?? false));
    this.#ask(
      moves[0].to,
      ordered.map((move) => [label(move), move]),
    );
  }

  /** Whether a move captures a white whale, the one piece that is in nobody's hand. */
  #endsGame({ from, way = [], to }) {
    const { board } = this.#view;
    return [...way, to].some((square) => {
      const token = square !== from && board.pieces.get(square);
      return token && !board.kind(token).in_hand;
    });
  }

  #play(move) {
    const { current } = this.#store.state();
    this.reset();
    if (!this.#view.coach.holds(move)) this.#store.send({ type: "play", at: current, usi: move.usi });
    this.#view.refresh();
  }

  /** Asks which of several moves is meant, beside a square. */
  #ask(square, choices) {
    const { board } = this.#view;
    const [x, y] = board.place(square);
    const button = (label, act) =>
      el("button", { class: "choice", onclick: (event) => (act(), event.detail === 0 && board.focus()) }, label);
    const cancel = button(t("cancel"), () => (this.reset(), this.#view.refresh()));
    const buttons = choices.map(([label, move]) => button(label, () => this.#play(move)));
    this.#choice = el("div", { class: "choices", role: "dialog", "aria-label": t("input.choose") }, buttons, cancel);
    this.#choice.style.setProperty("--across", `${(x + 0.5) / board.game.files}`);
    this.#choice.style.top = `${((y + (y < board.game.ranks / 2 ? 1 : 0)) / board.game.ranks) * 100}%`;
    this.#choice.classList.toggle("above", y >= board.game.ranks / 2);
    // Beside the grid, in its place: what is in it are rows of squares.
    board.root.append(this.#choice);
    buttons[0].focus();
  }

  #closeChoice() {
    this.#choice?.remove();
    this.#choice = null;
  }

  /** Escape: one step back, then nothing chosen. */
  escape() {
    if (this.#view.coach.takeBack()) return;
    if (this.path.length > 0 && !this.#choice) this.path = [];
    else this.reset();
    this.#view.refresh();
  }

  /** A piece in hand was chosen, or let go. */
  hand(drop) {
    this.choose(this.piece?.drop === drop ? null : { drop });
  }

  // Pointers: a press chooses a piece; where it ends is chosen by letting go, so that nothing is played before.

  #down(event) {
    if (event.button !== 0 || event.target.closest(".choices") || owned(event)) return;
    const square = event.target.closest?.(".cell")?.dataset.square;
    if (!square) return;
    const state = this.#store.state();
    const token = this.#view.board.pieces.get(square);
    const own = token && state?.movable && this.#view.board.color(token) === state.position.side;
    this.#view.board.moveCursor(square, false);
    const target = this.#candidates().some((move) => startsWith(clicks(move), [...this.path, square]));
    // The chosen piece is carried on from where it stands, or from the last square of its way so far.
    const chosen = this.piece?.from && [this.piece.from, this.path.at(-1)].includes(square);
    const tileAt = (name) => this.#view.board.cells.get(name).querySelector(".tile");
    if (chosen) this.carry(event, square, tileAt(this.piece.from), () => this.square(square));
    else if (own && !target) {
      this.square(square);
      this.carry(event, square, tileAt(square), () => {});
    } else this.carry(event, square, null, () => this.square(square));
  }

  /** Follows the pointer of a press that carries a tile or none; `stay` is called if it was let go where it was. */
  carry(event, origin, tile, stay) {
    follow(event, this.#view.board, { origin, tile, drop: (square) => this.square(square), stay });
  }
}
