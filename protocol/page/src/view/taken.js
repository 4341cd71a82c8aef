// What was taken back, so that it can be brought back: the moves are played again where they stood.

export class TakenBack {
  #store;
  /** Where the moves begin, and they themselves. */
  #kept = null;

  constructor(store) {
    this.#store = store;
    store.on("leave", () => (this.#kept = null));
    store.on("state", (change) => this.#take(change));
  }

  /** Whether there is something that can be brought back. */
  get any() {
    return this.#kept !== null;
  }

  #take({ state, before }) {
    if (before?.id !== state.id) this.#kept = null;
    else if (state.tip !== before.tip) {
      const earlier = this.#kept?.at === before.tip ? this.#kept.moves : [];
      const moves = before.playing && way(before, state.tip);
      this.#kept = moves ? { at: state.tip, moves: [...moves, ...earlier] } : null;
    }
  }

  /** Plays the moves again: nobody answers them before the last. */
  bringBack() {
    if (!this.#kept) return;
    const { at, moves } = this.#kept;
    const { playing } = this.#store.state();
    this.#store.send({ type: "pause" });
    this.#store.playLine(moves, at, () => playing && this.#store.send({ type: "resume" }));
  }
}

/** The moves from a node to where a game stood; nothing if they do not lead there. */
function way({ nodes, tip }, from) {
  const known = new Map(nodes.map((node) => [node.id, node]));
  const moves = [];
  let node = known.get(tip);
  for (; node && node.id !== from; node = known.get(node.parent)) moves.unshift(node.usi);
  return node && moves;
}
