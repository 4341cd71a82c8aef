// The card of a lesson: what is to be done, what came of the last move, and what may come next.

import { openCourse } from "../dialogs/course.js";
import { $, el } from "../dom.js";
import { stars, taskOf, titleOf } from "../learn/words.js";
import { t } from "../texts.js";
import { diagram } from "./help.js";

export class LessonCard {
  #root;
  #store;
  #lessons;
  #view;
  /** What the card was drawn for: it stays while nothing changes, and the focus with it. */
  #key = "";

  /** `view` has `input`. */
  constructor(root, store, lessons, view) {
    this.#root = root;
    this.#store = store;
    this.#lessons = lessons;
    this.#view = view;
  }

  /** Arrows for the board. */
  arrows() {
    const move = this.#lessons.arrow();
    return move ? [{ ...move, kind: "hint" }] : [];
  }

  /** The marked squares that are left. */
  marks() {
    return this.#lessons.now()?.left ?? [];
  }

  show() {
    const now = this.#lessons.now();
    this.#root.hidden = now === null;
    $("#table").classList.toggle("learning", now !== null);
    $("#table").classList.toggle("handless", now !== null && !this.#hasHands());
    $("#table").classList.toggle("both", now?.step.task === "battle" || now?.phase === "look");
    const key = now ? JSON.stringify([now.id, now.phase, now.said, now.used, now.hint]) : "";
    if (key === this.#key) return;
    this.#key = key;
    if (!now) return this.#root.replaceChildren();
    const game = this.#store.game();
    const { step, steps, number } = now;
    const kept = this.#root.contains(document.activeElement) && document.activeElement.id;
    this.#root.dataset.phase = now.phase;
    this.#root.replaceChildren(
      el(
        "div",
        { class: "lesson-head" },
        el("h2", {}, titleOf(game, step)),
        now.phase === "done" ? stars(now.stars) : false,
        el("span", { class: "lesson-count" }, t("learn.step", { at: number, all: steps.length })),
      ),
      el(
        "div",
        { class: "lesson-body" },
        this.#pictures(game, step),
        el("p", { class: "task" }, now.phase === "look" ? t("learn.free") : taskOf(game, step)),
      ),
      el("p", { class: `said ${this.#tone(now)}`, role: "status" }, this.#said(now)),
      el("div", { class: "buttons" }, this.#buttons(now)),
    );
    // Drawing it anew must not take the focus from somebody at the keyboard.
    if (kept || now.phase === "done")
      ($(`#${kept || "lesson-next"}`) ?? $("#lesson .primary"))?.focus({ preventScroll: true });
  }

  /** Whether a piece can come to be in hand in a lesson: there must be room for it then. */
  #hasHands() {
    const { hands, squares } = this.#store.state().position;
    return hands.some((hand) => hand.length > 0) || squares.some(([, token]) => this.#isCaptured(token));
  }

  /** Whether a piece is one of the other side's that goes to hand when it is captured. */
  #isCaptured(token) {
    const kind = this.#store.game().kinds.find((kind) => kind.token === token.toUpperCase());
    return token === token.toLowerCase() && Boolean(kind.in_hand);
  }

  #pictures(game, { kinds }) {
    const list = kinds.map((token) => game.kinds.find((kind) => kind.token === token));
    const views = list.flatMap((kind) => kind.diagrams.map((view) => [kind, view])).slice(0, 2);
    return el(
      "div",
      { class: "lesson-pictures" },
      views.map(([kind, view]) => diagram(kind, view)),
    );
  }

  /** Goes to the full board, with the piece taken up. */
  async #look() {
    const from = this.#lessons.home();
    await this.#lessons.look();
    this.#store.whenShown(() => this.#view.input.choose({ from }));
  }

  #tone({ phase, said }) {
    if (phase === "done") return "right";
    return said || phase === "lost" ? "wrong" : "";
  }

  #said({ phase, said, used, step }) {
    if (phase === "done") {
      const counts = ["reach", "capture", "battle"].includes(step.task);
      return [t("said.done"), counts ? t("learn.fewest", { moves: step.moves, used }) : ""].join(t("list.space"));
    }
    if (phase === "lost") return t("said.lost");
    if (phase === "watch") return t("said.watch");
    return said ? t(`said.${said}`) : "";
  }

  #buttons({ phase, step, used, game, steps, number }) {
    if (phase === "look") return [button("lesson-back", t("learn.back"), () => this.#lessons.again(), "primary")];
    const done = phase === "done";
    const teaches = ["reach", "capture"].includes(step.task) && this.#lessons.home();
    const last = number === steps.length;
    const lessons = this.#lessons;
    return [
      step.task === "game" && button("lesson-play", t("learn.play"), () => lessons.play(), "primary"),
      done && button("lesson-next", t(last ? "learn.close" : "learn.next"), () => lessons.next(), "primary"),
      phase === "do" && step.line.length > 0 && button("lesson-hint", t("learn.hint"), () => lessons.help()),
      (used > 0 || done) && step.task !== "game" && button("lesson-again", t("learn.again"), () => lessons.again()),
      teaches && button("lesson-real", t("learn.real"), () => this.#look(), "quiet"),
      button("lesson-all", t("learn.all"), () => openCourse(this.#store.spec.games, game, lessons), "quiet"),
      !done && step.task !== "game" && button("lesson-next", t("learn.next"), () => lessons.next(), "quiet"),
    ].filter(Boolean);
  }
}

const button = (id, label, onclick, kind = "") => el("button", { id, class: kind, onclick }, label);
