// The coach: holds a move back until there is a word on it, tells threats and hints, and retires after two wins. What it
// says the table has judged (`coach.rs` in `kujira-table`).

import { prefs } from "../prefs.js";
import { keepValues, recallValues } from "../storage.js";
import { outcome } from "../streak.js";

const KEPT = "kujira-coach";

/** Games won with the coach, by their names. */
const recalled = () => recallValues(KEPT, { won: [] }, { won: Array.isArray });

/** Games won after which somebody does without. */
const ENOUGH = 2;

/** Milliseconds after which a move is played without a word: the table answers before that, unless it cannot be reached. */
const PATIENCE = 6000;

/** How far a hint goes: the piece, where it goes, the move. */
const MOST = 3;

export class Coach {
  #store;
  /** The game and the setting that the table was told of. */
  #told = "";
  /**
   * A move that is not made yet, and what is wrong with it once that is known.
   * @type {{ at: number, move: Wire.LegalMove, warning: Wire.Warning | null, timer: number } | null}
   */
  #thought = null;
  /** How often help was asked for with the move to be made at a node. */
  #help = { node: -1, times: 0 };

  constructor(store) {
    this.#store = store;
    store.on("state", ({ state, moved }) => this.#follow(state, moved));
    store.on("considered", (message) => this.#hear(message));
    store.on("connected", () => (this.#told = ""));
    store.on("leave", () => {
      this.#told = "";
      this.#drop();
    });
    prefs.onChange((setting) => setting === "coach" && store.retell());
  }

  /** Whether a game is one of a person against an engine. */
  fits({ players }) {
    return !this.#store.fleeting && players.filter(({ kind }) => kind === "engine").length === 1;
  }

  /** Whether the coach looks on. */
  looksOn(state) {
    return prefs.get("coach") && state.playing && this.fits(state);
  }

  #follow(state, moved) {
    if (moved || state.current !== this.#thought?.at) this.#drop();
    const on = this.looksOn(state);
    if (!on) this.#drop();
    const now = `${state.id} ${on}`;
    if (now === this.#told || (!on && this.#told === "")) return;
    this.#told = now;
    this.#store.send({ type: "coach", on });
  }

  // A word on a move

  /** Holds a move back that somebody wants to make; whether it does. */
  holds(move) {
    const state = this.#store.state();
    if (!this.looksOn(state)) return false;
    this.#drop();
    const timer = setTimeout(() => this.play(), PATIENCE);
    this.#thought = { at: state.current, move, warning: null, timer };
    this.#store.send({ type: "consider", at: state.current, usi: move.usi });
    return true;
  }

  #hear({ at, usi, warning }) {
    const thought = this.#thought;
    if (thought?.at !== at || thought.move.usi !== usi || thought.warning) return;
    clearTimeout(thought.timer);
    if (!warning) return this.play();
    thought.warning = warning;
    this.#store.retell();
  }

  /** The move held back with what is wrong with it; null while nothing is. */
  question() {
    return this.#thought?.warning ? { move: this.#thought.move, warning: this.#thought.warning } : null;
  }

  /** Plays the move that was held back. */
  play() {
    const thought = this.#drop();
    if (thought) this.#store.send({ type: "play", at: thought.at, usi: thought.move.usi });
  }

  /** Gives up the move that was held back; whether one was. */
  takeBack() {
    const thought = this.#drop();
    if (thought) this.#store.retell();
    return thought !== null;
  }

  #drop() {
    const thought = this.#thought;
    if (thought) clearTimeout(thought.timer);
    this.#thought = null;
    return thought;
  }

  // Threats and help

  /** What the other side threatens where somebody is to move; null if nothing, or if nobody looks. */
  threat(state) {
    if (!this.looksOn(state) || state.coach?.node !== state.current || !state.movable) return null;
    return state.coach.threat ?? null;
  }

  /** Asks for help with the move to be made, each time a step further. */
  help(state) {
    const times = this.#help.node === state.current ? Math.min(MOST, this.#help.times + 1) : 1;
    this.#help = { node: state.current, times };
    this.#store.send({ type: "hint" });
    this.#store.retell();
  }

  /** How much of a hint is shown: 1 the piece, 2 its square, too, 3 all of it, as without a coach. */
  shown(state) {
    if (!this.looksOn(state)) return MOST;
    return this.#help.node === state.current ? this.#help.times : 0;
  }

  // After the game

  /**
   * The game has ended with a node: the coach looks at it once more, and notes whether it was won. Returns whether it
   * retires with that.
   * @param {Wire.State} state
   */
  over(state, end) {
    if (!prefs.get("coach") || !this.fits(state)) return false;
    this.#store.send({ type: "sweep", on: true });
    if (!outcome(state, end)?.won) return false;
    const won = [...new Set([...recalled().won, state.id])];
    keepValues(KEPT, { won });
    if (won.length < ENOUGH) return false;
    keepValues(KEPT, { won: [] });
    prefs.set("coach", false);
    return true;
  }
}
