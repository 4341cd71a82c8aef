// What each side attacks, over the squares of the board, for whoever has asked to see it.

import { prefs } from "../prefs.js";

export class Attacks {
  #store;
  /** What was told last. */
  #told = { at: -1, attacked: [[], []], hanging: [] };
  /** The position that was asked for, and the game. */
  #asked = "";

  /** `changed()` is called when there is something else to show. */
  constructor(store, changed) {
    this.#store = store;
    store.on("attacks", (told) => {
      this.#told = told;
      changed();
    });
  }

  /** The squares to mark in a position; what is not known yet is asked for. */
  marks({ id, current, position }) {
    if (!prefs.get("attacks")) return {};
    const key = `${id} ${current} ${position.sfen}`;
    if (key !== this.#asked) {
      this.#asked = key;
      this.#told = { at: -1, attacked: [[], []], hanging: [] };
      this.#store.send({ type: "attacks", at: current });
    }
    if (this.#told.at !== current) return {};
    const [black, white] = this.#told.attacked;
    return { "hit-b": black, "hit-w": white, hangs: this.#told.hanging };
  }
}
