// The card of a puzzle: what is to be found, what came of the last move, help, and what may come next.

import { openChoice } from "../dialogs/puzzles.js";
import { $, el } from "../dom.js";
import { movesToFind } from "../puzzles/choice.js";
import { named, t } from "../texts.js";
import { SIDE_NAMES, THEMES, counted } from "../words.js";

const OTHER = { b: "w", w: "b" };

const OUTCOMES = { alone: "Solved", helped: "Solved, with help", shown: "That was the solution" };

const SAID = {
  right: "Right.",
  wrong: "Not this one: try another.",
};

/** What is to be found. */
export function task(puzzle, solver, capture) {
  if (puzzle.kind === "best") return `Find the one good move for ${SIDE_NAMES[solver]}.`;
  const goal = capture ? `wins ${SIDE_NAMES[OTHER[solver]]}'s whale` : "mates";
  return `${SIDE_NAMES[solver]} ${goal}: ${counted(movesToFind(puzzle, capture), "move")} to find.`;
}

const signed = (number) => (number < 0 ? `−${-number}` : `+${number}`);

export class PuzzleCard {
  #root;
  #store;
  #puzzles;
  #view;
  /** What the card was drawn for: it stays while nothing changes, and the focus with it. */
  #key = "";
  /** The last reply to a wrong move, in words; it stands when the move is taken back. */
  #reply = "";

  /** `view` has `board` and `input`. */
  constructor(root, store, puzzles, view) {
    this.#root = root;
    this.#store = store;
    this.#puzzles = puzzles;
    this.#view = view;
  }

  /** Helps with the move to be found; its piece is taken up first. */
  hint() {
    this.#puzzles.help();
    if (this.#puzzles.now()?.hints !== 1) return;
    const { from, drop } = this.#puzzles.wanted();
    this.#view.input.choose(drop ? { drop } : { from });
  }

  /** Arrows for the board. */
  arrows() {
    const reply = this.#puzzles.refutation();
    if (reply) return [{ ...reply, kind: "threat" }];
    const move = this.#puzzles.arrow();
    return move ? [{ ...move, kind: "hint" }] : [];
  }

  /** What is to be done, or what came of it, in a few words. */
  words() {
    const now = this.#puzzles.now();
    if (!now || now.phase !== "solve") return "";
    return this.#said(now) || task(now.puzzle, now.solver, this.#store.game().capture);
  }

  show() {
    const now = this.#puzzles.now();
    this.#root.hidden = now === null;
    $("#table").classList.toggle("solving", this.#puzzles.solving());
    const said = now && this.#said(now);
    const key = JSON.stringify([now, said]);
    if (key === this.#key) return;
    this.#key = key;
    if (!now) return this.#root.replaceChildren();
    const buttons = now.phase === "solve" ? this.#ways() : this.#waysOn(now);
    const kept = this.#root.contains(document.activeElement) && document.activeElement.id;
    this.#root.replaceChildren(
      el("h2", {}, this.#title(now)),
      el("p", { class: "facts" }, this.#facts(now)),
      el("p", { class: "task" }, task(now.puzzle, now.solver, this.#store.game().capture)),
      el("p", { class: `said ${now.said}`, role: "status" }, said),
      el("div", { class: "buttons" }, buttons),
      this.#progress(now),
    );
    // Drawing it anew must not take the focus from somebody at the keyboard.
    if (kept) ($(`#${kept}`) ?? $("#puzzle .primary")).focus();
  }

  #title({ phase, outcome, first, said }) {
    if (phase === "solved" || said === "rest") return OUTCOMES[outcome];
    return first ? "The puzzle of the day" : "Puzzle";
  }

  #facts({ puzzle, phase }) {
    const themes = phase === "solve" ? [] : puzzle.themes;
    const named = themes.flatMap((theme) => {
      const [name, title = ""] = THEMES[theme] ?? [theme];
      return [" · ", el("span", { class: "theme", title }, name)];
    });
    return [`${this.#store.game().name} · rated ${puzzle.rating}`, ...named];
  }

  /** What came of the last move, or help. */
  #said({ said, hints, phase, gained, solver, refutation }) {
    const rating = gained ? `Your rating: ${signed(gained)}` : "";
    if (phase === "watch") return said === "rest" ? `The rest is played. ${rating}` : "The solution is played.";
    if (phase === "solved" && rating) return rating;
    const move = this.#puzzles.wanted();
    const { board } = this.#view;
    const reply = this.#puzzles.refutation();
    if (reply) this.#reply = t("coach.refuted", { side: named(SIDE_NAMES[OTHER[solver]]), move: board.spoken(reply) });
    else if (said !== "wrong" || !refutation.usi) this.#reply = "";
    if (!move || hints === 0) return this.#reply || (SAID[said] ?? "");
    if (hints > 1) return `Hint: ${board.spoken(move)}.`;
    if (move.drop) return `Hint: drop the ${board.kind(move.drop).name}.`;
    return `Hint: the ${board.kind(board.pieces.get(move.from)).name} on ${board.squareName(move.from)}.`;
  }

  /** What may be done while it is not solved. */
  #ways() {
    return [
      this.#button("puzzle-hint", "Hint", () => this.hint(), "primary"),
      this.#button("puzzle-solution", "Solution", () => this.#puzzles.solution()),
      this.#button("puzzle-next", "Skip", () => this.#puzzles.next()),
    ];
  }

  /** And after that. */
  #waysOn({ phase }) {
    return [
      this.#button("puzzle-next", "Next", () => this.#puzzles.next(), "primary"),
      phase !== "watch" && this.#button("puzzle-watch", "Play it back", () => this.#puzzles.watch()),
      phase !== "look" && this.#button("puzzle-look", "Look at it", () => this.#puzzles.look()),
    ];
  }

  #button(id, label, onclick, kind = "") {
    return el("button", { id, class: kind, onclick }, label);
  }

  #progress({ game }) {
    const { rating, streak, best, done } = this.#puzzles.progress(game);
    const solved = [...done.values()].filter(Boolean).length;
    return el(
      "p",
      { class: "facts progress" },
      el("span", {}, `You: ${rating} · streak ${streak}, best ${best} · ${solved} solved`),
      el("button", { id: "puzzle-choose", class: "quiet", onclick: () => this.#choose(game) }, "Choose puzzles…"),
    );
  }

  #choose(game) {
    openChoice(this.#store.spec.games, this.#store.game(), this.#puzzles);
  }
}
