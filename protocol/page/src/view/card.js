// The card of the piece touched or pointed at last: beside the board, on phones a sheet below it.

import { openPieces } from "../dialogs/pieces.js";
import { $, el } from "../dom.js";
import { t } from "../texts.js";
import { counted, sideName } from "../words.js";
import { describe } from "./help.js";
import { narrow } from "./menu.js";

/** Milliseconds for which the pointer rests on a piece before it is shown. */
const REST = 180;

/** Below this height, in pixels, a sheet has its name and what the piece can do now alone. */
const ROOMY = 150;

export class Card {
  #root;
  #store;
  #board;
  #busy;
  #kind = null;
  /** What was drawn: it stays while nothing changes, and the focus with it. */
  #key = "";
  #rest = 0;

  /** While `busy()` a piece is on its way: the card stays with it. */
  constructor(root, store, board, busy) {
    this.#root = root;
    this.#store = store;
    this.#board = board;
    this.#busy = busy;
    // Hovering shows a piece, as clicking does.
    document.addEventListener("pointerover", (event) => this.#over(event));
    narrow.addEventListener("change", () => this.rest());
  }

  /** What the pointer rested on is gone with its game. */
  leave() {
    clearTimeout(this.#rest);
    this.rest();
  }

  /** Closes the sheet: something else is to be seen now. */
  rest() {
    this.#root.classList.remove("open");
  }

  /** Shows a piece of the game, if none of it is shown. */
  show() {
    if (!this.#kind || !this.#store.game().kinds.includes(this.#kind)) this.look("W");
  }

  /** Shows a piece; `place` is the square `from` or the token to `drop` where somebody touched it. */
  look(token, place = null) {
    const kind = this.#board.kind(token);
    const color = this.#board.color(token);
    const now = place ? this.#now(color, place) : "";
    if (place && narrow.matches) this.#open();
    const key = JSON.stringify([this.#store.game().id, token, now]);
    if (this.#key === key) return;
    [this.#key, this.#kind] = [key, kind];
    const help = describe(this.#store.game(), kind, color);
    help.firstElementChild.after(el("p", { class: "piece-now" }, now));
    const all = () => openPieces(this.#store.spec.games, this.#store.game());
    this.#root.replaceChildren(
      el("button", { class: "close-sheet", "aria-label": t("close"), onclick: () => this.rest() }, "×"),
      help,
      el("button", { class: "quiet", onclick: all }, t("piece.all")),
    );
  }

  /** What a piece can do now, or why it can do nothing. */
  #now(color, { from, drop }) {
    const { movable, position } = this.#store.state();
    if (!movable || position.legal.length === 0) return "";
    if (position.side !== color) return t("now.turn", { side: sideName(position.side) });
    const moves = position.legal.filter((move) => (from ? move.from === from : move.drop === drop));
    const places = new Set(moves.map(({ to }) => to)).size;
    if (places > 0) return t(from ? "now.go" : "now.drop", { squares: counted(places, "square") });
    if (position.checked) return t("now.check");
    return t(from ? "now.none" : "now.nowhere");
  }

  /** Opens the sheet, as high as there is room below all that a move is made with. */
  #open() {
    const { left, bottom } = $(".steps").getBoundingClientRect();
    // Beside the board where the steps are there.
    this.#root.style.setProperty("--sheet-left", `${left > 20 ? left : 0}px`);
    const room = innerHeight - bottom - 6;
    this.#root.style.setProperty("--sheet", `${Math.max(room, 0)}px`);
    this.#root.classList.toggle("short", room < ROOMY);
    this.#root.classList.add("open");
  }

  #over(event) {
    if (event.pointerType !== "mouse" || !this.#store.state() || this.#busy()) return;
    clearTimeout(this.#rest);
    const cell = event.target.closest?.("#board .cell, .side .held");
    if (!cell) return;
    const { token: held, side, square } = cell.dataset;
    const token = held ? (side === "b" ? held : held.toLowerCase()) : this.#board.pieces?.get(square);
    if (token) this.#rest = setTimeout(() => this.look(token), REST);
  }
}
