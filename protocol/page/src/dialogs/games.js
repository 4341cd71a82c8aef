// The list of saved games.

import { el, toast } from "../dom.js";
import { ago } from "../words.js";
import { askFirst, button, buttons, dialog } from "./dialog.js";
import { openLoad } from "./load.js";

const NONE = "No games yet. A game is saved with its first move, one with a clock or a start of its own at once.";

/** What stands in the list for a game. */
const title = (game) => (game.unreadable ? "Unreadable game" : game.variant);
const between = (game) => `${game.players[0]} – ${game.players[1]}`;

export async function openGames(store) {
  const list = el("div", { class: "games" }, el("p", {}, "…"));
  const load = button("Load a game or position…", () => (node.close(), openLoad(store)));
  const node = dialog("Games", [list, buttons(load)]);

  const remove = async (id) => {
    try {
      await store.remove(id);
      await fill();
    } catch (error) {
      toast(error.message, "bad");
    }
  };

  const text = (game, when) => {
    const lines = (facts, last) => [el("b", {}, title(game)), el("span", {}, facts), el("small", {}, last)];
    if (game.unreadable) return el("div", { class: "game-text" }, lines(game.unreadable, when));
    return el(
      "button",
      { class: "game-text", onclick: () => (node.close(), store.openGame(game.id)) },
      lines(between(game), `${game.moves} moves · ${game.ending ?? "not finished"} · ${when}`),
    );
  };

  const bin = (game, when) => {
    const what = game.unreadable ? "The unreadable game" : `${game.variant}, ${between(game)}, ${game.moves} moves,`;
    return el(
      "button",
      {
        class: "icon-button",
        "aria-label": "Delete this game",
        title: "Delete",
        onclick: () => askFirst(`${what} saved ${when}, will be gone.`, "Delete", () => remove(game.id)),
      },
      "🗑",
    );
  };

  const item = (game) => {
    const shown = game.id === store.state()?.id;
    const when = ago(game.modified);
    const attributes = { class: `game-item${shown ? " now" : ""}`, "data-game": game.id };
    return el("div", attributes, text(game, when), !shown && bin(game, when));
  };

  const fill = async () => {
    try {
      const games = await store.games();
      list.replaceChildren(...(games.length ? games.map(item) : [el("p", {}, NONE)]));
    } catch (error) {
      list.replaceChildren(el("p", {}, error.message));
    }
  };
  await fill();
}
