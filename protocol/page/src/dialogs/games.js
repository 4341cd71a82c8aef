// The list of saved games, and room for more where there are as many as there can be.

import { download, el, toast } from "../dom.js";
import { icon } from "../icons.js";
import { ago, counted, today } from "../words.js";
import { askFirst, button, buttons, dialog, note, primary } from "./dialog.js";
import { openLoad } from "./load.js";

const NONE = "No games yet. A game is saved with its first move, one with a clock or a start of its own at once.";

/** How many of the oldest finished games are offered to go where there is no room. */
const MANY = 50;

/** What stands in the list for a game. */
const title = (game) => (game.unreadable ? "Unreadable game" : game.variant);
const between = (game) => `${game.players[0]} – ${game.players[1]}`;
const facts = (game) =>
  game.unreadable
    ? [game.unreadable, ago(game.modified)]
    : [between(game), `${counted(game.moves, "move")} · ${game.ending ?? "not finished"} · ${ago(game.modified)}`];

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

/** Opens the list. */
export async function openGames(store) {
  /** Of each game: what stands for it in the list, the box that chooses it unless it is shown, what is searched. */
  let rows = [];
  const list = el("div", { class: "games" }, el("p", {}, "…"));
  const search = el("input", {
    type: "search",
    placeholder: "Search: game, player, ending…",
    "aria-label": "Search in the games",
    oninput: () => show(),
  });
  const all = el("input", { type: "checkbox", onchange: () => choose(all.checked) });
  const several = button("", () => {
    const ids = chosen().map(({ game }) => game.id);
    askFirst(`${counted(ids.length, "game")} will be gone.`, "Delete", () => remove(...ids));
  });
  const tools = el(
    "div",
    { class: "games-tools", hidden: true },
    search,
    el("label", { class: "check" }, all, el("span", {}, "All of these")),
    several,
  );
  const load = button("Load a game or position…", () => (node.close(), openLoad(store)));
  const node = dialog("Games", [tools, list, buttons(load), store.portable && portable(store, () => fill())]);

  const found = () => rows.filter(({ item }) => !item.hidden);
  const chosen = () => found().filter(({ box }) => box?.checked);

  /** Shows the games that are searched for, and what can be done with those chosen. */
  function show() {
    const words = search.value.toLowerCase().split(/\s+/);
    for (const { item, text } of rows) item.hidden = !words.every((word) => text.includes(word));
    const count = chosen().length;
    several.textContent = count ? `Delete ${counted(count, "game")}` : "Delete several";
    several.disabled = count === 0;
    const boxes = found().filter(({ box }) => box);
    all.checked = count > 0 && count === boxes.length;
    all.indeterminate = count > 0 && count < boxes.length;
  }

  function choose(on) {
    for (const { box } of found()) if (box) box.checked = on;
    show();
  }

  async function remove(...ids) {
    await store.remove(...ids).catch((error) => toast(error.message, "bad"));
    await fill();
  }

  const entry = (game) => {
    const lines = [el("b", {}, title(game)), ...facts(game).map((fact, at) => el(at ? "small" : "span", {}, fact))];
    if (game.unreadable) return el("div", { class: "game-text" }, lines);
    return el("button", { class: "game-text", onclick: () => (node.close(), store.openGame(game.id)) }, lines);
  };

  const bin = (game) => {
    const what = game.unreadable
      ? "The unreadable game"
      : `${game.variant}, ${between(game)}, ${counted(game.moves, "move")},`;
    const question = `${what} saved ${ago(game.modified)}, will be gone.`;
    return el(
      "button",
      {
        class: "icon-button",
        "aria-label": "Delete this game",
        title: "Delete",
        onclick: () => askFirst(question, "Delete", () => remove(game.id)),
      },
      icon("bin"),
    );
  };

  const row = (game) => {
    const shown = game.id === store.state()?.id;
    const text = [title(game), ...facts(game)].join(" ").toLowerCase();
    const box = shown ? null : el("input", { type: "checkbox", "aria-label": `Choose: ${text}`, onchange: show });
    const attributes = { class: `game-item${shown ? " now" : ""}`, "data-game": game.id };
    return { game, text, box, item: el("div", attributes, box, entry(game), !shown && bin(game)) };
  };

  async function fill() {
    try {
      const games = await store.games();
      rows = games.map(row);
      list.replaceChildren(...(games.length ? rows.map(({ item }) => item) : [el("p", {}, NONE)]));
      // Few are seen at a glance.
      tools.hidden = games.length < 3;
      show();
    } catch (error) {
      list.replaceChildren(el("p", {}, error.message));
    }
  }
  await fill();
}

/**
 * Offers to delete the oldest finished games, as no more can be saved; `answer` is told whether there is room now.
 * @param {(room: boolean) => void} answer
 */
export async function makeRoom(store, answer) {
  const games = await store.games().catch(() => null);
  if (!games) return answer(false);
  const over = games.filter(({ ending, id }) => ending && id !== store.state()?.id).slice(-MANY);
  let room = false;
  const free = async () => {
    go.disabled = true;
    try {
      await store.remove(...over.map(({ id }) => id));
      room = true;
    } catch (error) {
      toast(error.message, "bad");
      // Of several, some may be gone.
      room = (await store.games().catch(() => games)).length < games.length;
    }
    node.close();
  };
  const oldest = over.length && ago(over[0].modified);
  const go = primary(`Delete the ${counted(over.length, "oldest finished game")}`, free);
  const node = dialog("No room for another game", [
    el("p", {}, `${counted(games.length, "game")} are saved, as many as there can be.`),
    over.length > 0 && note(`The oldest finished ones are those saved ${oldest} and before.`),
    buttons(
      over.length > 0 && go,
      button("Choose among all…", () => (node.close(), openGames(store))),
      button("Cancel", () => node.close()),
    ),
  ]);
  node.addEventListener("close", () => answer(room));
}
