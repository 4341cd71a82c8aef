// The moves of engines take a moment: what the driver tells waits until the move before was seen.

import { prefs } from "./prefs.js";

export class Pace {
  #take;
  #isMove;
  /** Messages that are not shown yet, the oldest first. */
  #waiting = [];
  #timer = 0;
  /** When a move was last shown. */
  #seen = 0;

  /** `take(message)` shows a message; `isMove(message)` is whether that shows a move of an engine. */
  constructor(take, isMove) {
    this.#take = take;
    this.#isMove = isMove;
  }

  /**
   * Shows a message, at once or after those that wait.
   * @param {Wire.Message} message
   */
  receive(message) {
    // They take the place of all that was to be shown.
    if (message.type === "state" || message.type === "gone") this.drop();
    this.#waiting.push(message);
    if (this.#waiting.length === 1) this.#next();
  }

  /** Shows at once what waits: what somebody does now is meant for the game as it stands. */
  flush() {
    while (this.#waiting.length > 0) this.#take(this.#waiting.shift());
    clearTimeout(this.#timer);
  }

  /** Forgets what waits. */
  drop() {
    clearTimeout(this.#timer);
    this.#waiting = [];
  }

  /** A position is shown from now on. */
  moved() {
    this.#seen = performance.now();
  }

  #next() {
    if (this.#waiting.length === 0) return;
    const left = this.#seen + Number(prefs.get("pace")) - performance.now();
    if (left > 0 && this.#isMove(this.#waiting[0])) this.#timer = setTimeout(() => this.#show(), left);
    else this.#show();
  }

  #show() {
    if (this.#waiting.length > 0) this.#take(this.#waiting.shift());
    this.#next();
  }
}
