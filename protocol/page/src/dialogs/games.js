// The list of saved games.

import { download, el, toast } from "../dom.js";
import { icon } from "../icons.js";
import { ago, counted, today } from "../words.js";
import { askFirst, button, buttons, dialog, note } from "./dialog.js";
import { openLoad } from "./load.js";

const NONE = "No games yet. A game is saved with its first move, one with a clock or a start of its own at once.";

/** What stands in the list for a game. */
const title = (game) => (game.unreadable ? "Unreadable game" : game.variant);
const between = (game) => `${game.players[0]} – ${game.players[1]}`;

/** All games to a file and back, where they are kept in the browser alone; `changed` is called when some came in. */
function portable(store, changed) {
  const told = (act) => act().catch((error) => toast(error.message, "bad"));
  const save = async () => download(`kujira-games-${today().replaceAll(".", "-")}.json`, await store.exportGames());
  const take = async () => {
    const [chosen] = file.files;
    if (!chosen) return;
    const { added, known } = await store.importGames(await chosen.text());
    toast(`${counted(added, "game")} taken in${known ? `, ${known} were here already` : ""}`);
    await changed();
  };
  const file = el("input", {
    type: "file",
    accept: ".json,application/json",
    hidden: true,
    onchange: () => told(take).finally(() => (file.value = "")),
  });
  return el(
    "div",
    {},
    note("Games are kept in this browser alone, which may forget them: save them to a file now and then."),
    buttons(
      button("Save all to a file", () => told(save)),
      button("Take in such a file…", () => file.click()),
    ),
    file,
  );
}

export async function openGames(store) {
  const list = el("div", { class: "games" }, el("p", {}, "…"));
  const load = button("Load a game or position…", () => (node.close(), openLoad(store)));
  const node = dialog("Games", [list, buttons(load), store.portable && portable(store, () => fill())]);

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
      lines(between(game), `${counted(game.moves, "move")} · ${game.ending ?? "not finished"} · ${when}`),
    );
  };

  const bin = (game, when) => {
    const what = game.unreadable ? "The unreadable game" : `${game.variant}, ${between(game)}, ${counted(game.moves, "move")},`;
    return el(
      "button",
      {
        class: "icon-button",
        "aria-label": "Delete this game",
        title: "Delete",
        onclick: () => askFirst(`${what} saved ${when}, will be gone.`, "Delete", () => remove(game.id)),
      },
      icon("bin"),
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
