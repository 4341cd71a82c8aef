// A puzzle on the board: what is to be played, what was, help, and what comes of it.
//
// A puzzle is a free game that nobody keeps (`Store.openPuzzle`). What has been played in it tells how far somebody is:
// the moves to the node shown are compared with those of the solution, whatever way led there.

import { prefs } from "../prefs.js";
import { t, told } from "../texts.js";
import { next, ofTheDay, ordered, read, solverOf, toFind, today, wanted } from "./choice.js";
import { keepWishes, recallProgress, settle } from "./progress.js";

/**
 * Milliseconds for which a wrong move stands: without a reply, with one, and while nobody knows whether there is one. And
 * for which a move of the solution is announced at least.
 */
const WRONG = 900;
const REFUTED = 2200;
const UNKNOWN = 6000;
const SHOWN = 900;

const WINS = { b: "1-0", w: "0-1" };

/**
 * The puzzle shown:
 *
 * | | |
 * |---|---|
 * | `phase` | `solve`: a move is to be found; `watch`: the solution plays; `solved`; `look`: a board to analyse |
 * | `said` | `wrong` or `right` of the last move, `rest` if moves follow that need not be found, or nothing |
 * | `hints` | how many steps of help there were for the move to be found |
 * | `outcome` | `alone`, `helped` or `shown`, as far as it is known |
 * | `gained` | points of rating |
 * | `refutation` | the reply to the last wrong move, as USI, once it is known, and the node of that move while it stands |
 *
 * @typedef {{
 *   id: string, game: string, puzzle: import("./choice.js").Puzzle, solver: Wire.Side, first: boolean, phase: string,
 *   said: string, hints: number, outcome: string, gained: number,
 *   refutation: { node: number, usi: string },
 * }} Shown
 */

export class Puzzles {
  #store;
  /** The puzzles of the games of which they were fetched. */
  #files = new Map();
  /** @type {Shown | null} */
  #now = null;
  /** What is to happen soon, and the node at which. */
  #due = { node: -1, timer: 0 };
  /** Those that were shown since every one was. */
  #passed = new Set();
  /** How many puzzles were asked for: the last is shown. */
  #asked = 0;

  constructor(store) {
    this.#store = store;
    store.lead(() => this.#mayMove());
    store.on("considered", (message) => this.#refute(message));
    store.on("puzzle", ({ game, id }) => this.open(game, id));
    store.on("state", ({ state, moved }) => this.#follow(state, moved));
    store.on("welcome", () => this.#end());
  }

  /** The puzzle on the board, or null. */
  now() {
    return this.#store.state()?.id === this.#now?.id ? this.#now : null;
  }

  /** Whether a puzzle is on the board whose solution nobody has asked the engine for. */
  solving() {
    const now = this.now();
    return now !== null && now.phase !== "look";
  }

  /** The puzzles of a game; a refusal is thrown. */
  async file(game) {
    if (!this.#store.spec.games.some(({ id }) => id === game)) throw new Error(t("page.no-game", { name: game }));
    if (!this.#files.has(game)) this.#files.set(game, read(await this.#store.puzzles(game), game));
    return this.#files.get(game);
  }

  /** How far somebody has come with a game. */
  progress(game) {
    return recallProgress(game);
  }

  /** Opens the puzzle of a name, or the next one of a game. */
  async open(game, id = "") {
    const asked = ++this.#asked;
    try {
      const puzzles = await this.file(game);
      const puzzle = id ? puzzles.find((other) => other.id === id) : this.#choose(game, puzzles);
      if (!puzzle) throw new Error(t("page.no-name", { name: id }));
      const shown = await this.#store.make({
        variant: game,
        sfen: puzzle.sfen,
        players: [{ kind: "human" }, { kind: "human" }],
        playing: false,
        fleeting: true,
      });
      if (asked === this.#asked) this.#begin(shown, game, puzzle, ofTheDay(puzzles, game, today()) === puzzle);
    } catch (error) {
      this.#store.complain(t("page.puzzle", { why: told(error.message) }));
      if (asked === this.#asked && !this.#store.state()) this.#store.leave();
    }
  }

  #choose(game, puzzles) {
    const progress = this.progress(game);
    const { wishes, done } = progress;
    const capture = this.#store.spec.games.find(({ id }) => id === game).capture;
    const shown = this.#now?.game === game ? this.#now.puzzle : null;
    const daily = ofTheDay(puzzles, game, today());
    const any = Object.values(wishes).every((wish) => !wish);
    // Who knows puzzles begins a day with that of the day.
    if (any && !shown && done.size > 0 && !done.has(daily.id)) return daily;
    const list = ordered(puzzles, game, today());
    const fitting = wanted(list, wishes, progress, capture);
    // Whoever has become too strong for what was wanted, or has failed nowhere, is shown all.
    const puzzle = next(fitting.length ? fitting : list, progress, capture, shown, this.#passed);
    if (this.#passed.has(puzzle.id)) this.#passed.clear();
    return puzzle;
  }

  #begin(id, game, puzzle, first) {
    this.#now = {
      id,
      game,
      puzzle,
      solver: solverOf(puzzle),
      first,
      phase: "solve",
      said: "",
      hints: 0,
      outcome: "",
      gained: 0,
      refutation: { node: -1, usi: "" },
    };
    this.#passed.add(puzzle.id);
    this.#cancel();
    this.#store.openPuzzle(id, { game, id: puzzle.id });
  }

  #end() {
    this.#now = null;
    this.#cancel();
  }

  // What somebody asks for

  /** Shows the next puzzle. */
  next() {
    this.open(this.#now.game);
  }

  /** Shows puzzles of a game as somebody wants them from now on. */
  choose(game, wishes) {
    keepWishes(game, wishes);
    // The first of them, not the one after the puzzle shown.
    this.#now = null;
    this.open(game);
  }

  /** The move that is to be found next, if one is. */
  wanted() {
    if (this.now()?.phase !== "solve" || !this.#mayMove()) return null;
    const usi = this.#now.puzzle.moves[this.#path().length];
    return this.#store.state().position.legal.find((move) => move.usi === usi) ?? null;
  }

  /** Helps a step further with the move to be found: to its piece, to its square, then it is played. */
  help() {
    const move = this.wanted();
    if (!move) return;
    this.#fail("helped");
    this.#now.hints += 1;
    if (this.#now.hints > 2) this.#play(move.usi);
    this.#store.retell();
  }

  /** Shows the solution. */
  solution() {
    if (this.now()?.phase !== "solve") return;
    this.#fail("shown");
    this.#now.outcome = "shown";
    this.watch();
  }

  /** Plays the solution from its start. */
  watch() {
    const now = this.now();
    if (!now) return;
    now.phase = "watch";
    now.said = "";
    const state = this.#store.state();
    if (state.analysis !== null) this.#store.send({ type: "analysis", on: false, lines: state.analysis });
    // What was tried instead goes.
    if (!this.#along(this.#path())) this.#store.send({ type: "delete", node: state.current });
    this.#store.goto(0);
    this.#store.retell();
  }

  /** Makes it a board to analyse, from the start of the puzzle. */
  look() {
    const now = this.now();
    if (!now) return;
    this.#cancel();
    now.phase = "look";
    this.#store.goto(0);
    this.#store.send({ type: "analysis", on: true, lines: 3 });
    this.#store.retell();
  }

  /** The arrow of the move that the solution plays next, or of a hint. */
  arrow() {
    const now = this.now();
    if (now?.phase === "watch" && this.#along(this.#path())) {
      const usi = now.puzzle.moves[this.#path().length];
      return this.#store.state().position.legal.find((move) => move.usi === usi) ?? null;
    }
    return now?.hints > 1 ? this.wanted() : null;
  }

  // How far it is

  /** The moves to the node shown. */
  #path() {
    return this.#store.line().slice(1, this.#store.at() + 1).map(({ usi }) => usi);
  }

  /** Whether moves are those of the solution, as far as they go. */
  #along(path) {
    const { moves } = this.#now.puzzle;
    return path.length <= moves.length && path.every((usi, index) => usi === moves[index]);
  }

  /** Whether the move to the node shown is not that of the file, but ends the game as well. */
  #mates(path) {
    const { kind, moves } = this.#now.puzzle;
    const { result } = this.#store.nodes().get(this.#store.state().current);
    const last = kind === "mate" && path.length === moves.length && this.#along(path.slice(0, -1));
    return last && result === WINS[this.#now.solver];
  }

  /** Whether somebody may move: who solves, along the solution. */
  #mayMove() {
    const now = this.now();
    if (!now || now.phase === "look") return true;
    const path = this.#path();
    return now.phase === "solve" && path.length % 2 === 0 && this.#along(path);
  }

  #follow(state, moved) {
    const now = this.#now;
    if (!now) return;
    if (state.id !== now.id) return this.#end();
    if (this.#due.node !== state.current) this.#cancel();
    if (moved) now.hints = 0;
    const path = this.#path();
    if (now.phase === "solve") this.#solve(path, moved);
    else if (now.phase === "watch") this.#show(path, moved);
  }

  #solve(path, moved) {
    const now = this.#now;
    const { moves } = now.puzzle;
    const along = this.#along(path);
    if (along) now.refutation.node = -1;
    if ((along && path.length === toFind(now.puzzle)) || this.#mates(path)) return this.#solved(path);
    if (!along) {
      now.said = "wrong";
      this.#fail("helped");
      if (now.refutation.node !== this.#store.state().current) this.#askReply(path);
    } else if (path.length % 2 === 1) {
      now.said = "right";
      this.#soon(Number(prefs.get("pace")), () => this.#play(moves[path.length]));
    } else if (moved && now.said === "right" && path.length === 0) now.said = "";
  }

  /** Asks what the other side would play against a wrong move. */
  #askReply(path) {
    const now = this.#now;
    const { current } = this.#store.state();
    const { parent, ending } = this.#store.nodes().get(current);
    now.refutation = { node: current, usi: "" };
    this.#retract(ending ? WRONG : UNKNOWN);
    if (!ending) this.#store.send({ type: "consider", at: parent, usi: path.at(-1) });
  }

  /** The reply to a wrong move is known, or that there is none to tell. */
  #refute({ at, usi, reply = "" }) {
    const now = this.now();
    const state = this.#store.state();
    if (now?.phase !== "solve" || now.refutation.node !== state.current) return;
    const { parent, usi: wrong } = this.#store.nodes().get(state.current);
    if (parent !== at || wrong !== usi) return;
    now.refutation.usi = reply;
    this.#cancel();
    this.#retract(reply ? REFUTED : WRONG);
    this.#store.retell();
  }

  /** Takes the wrong move back in a while. */
  #retract(millis) {
    const { current } = this.#store.state();
    this.#soon(millis, () => this.#store.send({ type: "delete", node: current }));
  }

  /** What the other side plays against the wrong move shown, or null. */
  refutation() {
    const state = this.#store.state();
    const { node, usi } = this.now()?.refutation ?? {};
    if (node !== state?.current || !usi) return null;
    return state.position.legal.find((move) => move.usi === usi) ?? null;
  }

  #show(path, moved) {
    const { moves } = this.#now.puzzle;
    const over = this.#along(path) && path.length === moves.length;
    // Where it is played back it stands at its end at first.
    if (over && moved) this.#now.phase = "solved";
    else if (!this.#along(path)) this.#store.goto(0);
    else if (!over) this.#soon(Math.max(SHOWN, Number(prefs.get("pace"))), () => this.#play(moves[path.length]));
  }

  #solved(path) {
    const now = this.#now;
    now.phase = "solved";
    now.said = "";
    if (!now.outcome) {
      now.outcome = "alone";
      now.gained = settle(now.game, now.puzzle, true);
    }
    // What need not be found, for several moves would do, is shown.
    if (path.length < now.puzzle.moves.length) {
      now.phase = "watch";
      now.said = "rest";
      this.#show(path, false);
    }
  }

  /** It is not solved alone any more, which counts once. */
  #fail(outcome) {
    const now = this.#now;
    if (now.outcome) return;
    now.outcome = outcome;
    now.gained = settle(now.game, now.puzzle, false);
  }

  #play(usi) {
    this.#store.send({ type: "play", at: this.#store.state().current, usi });
  }

  /** Does something in a while, if the same node of the game is shown then. */
  #soon(millis, act) {
    const { id, current } = this.#store.state();
    if (this.#due.node === current) return;
    const timer = setTimeout(() => {
      this.#due.node = -1;
      const state = this.#store.state();
      if (state?.id === id && state.current === current && this.#now?.id === id) act();
    }, millis);
    this.#due = { node: current, timer };
  }

  #cancel() {
    clearTimeout(this.#due.timer);
    this.#due = { node: -1, timer: 0 };
  }
}
