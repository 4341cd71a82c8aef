// What is seen while no game is open: a card for each game, with its puzzles, and one for the game that was shown last.

import { openNewGame } from "../dialogs/newgame.js";
import { openTour } from "../dialogs/tour.js";
import { $, el, svg, toast } from "../dom.js";
import { HUMANS, lastSettings, remember, request } from "../wishes.js";
import { ago, counted } from "../words.js";
import { family } from "./tiles.js";

/** Moves that a game takes for each piece on the board at its start, and seconds that a person takes for a move. */
const MOVES_A_PIECE = 2.6;
const SECONDS_A_MOVE = 10;

/** How long a game takes about, in minutes: five, ten, fifteen… */
const minutes = (pieces) => Math.max(1, Math.round((pieces * MOVES_A_PIECE * SECONDS_A_MOVE) / 300)) * 5;

/** What is to be known of a game before the first one. */
function facts({ files, ranks, kinds, setup }) {
  const pieces = setup.squares.length;
  const begun = new Set(setup.squares.map(([, token]) => token.toUpperCase())).size;
  return [
    `${files}×${ranks} squares`,
    `${pieces / 2} pieces a side, of ${begun} kinds`,
    kinds.some(({ promoted }) => promoted) && "most of them promote",
    `about ${minutes(pieces)} minutes`,
  ].filter(Boolean);
}

/** The board of a game as it stands at the start, small. */
function picture({ files, ranks, kinds, squares, setup }) {
  const places = new Map(squares.map(([name], index) => [name, [index % files, Math.floor(index / files)]]));
  const lines = [
    ...Array.from({ length: files - 1 }, (_, index) => `M${index + 1} 0V${ranks}`),
    ...Array.from({ length: ranks - 1 }, (_, index) => `M0 ${index + 1}H${files}`),
  ];
  const piece = ([name, token]) => {
    const [x, y] = places.get(name);
    const upper = token.toUpperCase();
    const turn = token === upper ? "" : " rotate(180 .5 .5)";
    const kind = kinds.find(({ token: other }) => other === upper);
    return svg(
      "g",
      { transform: `translate(${x} ${y})${turn}`, class: `f-${family(kind)}` },
      svg("path", { d: "M.5.08.78.2.88.92H.12L.22.2Z", class: "small-tile" }),
      svg("circle", { cx: 0.5, cy: 0.56, r: 0.17, class: "small-whale" }),
    );
  };
  return svg(
    "svg",
    { viewBox: `0 0 ${files} ${ranks}`, class: "small-board", "aria-hidden": "true" },
    svg("rect", { width: files, height: ranks, class: "small-sea" }),
    svg("path", { d: lines.join(""), class: "small-lines" }),
    setup.squares.map(piece),
  );
}

export class Welcome {
  #root;
  #store;
  #puzzles;

  constructor(root, store, puzzles) {
    this.#root = root;
    this.#store = store;
    this.#puzzles = puzzles;
    store.on("welcome", () => this.#show());
    store.on("state", () => this.#hide());
    for (const event of ["online", "offline"]) addEventListener(event, () => this.#mark());
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
    const { games } = this.#store.spec;
    this.#root.replaceChildren(
      el("h2", { class: "welcome-title" }, "Three games of the whale shogi family"),
      el(
        "div",
        { class: "welcome-cards" },
        games.map((game) => this.#card(game)),
        last && this.#lastCard(last),
      ),
      el(
        "p",
        { class: "welcome-more" },
        "Captured pieces come back on the side of their captor. New to the games? ",
        el("button", { class: "quiet", onclick: () => openTour(games, games[0]) }, "The rules in a few pages"),
      ),
    );
    $("#table").hidden = $("#open-editor").hidden = true;
    this.#root.hidden = false;
    this.#mark();
  }

  /** Says of each game whether a network that is not there is needed to play it. */
  async #mark() {
    if (this.#root.hidden) return;
    const lacking = await this.#store.lacking();
    for (const card of this.#root.querySelectorAll("[data-game]")) {
      card.querySelector(".visit")?.remove();
      if (!lacking.includes(card.dataset.game)) continue;
      card.querySelector(".facts").append(el("li", { class: "visit" }, "the engine needs one visit online"));
    }
  }

  #card(game) {
    const usual = lastSettings();
    const settings = {
      ...usual,
      variant: game.id,
      // Nobody sits ready for a clock, and whoever wants to play is no onlooker.
      clock: "none",
      opponent: usual.opponent === "engines" ? "engine" : usual.opponent,
    };
    const play = () => this.#start(request(settings), () => remember({ ...usual, variant: game.id }));
    const analyse = () =>
      this.#start({ variant: game.id, players: HUMANS, playing: false }, () =>
        this.#store.whenShown(() => this.#store.send({ type: "analysis", on: true, lines: 3 })),
      );
    return el(
      "section",
      { class: "card welcome-card", "data-game": game.id, "aria-label": game.name },
      picture(game),
      el("h3", {}, game.name),
      el(
        "ul",
        { class: "facts" },
        facts(game).map((fact) => el("li", {}, fact)),
      ),
      el(
        "div",
        { class: "buttons" },
        el("button", { class: "primary", onclick: play }, "Play"),
        el("button", { onclick: analyse }, "Analyse"),
        el("button", { onclick: () => this.#puzzles.open(game.id) }, "Puzzles"),
      ),
    );
  }

  #lastCard({ id, variant, players, moves, ending, modified }) {
    return el(
      "section",
      { class: "card welcome-card last-game", "aria-label": "The last game" },
      el("h3", {}, "The last game"),
      el(
        "ul",
        { class: "facts" },
        [variant, players.join(" – "), counted(moves, "move"), ending, ago(modified)]
          .filter(Boolean)
          .map((fact) => el("li", {}, fact)),
      ),
      el(
        "div",
        { class: "buttons" },
        el("button", { class: "primary", onclick: () => this.#store.openGame(id) }, ending ? "Look at it" : "Go on"),
        el("button", { onclick: () => openNewGame(this.#store) }, "New game…"),
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
