// The card of a game that is over: how it ended, and what may come next.

import { openNewGame } from "../dialogs/newgame.js";
import { el, toast } from "../dom.js";
import { prefs } from "../prefs.js";
import { ended, offered, outcome } from "../streak.js";
import { played } from "../strength.js";
import { lastSettings, remember } from "../request.js";
import { t } from "../texts.js";
import { endingText, engineName, moveNumber, sideName } from "../words.js";

const WINNERS = { "1-0": "b", "0-1": "w" };

/** Who has won, as the person at the board sees it if there is only one. */
function winner({ result }, players) {
  const side = WINNERS[result];
  if (!side) return t("end.draw");
  const people = ["b", "w"].filter((_, index) => players[index].kind === "human");
  if (people.length === 1) return t(side === people[0] ? "end.win" : "end.loss");
  return t("end.wins", { side: sideName(side) });
}

export class Ending {
  #root;
  #store;
  #analysis;
  #coach;
  /** The game with which the coach retired, and the move that was better than one looked at, with its node. */
  #retired = "";
  #better = { node: -1, usi: "" };
  /** What the card was drawn for: it stays while nothing changes, and the focus with it. */
  #key = "";

  constructor(root, store, analysis, coach) {
    this.#root = root;
    this.#store = store;
    this.#analysis = analysis;
    this.#coach = coach;
    store.on("state", ({ state, before }) => {
      const watched = before?.id === state.id && before.playing && !state.playing;
      const end = store.nodes().get(state.tip);
      if (!watched || !end?.ending) return;
      ended(state, end);
      const result = outcome(state, end);
      const elo = result && store.game().levels[result.level - 1]?.elo;
      if (elo) played(state, elo, Number(result.won ?? 0.5));
      if (coach.over(state, end)) this.#retired = state.id;
    });
  }

  show(state) {
    const end = this.#store.nodes().get(state.tip);
    const over = !state.playing && Boolean(end?.ending) && !this.#store.fleeting;
    this.#root.hidden = !over;
    const key = over ? JSON.stringify([state.id, end.ending, state.players, state.analysis !== null, ...this.#seen(state)]) : "";
    if (key === this.#key) return;
    this.#key = key;
    if (!over) return this.#root.replaceChildren();
    const people = state.players.filter(({ kind }) => kind === "human").length;
    const button = (label, onclick, kind = "") => el("button", { class: kind, onclick }, label);
    const content = [
      el("h2", {}, winner(end, state.players)),
      el("p", { class: "why" }, endingText(end.ending)),
      this.#retired === state.id && el("p", { class: "offer" }, t("coach.steps")),
      this.#offer(state),
      this.#moments(state),
      el(
        "div",
        { class: "buttons" },
        button(t("end.rematch"), () => this.#again(state), "primary"),
        people === 1 && button(t("end.colour"), () => this.#again({ ...state, players: [...state.players].reverse() })),
        !state.sweep && !state.moments && button(t("coach.moments"), () => this.#review()),
        state.analysis === null && button(t("end.analyse"), () => this.#analysis.toggle()),
        button(t("end.new"), () => openNewGame(this.#store)),
      ),
    ];
    this.#root.replaceChildren(...content.flat().filter(Boolean));
  }

  /** What is told of a review. */
  #seen({ sweep, moments }) {
    return [sweep, moments, prefs.notation(), this.#retired];
  }

  #review() {
    this.#store.send({ type: "sweep", on: true });
  }

  /** The moves that decided the game, each to be looked at. */
  #moments({ sweep, moments, players }) {
    if (sweep) return el("p", { class: "facts" }, t("coach.looking", { done: sweep[0], all: sweep[1] }));
    if (!moments) return null;
    if (!moments.length) return el("p", { class: "facts" }, t("coach.none"));
    const nodes = this.#store.nodes();
    const person = players.filter(({ kind }) => kind === "human").length === 1;
    const own = person && players[0].kind !== "human" ? "w" : "b";
    return [
      el("h3", {}, t(person ? "coach.yours" : "coach.black")),
      el(
        "ol",
        { class: "moments" },
        moments.map(({ node: id, before, after, better }) => {
          const { parent, text, ply, side } = nodes.get(id);
          const notation = prefs.notation();
          const black = side === "w";
          // Those told are of who moved.
          const told = (chances) => (black === (own === "b") ? chances : 100 - chances);
          const number = `${moveNumber(ply - 1, black)}${black ? "." : "…"}`;
          return el(
            "li",
            {},
            el(
              "button",
              { onclick: () => this.#look(parent, better?.usi) },
              t("coach.moment", { number, move: text[notation], before: told(before), after: told(after) }),
              better && el("small", {}, t("coach.better", { move: better.text[notation] })),
            ),
          );
        }),
      ),
    ];
  }

  /** Shows the position before a move, and what was better there. */
  #look(node, usi = "") {
    this.#better = { node, usi };
    if (this.#store.state().current === node) this.#store.retell();
    else this.#store.goto(node);
  }

  /** The arrow of the move that was better where the board stands. */
  arrows({ current, position, moments }) {
    const { node, usi } = this.#better;
    const move = moments && node === current && position.legal.find((legal) => legal.usi === usi);
    return move ? [{ ...move, kind: "hint" }] : [];
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
      t(stronger ? "end.won-twice" : "end.lost-twice"),
      el("button", { class: "quiet", onclick: take }, t("end.play", { engine: engineName(level, levels) })),
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
