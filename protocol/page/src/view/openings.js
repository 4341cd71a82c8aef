// The card of openings: what is known of the moves of the position shown; a click plays one.

import { pawnText, scoreText } from "../chances.js";
import { el } from "../dom.js";
import { Openings } from "../openings/book.js";
import { prefs } from "../prefs.js";
import { named, t, told } from "../texts.js";
import { countText, counted, sideName } from "../words.js";
import { scoresShown } from "./scores.js";

/** Moves that are shown at first. */
const FIRST = 12;

/** Whether a game is under the rules of the book. */
const usual = ({ rules }) => rules.repetition && !rules.retreat_two && !rules.retreat_file_limit && !rules.impasse;

/** How games went, as shares of a bar. */
function results([black, draws, white]) {
  const all = black + draws + white;
  const percent = (games) => `${Math.round((games / all) * 100)} %`;
  const shares = [
    t("openings.won", { side: sideName("b"), percent: percent(black) }),
    t("openings.drawn", { percent: percent(draws) }),
    t("openings.won", { side: sideName("w"), percent: percent(white) }),
  ];
  const text = t("openings.told", { games: counted(all, "game"), shares: shares.join(t("list.comma")) });
  const part = (kind, games) => {
    const node = el("i", { class: kind });
    node.style.flexGrow = String(games);
    return node;
  };
  return el(
    "span",
    { class: "results", role: "img", "aria-label": text, title: text },
    part("black", black),
    part("drawn", draws),
    part("white", white),
  );
}

export class OpeningsCard {
  #store;
  #board;
  /**
   * By games; null: being fetched, false: refused.
   * @type {Map<string, Openings | null | false>}
   */
  #files = new Map();
  #switch;
  #body;
  /** What the table was drawn for: it stays while nothing changes, and the focus with it. */
  #key = "";
  /** The game and node of which all moves are shown. */
  #whole = "";

  constructor(root, store, board) {
    this.#store = store;
    this.#board = board;
    this.#switch = el(
      "button",
      { class: "switch", role: "switch", "aria-controls": "openings-body", onclick: () => this.toggle() },
      el("i"),
      t("openings"),
    );
    this.#body = el("div", { id: "openings-body" });
    root.append(this.#switch, this.#body);
    this.#body.addEventListener("click", (event) => {
      const row = event.target.closest("[data-usi]");
      if (row && !row.querySelector("button").disabled) this.#play(row.dataset.usi);
    });
  }

  /** Opens or closes it. */
  toggle() {
    const open = !prefs.get("openings");
    // What could not be had may be there now.
    if (open) for (const [game, file] of this.#files) if (file === false) this.#files.delete(game);
    prefs.set("openings", open);
  }

  show(state) {
    const open = prefs.get("openings");
    this.#switch.setAttribute("aria-checked", open);
    this.#body.hidden = !open;
    if (!open) return;
    const file = this.#file();
    const hidden = !scoresShown(state);
    const way = this.#way(state);
    const moves = file && usual(state) && !hidden ? file.moves(state.position) : [];
    const name = file && !hidden ? file.name(state.position.sfen, way) : "";
    const said = moves.length > 0 ? "" : this.#said(state, file, hidden);
    const place = `${state.id} ${state.current}`;
    const shown = this.#whole === place ? moves : moves.slice(0, FIRST);
    const ways = [prefs.notation(), prefs.get("scores")];
    const key = JSON.stringify([place, ...ways, state.movable, moves.length, shown, name, said]);
    if (key === this.#key) return;
    this.#key = key;
    const focused = this.#body.contains(document.activeElement);
    this.#body.replaceChildren(
      ...[
        name && el("p", { class: "opening-name" }, named(name)),
        said && el("p", { class: "facts" }, said),
        moves.length > 0 && this.#table(shown, state),
        shown.length < moves.length && this.#more(moves.length, place),
      ].filter(Boolean),
    );
    // Whoever plays moves by the keyboard goes on with it.
    if (focused) (this.#body.querySelector("button:enabled") ?? this.#switch).focus();
  }

  /** Why there is no table. */
  #said(state, file, hidden) {
    if (hidden) return t("openings.hidden");
    if (file === null) return "";
    if (!file) return t("openings.none");
    if (!usual(state)) return t("openings.rules");
    return t(this.#store.nodes().get(state.current).ending ? "openings.over" : "openings.out");
  }

  /** The openings of the game shown, once they are there. */
  #file() {
    const game = this.#store.game();
    if (this.#files.has(game.id)) return this.#files.get(game.id);
    this.#files.set(game.id, null);
    this.#load(game);
    return null;
  }

  async #load(game) {
    try {
      this.#files.set(game.id, new Openings(await this.#store.openings(game.id), game));
    } catch (error) {
      this.#files.set(game.id, false);
      this.#store.complain(t("openings.refused", { why: told(error.message) }));
    }
    const state = this.#store.state();
    if (state) this.show(state);
  }

  /** The moves to the position shown, if the game began as usual. */
  #way({ start }) {
    if (start !== this.#store.game().start) return null;
    return this.#store.line().slice(1, this.#store.at() + 1).map(({ usi }) => usi);
  }

  #more(all, place) {
    const act = () => {
      this.#whole = place;
      this.show(this.#store.state());
    };
    return el("button", { class: "quiet", onclick: act }, t("openings.all", { all }));
  }

  #table(moves, { movable, position }) {
    const legal = new Map(position.legal.map((move) => [move.usi, move]));
    const rows = moves.map((move) => this.#row(move, this.#board.spoken(legal.get(move.usi)), movable));
    const head = ["move", "score", "depth", "games", "results"];
    return el(
      "table",
      { "aria-label": t("openings.name") },
      el("thead", {}, el("tr", {}, head.map((name) => el("th", { scope: "col" }, t(`openings.${name}`))))),
      el("tbody", {}, rows),
    );
  }

  #row({ usi, text, score, depth, games }, spoken, movable) {
    const plus = score && (score.cp >= 0 || score.mate > 0);
    const written = text[prefs.notation()];
    const variant = this.#store.game().id;
    const told = { class: `score ${plus ? "plus" : "minus"}`, title: score && pawnText(score) };
    return el(
      "tr",
      { "data-usi": usi },
      el("td", {}, el("button", { disabled: !movable, "aria-label": `${written}, ${spoken}` }, written)),
      el("td", {}, score && el("span", told, scoreText(score, variant))),
      el("td", {}, score && String(depth)),
      el("td", {}, games && countText(games[0] + games[1] + games[2])),
      el("td", {}, games && results(games)),
    );
  }

  /** Plays a move as the board would. */
  #play(usi) {
    const { current, movable } = this.#store.state();
    if (movable) this.#store.send({ type: "play", at: current, usi });
  }
}
