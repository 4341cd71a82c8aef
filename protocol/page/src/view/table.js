// The view as a whole: board, hands, moves, analysis and facts of the game that the store shows.

import { $, announce, write } from "../dom.js";
import { Coach } from "../coach/coach.js";
import { language, prefs } from "../prefs.js";
import { has, t, told } from "../texts.js";
import { endingText, nameSides, squaresOf } from "../words.js";
import { Analysis } from "./analysis.js";
import { Attacks } from "./attacks.js";
import { Board } from "./board.js";
import { Card } from "./card.js";
import { CoachCard } from "./coach.js";
import { Ending } from "./ending.js";
import { Info } from "./info.js";
import { Input } from "./input.js";
import { LessonCard } from "./lesson.js";
import { marksShown } from "./marks.js";
import { narrow } from "./menu.js";
import { Moves } from "./moves.js";
import { OpeningsCard } from "./openings.js";
import { PuzzleCard } from "./puzzle.js";
import { Sides } from "./sides.js";

/** Milliseconds for which an explanation stands below the board. */
const EXPLAINED = 6000;

export class Table {
  #store;
  #puzzles;
  #lessons;
  /** Which games somebody has turned the board of, by their names. */
  #flips = new Map();
  /** Why a move was not legal, while that stands below the board. */
  #explained = "";
  #fade = 0;

  constructor(store, puzzles, lessons) {
    this.#store = store;
    this.#puzzles = puzzles;
    this.#lessons = lessons;
    this.coach = new Coach(store);
    this.board = new Board($("#board"), { onsquare: (square) => this.input.square(square) });
    this.input = new Input(store, this);
    this.sides = new Sides([$("#far"), $("#near")], store, this);
    this.moves = new Moves($("#moves"), store, this.board);
    this.analysis = new Analysis($("#analysis"), store, this.board);
    this.openings = new OpeningsCard($("#openings"), store, this.board);
    this.info = new Info(store, () => this.hint(), this.coach);
    this.ending = new Ending($("#ending"), store, this.analysis, this.coach);
    this.coachCard = new CoachCard($("#play"), store, this.coach, this.board);
    this.puzzle = new PuzzleCard($("#puzzle"), store, puzzles, this);
    this.lesson = new LessonCard($("#lesson"), store, lessons, this);
    this.attacks = new Attacks(store, () => this.refresh());
    this.card = new Card($("#piece-card"), store, this.board, () => this.input.path.length > 0);
    store.on("leave", () => {
      this.card.leave();
      this.input.reset();
      // What was said of a game goes with it.
      this.#explained = "";
      write($("#advice"), "");
    });
    store.on("state", (change) => this.#take(change));
    store.on("lines", (message) => {
      this.analysis.take(message);
      this.refreshArrows();
    });
    store.on("explained", (message) => this.#explain(this.#inWords(message)));
    prefs.onChange(() => this.refresh());
  }

  #take({ state, before, moved }) {
    nameSides(state.handicap);
    const same = before?.id === state.id;
    if (!same || before.position.sfen !== state.position.sfen || moved) this.input.reset();
    if (moved || !same) this.card.rest();
    this.#draw(moved);
    if (moved) {
      const node = this.#store.nodes().get(state.current);
      const words = node.spoken ? this.board.told(node) : t("game.start");
      announce([words, node.ending && endingText(node.ending)].filter(Boolean).join(t("list.stop")));
    } else if (same && !before.position.legal.length !== !state.position.legal.length) {
      announce($("#status").textContent);
    }
  }

  /** Whether Black plays down the screen: as somebody turned the board, or so that a person sits below. */
  get flipped() {
    const { id, players } = this.#store.state();
    const [black, white] = players;
    const whiteBelow = this.#puzzles.now()?.solver === "w" || (black.kind === "engine" && white.kind === "human");
    return this.#flips.get(id) ?? whiteBelow;
  }

  turn() {
    this.#flips.set(this.#store.state().id, !this.flipped);
    this.input.reset();
    this.refresh();
  }

  /** Helps with the next move: of a puzzle, or as the engine sees it. */
  hint() {
    const state = this.#store.state();
    if (this.#lessons.now()) this.#lessons.help();
    else if (this.#puzzles.solving()) this.puzzle.hint();
    else if (this.coach.looksOn(state)) this.coach.help(state);
    else this.#store.send({ type: "hint" });
  }

  /** Turns analysis on or off, which would tell the solution of a puzzle. */
  analyse() {
    if (!this.#puzzles.solving() && !this.#lessons.now()) this.analysis.toggle();
  }

  /** Shows what is attacked, or hides it. */
  showAttacks() {
    prefs.set("attacks", !prefs.get("attacks"));
  }

  /** Opens or closes the openings, which would tell the solution, too. */
  explore() {
    if (!this.#puzzles.solving() && !this.#lessons.now()) this.openings.toggle();
  }

  /** Shows a piece that somebody touched, on a square or in a hand, in the card beside the board. */
  look(token, place) {
    this.card.look(token, place);
  }

  refresh() {
    if (this.#store.state()) this.#draw(false);
  }

  #draw(animate) {
    const state = this.#store.state();
    const current = this.#store.nodes().get(state.current);
    this.board.setGame(this.#store.game(), this.flipped);
    $("#table").classList.toggle("marked", marksShown(this.#store.game()));
    const last = squaresOf(current.usi);
    this.board.show(state.position.squares, last, animate);
    this.lesson.show();
    this.#mark(state, last);
    this.refreshArrows();
    this.sides.show(state, this.flipped);
    this.moves.show(state, this.#store.nodes());
    this.analysis.show(state);
    this.openings.show(state);
    this.info.show(state, current);
    this.ending.show(state);
    this.puzzle.show();
    if (this.coachCard.show()) this.card.rest();
    if (animate) this.#explained = "";
    this.#advise();
    this.#steps();
    this.card.show();
  }

  #mark({ position }, last) {
    const marks = this.input.marks();
    const shown = prefs.get("targets");
    this.board.mark({
      last: [last.from, last.to].filter(Boolean),
      taken: last.way,
      checked: position.checked ? [position.checked] : [],
      selected: marks.selected,
      target: shown ? marks.target : [],
      capture: shown ? marks.capture : [],
      path: marks.path,
      stop: marks.stop,
      goal: this.lesson.marks(),
      mine: this.input.pickable(position),
      ...this.attacks.marks(this.#store.state()),
    });
  }

  /** Which steps through the line there are. */
  #steps() {
    const at = this.#store.at();
    $("#step-first").disabled = $("#step-back").disabled = at <= 0;
    $("#move-menu").disabled = at <= 0 && !narrow.matches;
    const { playing, nodes } = this.#store.state();
    $("#step-take-back").disabled = !playing || nodes.length <= 1;
    $("#step-hint").disabled = Boolean(this.#store.nodes().get(this.#store.state().current).ending);
    $("#show-attacks").setAttribute("aria-pressed", prefs.get("attacks"));
    $("#step-on").disabled = $("#step-last").disabled = at >= this.#store.line().length - 1;
  }

  refreshArrows() {
    const state = this.#store.state();
    if (!state) return;
    const arrows = this.analysis.arrows(state);
    const hint = this.#hint();
    if (hint) arrows.push(...this.coachCard.hintArrow(hint, state));
    arrows.push(...this.puzzle.arrows(), ...this.lesson.arrows(), ...this.ending.arrows(state));
    arrows.push(...this.coachCard.arrows(state, squaresOf));
    this.board.drawArrows(arrows);
  }

  /** The move that a hint names in the position shown. */
  #hint() {
    const { hint, current, position } = this.#store.state();
    const [node, usi] = hint ?? [];
    return node === current && position.legal.find((legal) => legal.usi === usi);
  }

  /** Below the board: what is to be done next, why something is not legal, or a hint. */
  #advise() {
    const state = this.#store.state();
    const hint = this.#hint();
    const help = hint && this.coachCard.hint(hint, state);
    const told = this.input.advice() || this.#explained || help || this.coachCard.threat(state) || this.coachCard.greeting(state);
    // On a phone the card of a puzzle may be below the screen.
    const task = narrow.matches ? this.puzzle.words() : "";
    write($("#advice"), told || task || (prefs.get("attacks") ? t("attacks.legend") : ""));
  }

  /** Why a move is not legal, in the language chosen. */
  #inWords({ text, why }) {
    const key = `why.${why?.reason}`;
    // The words of the table are English, their squares Japanese, and they know more.
    if (!has(key) || (language() === "en" && prefs.get("coordinates") === "japanese")) return told(text);
    const square = why.square && this.board.squareName(why.square);
    return t(key, { kind: why.kind && this.board.name(why.kind), square });
  }

  #explain(text) {
    this.#explained = text;
    $("#advice").textContent = text;
    clearTimeout(this.#fade);
    this.#fade = setTimeout(() => {
      this.#explained = "";
      this.refresh();
    }, EXPLAINED);
  }
}
