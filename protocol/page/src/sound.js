// Soft sounds of what happens on the board, made here: no file is loaded for them.

import { prefs } from "./prefs.js";

/** What is heard: notes of a pitch in hertz, with their beginning and length in seconds. */
const SOUNDS = {
  move: [[240, 0, 0.09]],
  capture: [
    [200, 0, 0.09],
    [140, 0.06, 0.13],
  ],
  check: [
    [520, 0, 0.12],
    [660, 0.1, 0.2],
  ],
  end: [
    [392, 0, 0.25],
    [494, 0.16, 0.25],
    [587, 0.32, 0.5],
  ],
};
const LOUDNESS = 0.12;

export class Sounds {
  /** @type {AudioContext | null} */
  #context = null;

  constructor(store) {
    // Browsers let nobody be heard before somebody has done something.
    for (const gesture of ["pointerdown", "keydown"])
      addEventListener(gesture, () => (this.#context ??= this.#open()), { once: true });
    store.on("state", ({ state, before, moved }) => moved && this.#heard(state, before, store.nodes()));
  }

  #open() {
    try {
      return new AudioContext();
    } catch {
      // There is nothing to hear it with.
      return null;
    }
  }

  /** Makes the sound of a move, unless the game was stepped back or elsewhere. */
  #heard(state, before, nodes) {
    const { parent, ending } = nodes.get(state.current);
    if (parent !== before.current || !prefs.get("sound")) return;
    const captures = state.position.squares.length < before.position.squares.length;
    this.#play(ending ? "end" : state.position.checked ? "check" : captures ? "capture" : "move");
  }

  #play(name) {
    const context = this.#context;
    if (!context) return;
    context.resume().catch(() => {});
    for (const [pitch, begin, length] of SOUNDS[name]) {
      const at = context.currentTime + begin;
      const note = new OscillatorNode(context, { type: "triangle", frequency: pitch });
      const volume = new GainNode(context, { gain: 0 });
      volume.gain.setValueAtTime(0, at);
      volume.gain.linearRampToValueAtTime(LOUDNESS, at + 0.008);
      volume.gain.exponentialRampToValueAtTime(0.001, at + length);
      note.connect(volume).connect(context.destination);
      note.start(at);
      note.stop(at + length);
    }
  }
}
