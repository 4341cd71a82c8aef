// A lesson on the board: what is to be done, what was, help, and what comes of it.
//
// A step is a game that nobody keeps, as a puzzle is. Where the other side does not move the table gives the turn back
// (`again` in `messages.d.ts`), so that the page need not know what is legal then.

import { firstGame } from "../coach/first.js";
import { prefs } from "../prefs.js";
import { HUMANS, player } from "../request.js";
import { t, told } from "../texts.js";
import { squaresOf } from "../words.js";
import { isAlone, nextStep, readCourse } from "./course.js";
import { keepStars, keepSteps, recallCourse, starsFor } from "./progress.js";

/** Milliseconds for which a move stands before the turn comes back, a wrong one, and an answer to it. */
const TURN = 180;
const WRONG = 1100;
const ANSWERED = 2200;

/**
 * The step shown:
 *
 * | | |
 * |---|---|
 * | `phase` | `do`: there is something to be done; `watch`: something is shown; `done`; `lost`; `look`: its piece on the full board |
 * | `said` | what is said of the last move: `check`, `over`, `wrong`, `answered`, or nothing |
 * | `used` | how many moves it took so far |
 * | `left` | the marked squares that are left |
 * | `hint` | whether the first move is shown |
 *
 * @typedef {{
 *   id: string, game: string, steps: import("./course.js").Step[], number: number, step: import("./course.js").Step,
 *   phase: string, said: string, used: number, left: string[], hint: boolean, stars: number,
 * }} Shown
 */

export class Lessons {
  #store;
  #files = new Map();
  /** @type {Shown | null} */
  #now = null;
  /** The node whose move was judged last. */
  #judged = 0;
  #timer = 0;
  #asked = 0;

  constructor(store) {
    this.#store = store;
    store.lead(() => this.#mayMove());
    store.on("learn", ({ game, number }) => this.open(game, number));
    store.on("state", ({ state }) => this.#follow(state));
    store.on("welcome", () => this.#end());
  }

  /** The step on the board, or null. */
  now() {
    return this.#store.state()?.id === this.#now?.id ? this.#now : null;
  }

  /** The steps of a game; a refusal is thrown. */
  async steps(game) {
    if (!this.#store.spec.games.some(({ id }) => id === game)) throw new Error(t("page.no-game", { name: game }));
    if (!this.#files.has(game)) this.#files.set(game, readCourse(await this.#store.course(game), game));
    return this.#files.get(game);
  }

  /** Opens a step by its number, from 1, or the next one that was not done. */
  async open(game, number = 0) {
    const asked = ++this.#asked;
    try {
      const steps = await this.steps(game);
      keepSteps(game, steps.length);
      const at = number || nextStep(steps, recallCourse(game).stars);
      const step = steps[at - 1];
      if (!step) throw new Error(t("page.no-number", { number: at }));
      const battle = step.task === "battle";
      const id = await this.#store.make({
        variant: game,
        sfen: step.sfen,
        players: battle ? [player(0), player(1)] : HUMANS,
        playing: battle,
        fleeting: true,
      });
      if (asked !== this.#asked) return;
      this.#end();
      this.#now = { id, game, steps, number: at, step, ...this.#fresh(step), stars: 0 };
      this.#store.openLesson(id, { game, number: at });
    } catch (error) {
      this.#store.complain(t("page.lesson", { why: told(error.message) }));
      if (asked === this.#asked && !this.#store.state()) this.#store.leave();
    }
  }

  #fresh({ task, marks }) {
    const phase = task === "watch" ? "watch" : "do";
    return { phase, said: "", used: 0, left: [...marks], hint: false };
  }

  #end() {
    this.#now = null;
    this.#judged = 0;
    clearTimeout(this.#timer);
  }

  // What somebody asks for

  /** Begins the step anew. */
  again() {
    const { game, number } = this.#now;
    this.open(game, number);
  }

  /** Shows the next step; after the last one the games. */
  next() {
    const { game, number, steps } = this.#now;
    if (number < steps.length) this.open(game, number + 1);
    else this.#store.leave();
  }

  /** Shows the first move that does it; where moves were made, from the start. */
  help() {
    const now = this.now();
    if (now?.phase !== "do" || now.step.line.length === 0) return;
    if (now.used > 0 && isAlone(now.step)) return this.again();
    now.hint = true;
    this.#store.retell();
  }

  /** The move that is shown, if one is. */
  arrow() {
    const now = this.now();
    if (!now?.hint || now.phase !== "do") return null;
    const usi = now.step.line[isAlone(now.step) ? now.used : 0];
    return this.#store.state().position.legal.find((move) => move.usi === usi) ?? null;
  }

  /** The square on which a piece that a step teaches begins a game, if it does. */
  home() {
    const { setup } = this.#store.game();
    const { kinds } = this.#now.step;
    return setup.squares.find(([, token]) => kinds.includes(token))?.[0];
  }

  /** Shows the piece of the step on the full board, where it can be moved. */
  async look() {
    const now = this.#now;
    const { game, number } = now;
    try {
      const id = await this.#store.make({ variant: game, players: HUMANS, playing: false, fleeting: true });
      if (this.#now !== now) return;
      this.#now = { ...now, id, phase: "look", said: "", left: [], hint: false };
      this.#store.openLesson(id, { game, number });
    } catch (error) {
      this.#store.complain(error.message);
    }
  }

  /** Begins the first game on the full board, which ends the course. */
  async play() {
    const { game, step } = this.#now;
    this.#settle(step, 3);
    try {
      await firstGame(this.#store, game);
    } catch (error) {
      this.#store.complain(error.message);
    }
  }

  // What has been done

  #mayMove() {
    const now = this.now();
    if (!now) return true;
    const { position, current } = this.#store.state();
    if (now.phase === "look") return true;
    if (now.phase !== "do" || now.step.task === "game" || position.side !== "b") return false;
    return now.step.task === "battle" || current === 0;
  }

  #follow(state) {
    const now = this.#now;
    if (!now) return;
    if (state.id !== now.id) return this.#end();
    const node = this.#store.nodes().get(state.current);
    if (now.phase === "look") return;
    if (now.step.task === "battle") return this.#fight(state);
    if (now.phase === "watch") return this.#watch(state);
    if (state.current === 0) this.#judged = 0;
    if (now.phase !== "do" || node.parent !== 0 || this.#judged === node.id) return;
    this.#judged = node.id;
    now.used += 1;
    now.said = "";
    if (now.step.task === "find") this.#judge(node);
    else this.#collect(state, node);
    // The card is drawn after this: it listens later.
  }

  /** One of the marked squares may be left no more. */
  #collect(state, node) {
    const now = this.#now;
    const { side, checked, squares } = state.position;
    const { to } = squaresOf(node.usi);
    const tokens = new Map(squares);
    // What is Black's, or empty, is captured.
    const settled =
      now.step.task === "reach"
        ? (square) => square === to
        : (square) => !tokens.has(square) || tokens.get(square) === tokens.get(square).toUpperCase();
    const left = now.left.filter((square) => !settled(square));
    if (left.length === 0 && !node.ending) {
      now.left = left;
      return this.#done();
    }
    // A whale that is in check can't let its side stand still; at 11×11 it can, and nothing comes of that.
    if (node.ending || (checked && side === "w" && !this.#store.game().capture)) {
      now.said = node.ending ? "over" : "check";
      return this.#soon(WRONG, () => this.#store.send({ type: "delete", node: node.id }));
    }
    now.left = left;
    this.#soon(TURN, () => this.#store.send({ type: "again", at: node.id }));
  }

  #judge({ id, usi }) {
    const now = this.#now;
    if (now.step.right.includes(usi)) return this.#done();
    const reply = now.step.replies[usi];
    now.said = reply ? "answered" : "wrong";
    const back = () => this.#store.send({ type: "delete", node: id });
    if (!reply) return this.#soon(WRONG, back);
    this.#soon(Number(prefs.get("pace")), () => {
      this.#store.send({ type: "play", at: id, usi: reply });
      this.#soon(ANSWERED, back);
    });
  }

  #watch(state) {
    const now = this.#now;
    const usi = now.step.line[this.#store.at()];
    if (usi === undefined) return this.#done();
    this.#soon(Math.max(300, Number(prefs.get("pace")) / 2), () =>
      this.#store.send({ type: "play", at: state.current, usi }),
    );
  }

  #fight(state) {
    const now = this.#now;
    const end = this.#store.nodes().get(state.tip);
    if (now.phase !== "do") return;
    now.used = Math.ceil((this.#store.line().length - 1) / 2);
    if (end?.result === "1-0") this.#done();
    else if (end?.ending) now.phase = "lost";
  }

  #done() {
    const now = this.#now;
    now.phase = "done";
    now.said = "";
    now.hint = false;
    now.stars = now.step.task === "watch" ? 3 : starsFor(now.used, now.step.moves);
    this.#settle(now.step, now.stars);
  }

  #settle({ id }, stars) {
    keepStars(this.#now.game, id, stars);
  }

  /** Does something in a while, if the step is still there then. */
  #soon(millis, act) {
    clearTimeout(this.#timer);
    const now = this.#now;
    this.#timer = setTimeout(() => this.#now === now && this.now() && act(), millis);
  }
}
