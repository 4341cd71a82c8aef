// The page as a whole: puts store, view, dialogs and keys together.

import { onChange } from "./address.js";
import { openEditor } from "./dialogs/editor.js";
import { makeRoom, openGames } from "./dialogs/games.js";
import { openNewGame } from "./dialogs/newgame.js";
import { openPieces } from "./dialogs/pieces.js";
import { openSettings } from "./dialogs/settings.js";
import { openShare } from "./dialogs/share.js";
import { openTour } from "./dialogs/tour.js";
import { $, lasting, toast } from "./dom.js";
import { drawIcons } from "./icons.js";
import { followKeys } from "./keyboard.js";
import { Lessons } from "./learn/lessons.js";
import { Link } from "./link.js";
import { applyTheme } from "./prefs.js";
import { Puzzles } from "./puzzles/solving.js";
import { Sounds } from "./sound.js";
import { Store } from "./store.js";
import { t, told, translate } from "./texts.js";
import { allowButtons, showFailure, showLoading } from "./view/loading.js";
import { narrow, openMenu } from "./view/menu.js";
import { Table } from "./view/table.js";
import { symbols } from "./view/tiles.js";
import { Welcome } from "./view/welcome.js";
import { lastSettings, setChoices } from "./request.js";

/** The buttons of the page: what each does, and what those of a game do once there is one. */
function buttons(store, table) {
  const { spec } = store;
  /** The game to speak of: the one shown, or the last one. */
  const game = () =>
    store.state() ? store.game() : (spec.games.find(({ id }) => id === lastSettings().variant) ?? spec.games[0]);
  const always = {
    "open-new": () => openNewGame(store),
    "open-games": () => openGames(store),
    "open-pieces": () => openPieces(spec.games, game()),
    "open-rules": () => openTour(spec.games, game()),
    "open-prefs": () => openSettings(spec.version),
  };
  for (const [id, act] of Object.entries(always)) $(`#${id}`).addEventListener("click", act);
  const acts = {
    "open-editor": () => openEditor(store),
    "step-first": () => store.step("first"),
    "step-back": () => store.step("back"),
    "step-on": () => store.step("on"),
    "step-last": () => store.step("last"),
    "step-hint": () => table.hint(),
    "step-take-back": () => store.send({ type: "take_back" }),
    "move-menu": () => {
      const { left, top } = $("#move-menu").getBoundingClientRect();
      const items = table.moves.items(store.state().current);
      openMenu(narrow.matches ? [...rest(), ...items] : items, left, top);
    },
    "turn-board": () => table.turn(),
    "show-attacks": () => table.showAttacks(),
    share: () => openShare(store),
  };
  /** What a phone has no buttons for. */
  const rest = () => [
    ...table.info.items(),
    ...["step-first", "step-last", "show-attacks", "turn-board", "share"].map((id) => [$(`#${id}`).ariaLabel, acts[id]]),
    [t("do.editor"), acts["open-editor"]],
  ];
  for (const [id, act] of Object.entries(acts)) $(`#${id}`).addEventListener("click", () => store.state() && act());
}

async function start() {
  const link = new Link(showLoading);
  const store = new Store(link, await link.spec());
  setChoices(store.spec);
  store.on("trouble", (text) => toast(text, "bad"));
  store.on("notice", (text) => toast(text));
  store.on("crowded", (answer) => makeRoom(store, answer));
  store.on("unkept", (why) => lasting("unkept", why && t("page.unkept", { why: told(why) })));
  store.on("connected", (connected) => ($("#offline").hidden = connected));
  const puzzles = new Puzzles(store);
  const lessons = new Lessons(store);
  const table = new Table(store, puzzles, lessons);
  new Welcome($("#welcome"), store, puzzles, lessons);
  new Sounds(store);
  store.on("welcome", () => ($("#offline").hidden = true));
  buttons(store, table);
  followKeys(store, table);
  onChange(() => store.follow());
  showLoading(null);
  allowButtons($(".top"));
  // For tests, and whoever looks in with the browser's tools.
  globalThis.kujira = { link, store, table, puzzles, lessons };
  await store.begin();
}

applyTheme();
translate(document);
drawIcons(document);
document.body.append(symbols());
start().catch(({ message }) => showFailure(message));
