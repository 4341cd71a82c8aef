// What is seen while no game is open: a card for each game, which stands in the page itself so that it is there before
// anything else (index.html), and one for the game that was shown last.

import { firstGame, newcomer } from "../coach/first.js";
import { openNewGame } from "../dialogs/newgame.js";
import { openTour } from "../dialogs/tour.js";
import { $, el, svg, toast } from "../dom.js";
import { recallCourse } from "../learn/progress.js";
import { named, t } from "../texts.js";
import { HUMANS, lastSettings, remember, request } from "../request.js";
import { toldOf } from "../dialogs/games.js";
import { allowButtons } from "./loading.js";
import { tile } from "./tiles.js";

export class Welcome {
  #root;
  #store;
  /** What stands in the page, for as long as it is not shown. */
  #content;
  /** The card of the game that was shown last. */
  #last = null;

  constructor(root, store, puzzles, lessons) {
    this.#root = root;
    this.#store = store;
    this.#content = [...root.childNodes];
    const { games } = store.spec;
    const acts = {
      play: (variant) => this.#play(variant),
      analyse: (variant) => this.#analyse(variant),
      puzzles: (variant) => puzzles.open(variant),
      learn: (variant) => lessons.open(variant ?? this.#learnt()),
      rules: () => openTour(games, games[0]),
    };
    for (const button of root.querySelectorAll("[data-do]")) {
      const variant = button.closest("[data-game]")?.dataset.game;
      button.addEventListener("click", () => acts[button.dataset.do](variant));
    }
    for (const game of games) this.#place(game);
    allowButtons(root);
    store.on("welcome", () => this.#show());
    store.on("state", () => this.#hide());
    for (const event of ["online", "offline"]) addEventListener(event, () => this.#mark());
  }

  /** Puts the tiles of a game's start on the small board of its card. */
  #place({ id, files, setup, kinds }) {
    const board = this.#root.querySelector(`[data-game="${id}"] .small-board`);
    for (const [square, token] of setup.squares) {
      const black = token === token.toUpperCase();
      const kind = kinds.find((other) => other.token === token.toUpperCase());
      const node = tile(kind, black ? "b" : "w", false);
      const [x, y] = [files - parseInt(square), square.charCodeAt(square.length - 1) - "a".charCodeAt(0)];
      for (const [name, value] of Object.entries({ x: x + 0.05, y: y + 0.03, width: 0.9, height: 0.94 }))
        node.setAttribute(name, value);
      board.append(svg("g", { transform: black ? null : `rotate(180 ${x + 0.5} ${y + 0.5})` }, node));
    }
  }

  #hide() {
    this.#root.hidden = true;
    this.#root.replaceChildren();
    $("#table").hidden = $("#open-editor").hidden = false;
  }

  async #show() {
    const last = await this.#store.lastGame();
    // A game may have been opened meanwhile.
    if (this.#store.state()) return;
    delete document.documentElement.dataset.asked;
    this.#root.replaceChildren(...this.#content);
    this.#last?.remove();
    this.#last = last && this.#lastCard(last);
    if (last) this.#root.querySelector(".welcome-cards").append(this.#last);
    $("#table").hidden = $("#open-editor").hidden = true;
    this.#root.hidden = false;
    this.#teach(last);
    this.#mark();
  }

  /** The game whose course was begun and not ended, or the first. */
  #learnt() {
    const begun = this.#store.spec.games.find(({ id }) => {
      const { stars, steps } = recallCourse(id);
      return stars.size > 0 && stars.size < steps;
    });
    return (begun ?? this.#store.spec.games[0]).id;
  }

  /** Offers lessons: first of all to whoever has played nothing yet or has begun a course, and how far each course is. */
  #teach(last) {
    for (const card of this.#root.querySelectorAll("[data-game]")) {
      const { stars, steps } = recallCourse(card.dataset.game);
      card.querySelector(".learnt")?.remove();
      if (stars.size === 0) continue;
      card
        .querySelector(".facts")
        .append(el("li", { class: "learnt" }, t("learn.known", { done: stars.size, all: steps })));
    }
    const id = this.#learnt();
    const { stars, steps } = recallCourse(id);
    const begun = stars.size > 0 && stars.size < steps;
    const banner = this.#root.querySelector(".welcome-learn");
    banner.hidden = !begun && (stars.size > 0 || Boolean(last));
    const name = named(this.#store.spec.games.find((game) => game.id === id).name);
    banner.querySelector("p").textContent = begun
      ? `${name}: ${t("learn.known", { done: stars.size, all: steps })}`
      : t("learn.banner", { name });
    banner.querySelector("button").textContent = begun ? t("learn.on") : t("learn");
  }

  /** Says of each game whether a network that is not there is needed to play it. */
  async #mark() {
    if (this.#root.hidden) return;
    const lacking = await this.#store.lacking();
    for (const card of this.#root.querySelectorAll("[data-game]")) {
      card.querySelector(".visit")?.remove();
      if (!lacking.includes(card.dataset.game)) continue;
      card.querySelector(".facts").append(el("li", { class: "visit" }, t("welcome.visit")));
    }
  }

  async #play(variant) {
    // Whoever has never played begins with a coach.
    if (newcomer()) return firstGame(this.#store, variant).catch(({ message }) => toast(message, "bad"));
    const usual = lastSettings();
    const settings = {
      ...usual,
      variant,
      // Nobody sits ready for a clock, and whoever wants to play is no onlooker.
      clock: "none",
      opponent: usual.opponent === "engines" ? "engine" : usual.opponent,
    };
    return this.#start(request(settings), () => remember({ ...usual, variant }));
  }

  #analyse(variant) {
    return this.#start({ variant, players: HUMANS, playing: false }, () =>
      this.#store.whenShown(() => this.#store.send({ type: "analysis", on: true, lines: 3 })),
    );
  }

  #lastCard(game) {
    const { title, between, moves, ending, when } = toldOf(this.#store.spec, game);
    const facts = [title, between, moves, ending, when];
    return el(
      "section",
      { class: "card welcome-card last-game", "aria-label": t("welcome.last") },
      el("h3", {}, t("welcome.last")),
      el(
        "ul",
        { class: "facts" },
        facts.map((fact) => el("li", {}, fact)),
      ),
      el(
        "div",
        { class: "buttons" },
        el("button", { class: "primary", onclick: () => this.#store.openGame(game.id) }, t(game.ending ? "welcome.look" : "welcome.go-on")),
        el("button", { onclick: () => openNewGame(this.#store) }, t("end.new")),
      ),
    );
  }

  async #start(wishes, begun) {
    try {
      await this.#store.start(wishes);
      begun();
    } catch (error) {
      toast(error.message, "bad");
    }
  }
}
