// The list of saved games, and room for more where there are as many as there can be.

import { download, el, toast } from "../dom.js";
import { icon } from "../icons.js";
import { named, t, told } from "../texts.js";
import { ago, counted, endingText, playerName, today } from "../words.js";
import { askFirst, button, buttons, dialog, note, primary } from "./dialog.js";
import { openLoad } from "./load.js";

/** How many of the oldest finished games are offered to go where there is no room. */
const MANY = 50;

/** What a list tells of a saved game: what it is, who plays, how many moves there are, how it ended, when it was saved. */
export function toldOf({ games }, game) {
  const when = ago(game.modified);
  if (game.unreadable !== undefined) return { title: t("games.unreadable"), facts: [told(game.unreadable), when], when };
  // A game that this page does not know leaves the others their places in the list.
  const { name, levels } = games.find(({ id }) => id === game.variant) ?? { name: game.variant, levels: [] };
  const between = game.players.map((player) => playerName(player, levels)).join(" – ");
  const moves = counted(game.moves, "move");
  const ending = game.ending ? endingText(game.ending) : t("games.open");
  return { title: named(name), facts: [between, `${moves} · ${ending} · ${when}`], between, moves, ending, when };
}

/** All games to a file and back, where they are kept in the browser alone; `changed` is called when some came in. */
function portable(store, changed) {
  const told = (act) => act().catch((error) => toast(error.message, "bad"));
  const save = async () => download(`kujira-games-${today().replaceAll(".", "-")}.json`, await store.exportGames());
  const take = async () => {
    const [chosen] = file.files;
    if (!chosen) return;
    const { added, known } = await store.importGames(await chosen.text());
    toast(t(known ? "games.known" : "games.taken", { added: counted(added, "game"), known }));
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
    note(t("games.note")),
    buttons(
      button(t("games.save"), () => told(save)),
      button(t("games.take"), () => file.click()),
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
    placeholder: t("games.search"),
    "aria-label": t("games.search.name"),
    oninput: () => show(),
  });
  const all = el("input", { type: "checkbox", onchange: () => choose(all.checked) });
  const several = button("", () => {
    const ids = chosen().map(({ game }) => game.id);
    askFirst(t("games.gone", { games: counted(ids.length, "game") }), t("delete"), () => remove(...ids));
  });
  const tools = el(
    "div",
    { class: "games-tools", hidden: true },
    search,
    el("label", { class: "check" }, all, el("span", {}, t("games.all"))),
    several,
  );
  const load = button(t("games.load"), () => (node.close(), openLoad(store)));
  const node = dialog(t("games.title"), [tools, list, buttons(load), store.portable && portable(store, () => fill())]);

  const found = () => rows.filter(({ item }) => !item.hidden);
  const chosen = () => found().filter(({ box }) => box?.checked);

  /** Shows the games that are searched for, and what can be done with those chosen. */
  function show() {
    const words = search.value.toLowerCase().split(/\s+/);
    for (const { item, text } of rows) item.hidden = !words.every((word) => text.includes(word));
    const count = chosen().length;
    several.textContent = count ? t("games.delete", { games: counted(count, "game") }) : t("games.several");
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
    const { title, facts } = toldOf(store.spec, game);
    const lines = [el("b", {}, title), ...facts.map((fact, at) => el(at ? "small" : "span", {}, fact))];
    if (game.unreadable) return el("div", { class: "game-text" }, lines);
    return el("button", { class: "game-text", onclick: () => (node.close(), store.openGame(game.id)) }, lines);
  };

  const bin = (game) => {
    const { title, between, moves, when } = toldOf(store.spec, game);
    const what = game.unreadable ? "games.bad-gone" : "games.one-gone";
    const question = t(what, { game: title, players: between, moves, ago: when });
    return el(
      "button",
      {
        class: "icon-button",
        "aria-label": t("games.delete-one"),
        title: t("delete"),
        onclick: () => askFirst(question, t("delete"), () => remove(game.id)),
      },
      icon("bin"),
    );
  };

  const row = (game) => {
    const shown = game.id === store.state()?.id;
    const { title, facts } = toldOf(store.spec, game);
    const text = [title, ...facts].join(" ").toLowerCase();
    const box = shown ? null : el("input", { type: "checkbox", "aria-label": t("games.choose", { game: text }), onchange: show });
    const attributes = { class: `game-item${shown ? " now" : ""}`, "data-game": game.id };
    return { game, text, box, item: el("div", attributes, box, entry(game), !shown && bin(game)) };
  };

  async function fill() {
    try {
      const games = await store.games();
      rows = games.map(row);
      list.replaceChildren(...(games.length ? rows.map(({ item }) => item) : [el("p", {}, t("games.none"))]));
      // Few are seen at a glance.
      tools.hidden = games.length < 3;
      show();
    } catch (error) {
      list.replaceChildren(el("p", {}, told(error.message)));
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
  const go = primary(t(over.length === 1 ? "games.free-one" : "games.free", { number: over.length }), free);
  const node = dialog(t("games.full"), [
    el("p", {}, t("games.most", { games: counted(games.length, "game") })),
    over.length > 0 && note(t("games.oldest", { ago: oldest })),
    buttons(
      over.length > 0 && go,
      button(t("games.among"), () => (node.close(), openGames(store))),
      button(t("cancel"), () => node.close()),
    ),
  ]);
  node.addEventListener("close", () => answer(room));
}
