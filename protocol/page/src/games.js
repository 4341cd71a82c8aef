// Saved games, and games and positions as text.

import { api } from "./link.js";
import { askFirst, copy, dialog, download, el, toast } from "./dom.js";

const today = () => {
  const now = new Date();
  const two = (n) => String(n).padStart(2, "0");
  return `${now.getFullYear()}.${two(now.getMonth() + 1)}.${two(now.getDate())}`;
};

function ago(seconds) {
  const gone = Date.now() / 1000 - seconds;
  if (gone < 90) return "just now";
  if (gone < 5400) return `${Math.round(gone / 60)} minutes ago`;
  if (gone < 129600) return `${Math.round(gone / 3600)} hours ago`;
  return new Date(seconds * 1000).toLocaleDateString();
}

/** The list of saved games. */
export async function openGames(app) {
  const list = el("div", { class: "games" }, el("p", {}, "…"));
  const load = el("button", { onclick: () => (node.close(), openLoad(app)) }, "Load a game or position…");
  const node = dialog("Games", [list, el("div", { class: "buttons" }, load)]);
  const remove = async (id) => {
    try {
      await api.remove(id);
      await fill();
    } catch (error) {
      toast(error.message, "bad");
    }
  };
  const item = (game) => {
    const shown = game.id === app.state()?.id;
    const when = ago(game.modified);
    const text = game.unreadable
      ? el("div", { class: "game-text" }, el("b", {}, "Unreadable game"), el("span", {}, game.unreadable), el("small", {}, when))
      : el(
          "button",
          { class: "game-text", onclick: () => (node.close(), app.openGame(game.id)) },
          el("b", {}, game.variant),
          el("span", {}, `${game.players[0]} – ${game.players[1]}`),
          el("small", {}, `${game.moves} moves · ${game.ending ?? "not finished"} · ${when}`),
        );
    const what = game.unreadable ? "The unreadable game" : `${game.variant}, ${game.players[0]} – ${game.players[1]}, ${game.moves} moves,`;
    const bin = el(
      "button",
      {
        class: "icon-button",
        "aria-label": "Delete this game",
        title: "Delete",
        onclick: () => askFirst(`${what} saved ${when}, will be gone.`, "Delete", () => remove(game.id)),
      },
      "🗑",
    );
    return el("div", { class: `game-item${shown ? " now" : ""}`, "data-game": game.id }, text, !shown && bin);
  };
  const fill = async () => {
    let games;
    try {
      games = await api.games();
    } catch (error) {
      list.replaceChildren(el("p", {}, error.message));
      return;
    }
    list.replaceChildren(
      ...(games.length
        ? games.map(item)
        : [el("p", {}, "No games yet. A game is saved with its first move, one with a clock or a start of its own at once.")]),
    );
  };
  await fill();
}

/** Reads a game or position somebody has as text. */
function openLoad(app) {
  const area = el("textarea", { class: "text", rows: 9, spellcheck: "false", "aria-label": "PGN, USI text or SFEN", placeholder: "PGN, “startpos moves …”, “sfen …”, or an SFEN" });
  const file = el("input", {
    type: "file",
    accept: ".pgn,.usi,.txt,text/plain",
    "aria-label": "From a file",
    onchange: async () => {
      if (file.files[0]) area.value = await file.files[0].text();
    },
  });
  const problem = el("p", { class: "problem", role: "alert" });
  const node = dialog("Load", [
    el("p", { class: "note" }, "Text without a game's name is read as the game now on the board, or the one whose board it fits."),
    area,
    file,
    problem,
    el(
      "div",
      { class: "buttons" },
      el(
        "button",
        {
          class: "primary",
          onclick: async () => {
            try {
              await app.start({ variant: app.state()?.variant ?? "whale", text: area.value, players: [{ kind: "human" }, { kind: "human" }] });
              node.close();
            } catch (error) {
              problem.textContent = error.message;
            }
          },
        },
        "Load",
      ),
    ),
  ]);
}

/** Everything that gets a game out of the page. */
export function openShare(app) {
  const state = app.state();
  const save = (format) =>
    app.ask({ type: "export", format, date: today() }, "text", (reply) =>
      download(`${state.variant}-${today().replaceAll(".", "-")}.${format}`, reply.text),
    );
  const copyAs = (format, what) => app.ask({ type: "export", format, date: today() }, "text", (reply) => copy(reply.text, what));
  const link = () => {
    const rules = Object.entries(state.rules).filter(([name, on]) => on !== (name === "repetition")).map(([name]) => name);
    const parts = { v: state.variant, sfen: state.position.sfen, ...(rules.length ? { rules: rules.join("+") } : {}) };
    return `${location.origin}${location.pathname}#${new URLSearchParams(parts)}`;
  };
  const row = (title, ...buttons) => el("div", { class: "share-row" }, el("span", {}, title), el("div", { class: "buttons" }, buttons));
  const button = (text, onclick) => el("button", { onclick }, text);
  const node = dialog("Copy, save, load", [
    row("Position", button("Copy SFEN", () => copy(state.position.sfen, "SFEN")), button("Copy link", () => copy(link(), "Link"))),
    row("Game as PGN", button("Copy", () => copyAs("pgn", "PGN")), button("Save", () => save("pgn"))),
    row("Game as USI text", button("Copy", () => copyAs("usi", "USI text")), button("Save", () => save("usi"))),
    row("Other games", button("Load…", () => (node.close(), openLoad(app))), button("Saved games…", () => (node.close(), openGames(app)))),
    el("p", { class: "sfen" }, state.position.sfen),
  ]);
}

/** A game asked for by the address of the page: `#v=whale&sfen=…`. */
export function fromAddress() {
  const parts = new URLSearchParams(location.hash.slice(1));
  const game = parts.get("game");
  if (game && /^[0-9a-f]{24}$/.test(game)) return { game };
  const variant = parts.get("v");
  if (!variant) return {};
  const rules = { retreat_two: false, retreat_file_limit: false, impasse: false, repetition: true };
  for (const name of (parts.get("rules") ?? "").split("+")) if (name in rules) rules[name] = name !== "repetition";
  return { position: { variant, sfen: parts.get("sfen"), rules, players: [{ kind: "human" }, { kind: "human" }] } };
}
