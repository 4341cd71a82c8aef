// The card beside the board: the piece clicked or pointed at last.

import { openPieces } from "../dialogs/pieces.js";
import { el } from "../dom.js";
import { describe } from "./help.js";

/** Milliseconds for which the pointer rests on a piece before it is shown. */
const REST = 180;

export class Card {
  #root;
  #store;
  #board;
  #kind = null;
  #rest = 0;

  constructor(root, store, board) {
    this.#root = root;
    this.#store = store;
    this.#board = board;
    // Hovering shows a piece, as clicking does.
    document.addEventListener("pointerover", (event) => this.#over(event));
  }

  /** What the pointer rested on is gone with its game. */
  leave() {
    clearTimeout(this.#rest);
  }

  /** Shows a piece of the game, if none of it is shown. */
  show() {
    if (!this.#kind || !this.#store.game().kinds.includes(this.#kind)) this.look("W");
  }

  look(token) {
    const kind = this.#board.kind(token);
    if (this.#kind === kind && this.#root.firstChild) return;
    this.#kind = kind;
    const all = () => openPieces(this.#store.spec.games, this.#store.game());
    this.#root.replaceChildren(
      describe(this.#store.game(), kind, this.#board.color(token)),
      el("button", { class: "quiet", onclick: all }, "All pieces"),
    );
  }

  #over(event) {
    if (event.pointerType !== "mouse" || !this.#store.state()) return;
    clearTimeout(this.#rest);
    const cell = event.target.closest?.("#board .cell, .side .held");
    if (!cell) return;
    const { token: held, side, square } = cell.dataset;
    const token = held ? (side === "b" ? held : held.toLowerCase()) : this.#board.pieces?.get(square);
    if (token) this.#rest = setTimeout(() => this.look(token), REST);
  }
}
