// A game or position that somebody has as text.

import { asked } from "../address.js";
import { el } from "../dom.js";
import { HUMANS, lastSettings } from "../request.js";
import { buttons, dialog, note, primary } from "./dialog.js";

/** What a link to this page asks for; nothing if the text is no link. One that somebody decoded has spaces. */
const linked = (text) => asked(/^https?:\/\/[^\s#]*(#.+)$/s.exec(text.trim())?.[1] ?? "");

export function openLoad(store) {
  const area = el("textarea", {
    class: "text",
    rows: 9,
    spellcheck: "false",
    "aria-label": "PGN, USI text, SFEN or a link",
    placeholder: "PGN, “startpos moves …”, “sfen …”, an SFEN, or a link to a position",
  });
  const file = el("input", {
    type: "file",
    accept: ".pgn,.usi,.epd,.txt,text/plain",
    "aria-label": "From a file",
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
      problem.textContent = error.message;
    }
  };
  const node = dialog("Load", [
    note("Text without a game's name is read as the game now on the board, or the one whose board it fits."),
    area,
    file,
    problem,
    buttons(primary("Load", load)),
  ]);
}
