// A game or position that somebody has as text.

import { el } from "../dom.js";
import { HUMANS } from "../wishes.js";
import { buttons, dialog, note, primary } from "./dialog.js";

export function openLoad(store) {
  const area = el("textarea", {
    class: "text",
    rows: 9,
    spellcheck: "false",
    "aria-label": "PGN, USI text or SFEN",
    placeholder: "PGN, “startpos moves …”, “sfen …”, or an SFEN",
  });
  const file = el("input", {
    type: "file",
    accept: ".pgn,.usi,.txt,text/plain",
    "aria-label": "From a file",
    onchange: async () => {
      if (file.files[0]) area.value = await file.files[0].text();
    },
  });
  const problem = el("p", { class: "problem", role: "alert" });
  const load = async () => {
    try {
      await store.start({ variant: store.state()?.variant ?? "whale", text: area.value, players: HUMANS });
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
