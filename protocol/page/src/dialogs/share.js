// Everything that gets a game or position out of the page, and the ways in.

import { linkTo } from "../address.js";
import { download, el, toast } from "../dom.js";
import { today } from "../words.js";
import { button, buttons, dialog } from "./dialog.js";
import { openGames } from "./games.js";
import { openLoad } from "./load.js";

/** Copies text, and says so. */
async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text);
    toast(`${what} copied`);
  } catch {
    const area = el("textarea", { readonly: true, rows: 4, class: "text" });
    area.value = text;
    dialog(what, area);
    area.select();
  }
}

export function openShare(store) {
  const state = store.state();
  const text = (format, use) =>
    store.ask({ type: "export", format, date: today() }, "text", (reply) => use(reply.text));
  const name = (format) => `${state.variant}-${today().replaceAll(".", "-")}.${format}`;
  const row = (title, ...ways) => el("div", { class: "share-row" }, el("span", {}, title), buttons(ways));
  const game = (format, title) =>
    row(
      `Game as ${title}`,
      button("Copy", () => text(format, (text) => copy(text, title))),
      button("Save", () => text(format, (text) => download(name(format), text))),
    );
  const node = dialog("Copy, save, load", [
    row(
      "Position",
      button("Copy SFEN", () => copy(state.position.sfen, "SFEN")),
      button("Copy link", () => copy(linkTo(state), "Link")),
    ),
    game("pgn", "PGN"),
    game("usi", "USI text"),
    row(
      "Other games",
      button("Load…", () => (node.close(), openLoad(store))),
      button("Saved games…", () => (node.close(), openGames(store))),
    ),
    el("p", { class: "sfen" }, state.position.sfen),
  ]);
}
