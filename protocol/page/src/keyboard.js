// The keys of the page. Those that move between the squares of a board are the board's (`view/board.js`).

import { openNewGame } from "./dialogs/newgame.js";
import { $ } from "./dom.js";

/**
 * Every key: how the settings show it (or the text of `key.tab`), the name of the text that says what it does (`key.…`),
 * what it does, and whether it does while held.
 */
export const KEYS = [
  {
    shown: "← → Home End",
    what: "step",
    held: true,
    acts: {
      ArrowLeft: ({ store }) => store.step("back"),
      ArrowRight: ({ store }) => store.step("on"),
      Home: ({ store }) => store.step("first"),
      End: ({ store }) => store.step("last"),
    },
  },
  { shown: "", what: "move", acts: {} },
  { shown: "Escape", what: "escape", acts: { Escape: ({ table }) => table.input.escape() } },
  { shown: "f", what: "turn", acts: { f: ({ table }) => table.turn() } },
  { shown: "h", what: "hint", acts: { h: ({ table }) => table.hint() } },
  { shown: "a", what: "analysis", acts: { a: ({ table }) => table.analyse() } },
  { shown: "o", what: "openings", acts: { o: ({ table }) => table.explore() } },
  { shown: "x", what: "attacks", acts: { x: ({ table }) => table.showAttacks() } },
  { shown: "u", what: "take-back", acts: { u: ({ store }) => store.send({ type: "take_back" }) } },
  { shown: "b", what: "bring-back", acts: { b: ({ store }) => store.send({ type: "bring_back" }) } },
  { shown: "n", what: "new", acts: { n: ({ store }) => openNewGame(store) } },
];

/** Lets the keys act on a store and the table that shows it, while no dialog is open and nothing is typed. */
export function followKeys(store, table) {
  const keys = new Map(KEYS.flatMap((key) => Object.keys(key.acts).map((name) => [name, key])));
  // A button held down by Enter acts once: what it does may not be undone. That of a menu, too, which keeps its keys.
  addEventListener(
    "keydown",
    (event) => {
      if (event.repeat && event.key === "Enter" && event.target instanceof HTMLButtonElement) event.preventDefault();
    },
    true,
  );
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || !store.state() || $("dialog[open]")) return;
    if (event.target instanceof Element && event.target.matches("input, select, textarea")) return;
    const name = nameOf(event);
    const key = keys.get(name);
    if (!key) return;
    event.preventDefault();
    if (key.held || !event.repeat) key.acts[name]({ store, table });
  });
}

/** The key as {@link KEYS} names it: a letter or sign, or where it is no Latin one, the letter that stands there. */
function nameOf({ key, code }) {
  if (/^[\p{Script=Latin}\x00-\x7f]$/u.test(key)) return key.normalize("NFKC").toLowerCase();
  const there = /^Key([A-Z])$/.exec(code);
  return there ? there[1].toLowerCase() : key;
}
