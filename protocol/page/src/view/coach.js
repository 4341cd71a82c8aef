// The coach on the board: the question before a move that loses something, and arrows of what it means.

import { el } from "../dom.js";
import { t } from "../texts.js";
import { sideName } from "../words.js";

const OTHER = { b: "w", w: "b" };

export class CoachCard {
  #root;
  #store;
  #coach;
  #board;
  /** What the question was drawn for: it stays while nothing changes, and the focus with it. */
  #key = "";

  constructor(root, store, coach, board) {
    this.#root = el("div", { class: "coach-card", role: "alertdialog", "aria-label": t("coach.question"), hidden: true });
    root.append(this.#root);
    this.#store = store;
    this.#coach = coach;
    this.#board = board;
  }

  /** Shows the question, if there is one; whether it has just come. */
  show() {
    const question = this.#coach.question();
    const key = JSON.stringify(question);
    if (key === this.#key) return false;
    this.#key = key;
    this.#root.hidden = !question;
    this.#root.replaceChildren();
    if (!question) return false;
    // Whoever came by keys goes on with keys.
    const act = (does) => (event) => {
      does();
      if (event.detail === 0) this.#board.focus();
    };
    const back = el("button", { class: "primary", onclick: act(() => this.#coach.takeBack()) }, t("coach.back"));
    this.#root.replaceChildren(
      el("p", {}, [this.#wrong(question), t("coach.sure")].join(t("list.space"))),
      el("div", { class: "buttons" }, back, el("button", { onclick: act(() => this.#coach.play()) }, t("coach.play"))),
    );
    back.focus({ preventScroll: true });
    return true;
  }

  /** What is said at the start of a game. */
  greeting(state) {
    if (state.current !== 0 || !this.#coach.looksOn(state)) return "";
    const person = state.players[0].kind === "human" ? "b" : "w";
    return t("coach.greeting", { side: sideName(person) });
  }

  /** What is wrong with a move, in words. */
  #wrong({ warning: { piece, mate } }) {
    if (piece) return t(piece.later ? "coach.lost" : "coach.taken", { piece: this.#board.name(piece.token) });
    if (!mate) return t("coach.much");
    return t(this.#board.game.capture ? "coach.captured" : "coach.mated");
  }

  /** What the other side threatens, in words. */
  threat(state) {
    const threat = this.#coach.question() ? null : this.#coach.threat(state);
    if (!threat) return "";
    const side = sideName(OTHER[state.position.side]);
    const { piece } = threat;
    if (!piece) return t("coach.threatWhale", { side });
    const name = this.#board.name(piece.token);
    if (piece.later || !piece.square) return t("coach.threatLater", { side, piece: name });
    return t("coach.threat", { side, piece: name, square: this.#board.squareName(piece.square) });
  }

  /** The move held back and its reply, or what the other side threatens; `moves` reads squares of a move. */
  arrows(state, moves) {
    const question = this.#coach.question();
    const bad = question?.warning ?? this.#coach.threat(state);
    if (!bad) return [];
    const reply = { ...moves(bad.line[0]), kind: "threat" };
    return question ? [{ ...question.move, kind: "thought" }, reply] : [reply];
  }

  /** As much of a hint as was asked for, in words. */
  hint(move, state) {
    const steps = this.#coach.shown(state);
    const board = this.#board;
    if (steps === 1 && move.drop) return t("coach.hintDrop", { piece: board.name(move.drop) });
    if (steps === 1)
      return t("coach.hintPiece", {
        piece: board.name(board.pieces.get(move.from)),
        square: board.squareName(move.from),
      });
    if (steps === 2) return t("coach.hintSquare", { square: board.squareName(move.to) });
    return steps > 2 ? t("coach.hintMove", { move: board.spoken(move) }) : "";
  }

  /** And on the board. */
  hintArrow(move, state) {
    const steps = this.#coach.shown(state);
    if (steps === 1) return move.from ? [{ to: move.from, kind: "hint" }] : [];
    if (steps === 2) return [{ to: move.to, kind: "hint" }];
    return steps > 2 ? [{ ...move, kind: "hint" }] : [];
  }
}
