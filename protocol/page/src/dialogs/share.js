// Everything that gets a game or position out of the page, and the ways in.

import { linkTo } from "../address.js";
import { download, el, toast } from "../dom.js";
import { t } from "../texts.js";
import { today } from "../words.js";
import { button, buttons, dialog } from "./dialog.js";
import { openGames } from "./games.js";
import { openLoad } from "./load.js";

/** Copies text, and says so. */
async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text);
    toast(t("share.copied", { what }));
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
      t("share.game", { format: title }),
      button(t("share.copy"), () => text(format, (text) => copy(text, title))),
      button(t("share.save"), () => text(format, (text) => download(name(format), text))),
    );
  const node = dialog(t("steps.share"), [
    row(
      t("share.position"),
      button(t("share.copy-sfen"), () => copy(state.position.sfen, "SFEN")),
      button(t("share.copy-link"), () => copy(linkTo(state), t("share.link"))),
    ),
    game("pgn", "PGN"),
    game("usi", t("share.usi")),
    row(
      t("share.others"),
      button(t("share.load"), () => (node.close(), openLoad(store))),
      button(t("share.saved"), () => (node.close(), openGames(store))),
    ),
    el("p", { class: "sfen" }, state.position.sfen),
  ]);
}
