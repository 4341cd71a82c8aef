// The card of a puzzle: what is to be found, what came of the last move, help, and what may come next.

import { openChoice } from "../dialogs/puzzles.js";
import { $, el } from "../dom.js";
import { movesToFind } from "../puzzles/choice.js";
import { has, named, t } from "../texts.js";
import { counted, sideName, themeName } from "../words.js";

const OTHER = { b: "w", w: "b" };

/** What is to be found. */
export function task(puzzle, solver, capture) {
  const side = sideName(solver);
  if (puzzle.kind === "best") return t("puzzle.best", { side });
  const moves = counted(movesToFind(puzzle, capture), "move");
  return t(capture ? "puzzle.wins" : "puzzle.mates", { side, other: sideName(OTHER[solver]), moves });
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
    if (phase === "solved" || said === "rest") return t(`puzzle.${outcome}`);
    return t(first ? "puzzle.daily" : "puzzle.title");
  }

  #facts({ puzzle, phase }) {
    const themes = phase === "solve" ? [] : puzzle.themes;
    const about = themes.flatMap((theme) => {
      const title = has(`theme.${theme}.what`) && t(`theme.${theme}.what`);
      return [" · ", el("span", { class: "theme", title }, themeName(theme))];
    });
    return [`${named(this.#store.game().name)} · ${t("puzzle.rated", { rating: puzzle.rating })}`, ...about];
  }

  /** What came of the last move, or help. */
  #said({ said, hints, phase, gained, solver, refutation }) {
    const rating = gained ? t("puzzle.gained", { gained: signed(gained) }) : "";
    if (phase === "watch") return said === "rest" ? t("puzzle.rest", { gained: rating }) : t("puzzle.plays");
    if (phase === "solved" && rating) return rating;
    const move = this.#puzzles.wanted();
    const { board } = this.#view;
    const reply = this.#puzzles.refutation();
    if (reply) this.#reply = t("coach.refuted", { side: sideName(OTHER[solver]), move: board.spoken(reply) });
    else if (said !== "wrong" || !refutation.usi) this.#reply = "";
    if (!move || hints === 0) return this.#reply || (said ? t(`puzzle.${said}`) : "");
    if (hints > 1) return t("puzzle.hint", { move: board.spoken(move) });
    if (move.drop) return t("puzzle.hint-drop", { kind: board.name(move.drop) });
    const kind = board.name(board.pieces.get(move.from));
    return t("puzzle.hint-piece", { kind, square: board.squareName(move.from) });
  }

  /** What may be done while it is not solved. */
  #ways() {
    return [
      this.#button("puzzle-hint", t("puzzle.help"), () => this.hint(), "primary"),
      this.#button("puzzle-solution", t("puzzle.solution"), () => this.#puzzles.solution()),
      this.#button("puzzle-next", t("puzzle.skip"), () => this.#puzzles.next()),
    ];
  }

  /** And after that. */
  #waysOn({ phase }) {
    return [
      this.#button("puzzle-next", t("puzzle.next"), () => this.#puzzles.next(), "primary"),
      phase !== "watch" && this.#button("puzzle-watch", t("puzzle.watch"), () => this.#puzzles.watch()),
      phase !== "look" && this.#button("puzzle-look", t("puzzle.look"), () => this.#puzzles.look()),
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
      el("span", {}, t("puzzle.progress", { rating, streak, best, solved })),
      el("button", { id: "puzzle-choose", class: "quiet", onclick: () => this.#choose(game) }, t("puzzle.choose")),
    );
  }

  #choose(game) {
    openChoice(this.#store.spec.games, this.#store.game(), this.#puzzles);
  }
}
