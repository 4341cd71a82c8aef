// The card of a game that is over: how it ended, and what may come next.

import { openNewGame } from "../dialogs/newgame.js";
import { el, toast } from "../dom.js";
import { ended, offered, outcome } from "../streak.js";
import { played } from "../strength.js";
import { lastSettings, remember } from "../request.js";
import { SIDE_NAMES, engineName } from "../words.js";

const WINNERS = { "1-0": "b", "0-1": "w" };

/** Who has won, as the person at the board sees it if there is only one. */
function winner({ result }, players) {
  const side = WINNERS[result];
  if (!side) return "Draw";
  const people = ["b", "w"].filter((_, index) => players[index].kind === "human");
  if (people.length === 1) return side === people[0] ? "You win" : "You lose";
  return `${SIDE_NAMES[side]} wins`;
}

export class Ending {
  #root;
  #store;
  #analysis;
  /** What the card was drawn for: it stays while nothing changes, and the focus with it. */
  #key = "";

  constructor(root, store, analysis) {
    this.#root = root;
    this.#store = store;
    this.#analysis = analysis;
    store.on("state", ({ state, before }) => {
      const watched = before?.id === state.id && before.playing && !state.playing;
      const end = store.nodes().get(state.tip);
      if (!watched || !end?.ending) return;
      ended(state, end);
      const result = outcome(state, end);
      const elo = result && store.game().levels[result.level - 1]?.elo;
      if (elo) played(state, elo, Number(result.won ?? 0.5));
    });
  }

  show(state) {
    const end = this.#store.nodes().get(state.tip);
    const over = !state.playing && Boolean(end?.ending) && !this.#store.fleeting;
    this.#root.hidden = !over;
    const key = over ? JSON.stringify([state.id, end.ending, state.players, state.analysis !== null]) : "";
    if (key === this.#key) return;
    this.#key = key;
    if (!over) return this.#root.replaceChildren();
    const people = state.players.filter(({ kind }) => kind === "human").length;
    const button = (label, onclick, kind = "") => el("button", { class: kind, onclick }, label);
    const content = [
      el("h2", {}, winner(end, state.players)),
      el("p", { class: "why" }, end.ending),
      this.#offer(state),
      el(
        "div",
        { class: "buttons" },
        button("Rematch", () => this.#again(state), "primary"),
        people === 1 && button("Other colour", () => this.#again({ ...state, players: [...state.players].reverse() })),
        state.analysis === null && button("Analyse", () => this.#analysis.toggle()),
        button("New game…", () => openNewGame(this.#store)),
      ),
    ];
    this.#root.replaceChildren(...content.filter((node) => node !== null));
  }

  /** After two games of one outcome: another level. */
  #offer(state) {
    const { levels } = this.#store.game();
    const level = offered(state, levels.length);
    if (level === null) return null;
    const stronger = state.players.some((player) => player.kind === "engine" && player.level < level);
    const players = state.players.map((player) => (player.kind === "engine" ? { ...player, level } : player));
    const take = () => {
      remember({ ...lastSettings(), variant: state.variant, level });
      this.#again({ ...state, players });
    };
    return el(
      "p",
      { class: "offer" },
      `Two ${stronger ? "wins" : "losses"} in a row: `,
      el("button", { class: "quiet", onclick: take }, `play ${engineName(level, levels)}`),
    );
  }

  /** Begins the same game again, from the same start, with those players. */
  #again({ variant, handicap, rules, players, time }) {
    this.#store.ask({ type: "export", format: "usi", date: "" }, "text", async ({ text }) => {
      const [, sfen = null] = /^sfen (.*?)(?: moves .*)?$/m.exec(text) ?? [];
      const start = handicap ? { handicap } : { sfen };
      try {
        await this.#store.start({ variant, ...start, rules, time, players });
      } catch (error) {
        toast(error.message, "bad");
      }
    });
  }
}
