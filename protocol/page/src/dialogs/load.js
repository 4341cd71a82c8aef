// A game or position that somebody has as text.

import { asked } from "../address.js";
import { el } from "../dom.js";
import { HUMANS, lastSettings } from "../request.js";
import { t, told } from "../texts.js";
import { buttons, dialog, note, primary } from "./dialog.js";

/** What a link to this page asks for; nothing if the text is no link. One that somebody decoded has spaces. */
const linked = (text) => asked(/^https?:\/\/[^\s#]*(#.+)$/s.exec(text.trim())?.[1] ?? "");

export function openLoad(store) {
  const area = el("textarea", {
    class: "text",
    rows: 9,
    spellcheck: "false",
    "aria-label": t("load.what"),
    placeholder: t("load.example"),
  });
  const file = el("input", {
    type: "file",
    accept: ".pgn,.usi,.epd,.txt,text/plain",
    "aria-label": t("load.file"),
    onchange: async () => {
      if (file.files[0]) area.value = await file.files[0].text();
    },
  });
  const problem = el("p", { class: "problem", role: "alert" });
  const load = async () => {
    try {
      const { game, position, refused } = linked(area.value);
      if (refused) throw new Error(refused);
      const variant = store.state()?.variant ?? lastSettings().variant;
      if (game) store.openGame(game);
      else await store.start(position ?? { variant, text: area.value, players: HUMANS });
      node.close();
    } catch (error) {
      problem.textContent = told(error.message);
    }
  };
  const node = dialog(t("load.title"), [
    note(t("load.note")),
    area,
    file,
    problem,
    buttons(primary(t("load.title"), load)),
  ]);
}
