// Who plays, and what the engines may use.

import { el } from "../dom.js";
import { prefs } from "../prefs.js";
import { player } from "../request.js";
import { ownLevel } from "../strength.js";
import { SIDE_NAMES, levelName } from "../words.js";
import { button, buttons, dialog, field, note, primary, select } from "./dialog.js";

/** The whole number in an input, within its limits; `usual` where there is none. */
function whole(input, usual) {
  return Math.min(Number(input.max), Math.max(1, Math.round(Number(input.value)) || usual));
}

export function openOpponents(store) {
  const state = store.state();
  const { most } = store.spec;
  const game = store.game();
  const own = ownLevel(game);
  const name = (level, index) => `Engine ${levelName(level, index + 1, own)}`;
  const choices = [[0, "Human"], ...game.levels.map((level, index) => [index + 1, name(level, index)])];
  const selects = Object.values(SIDE_NAMES).map((name, index) =>
    select({ "aria-label": name }, choices, state.players[index].kind === "human" ? 0 : state.players[index].level),
  );
  const threads = el("input", { type: "number", min: 1, max: most.threads, value: state.threads });
  const hash = el("input", { type: "number", min: 1, max: most.hash, value: state.hash });
  const apply = () => {
    const players = selects.map(({ value }) => player(value));
    const resources = { threads: whole(threads, 1), hash: whole(hash, 64) };
    prefs.set("resources", resources);
    store.send({ type: "resources", ...resources });
    store.send({ type: "players", players });
    node.close();
  };
  const restart = () => {
    for (const role of ["player", "analyst"]) store.send({ type: "restart", role });
    node.close();
  };
  const node = dialog("Players and engine", [
    field("Black", selects[0]),
    field("White", selects[1]),
    el("h3", {}, "Engine"),
    most.threads > 1 && field("Threads", threads),
    field("Table size", hash, "MiB"),
    note(state.player.name || state.analyst.name || "The engine starts when it is first needed."),
    buttons(primary("Apply", apply), button("Restart the engine", restart)),
  ]);
}
