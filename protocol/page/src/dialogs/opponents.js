// Who plays, and what the engines may use.

import { el } from "../dom.js";
import { prefs } from "../prefs.js";
import { player } from "../request.js";
import { ownLevel } from "../strength.js";
import { t } from "../texts.js";
import { SIDES, levelName, sideName } from "../words.js";
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
  const name = (level, index) => t("player.engine", { level: levelName(level, index + 1, own) });
  const choices = [[0, t("player.human")], ...game.levels.map((level, index) => [index + 1, name(level, index)])];
  const selects = SIDES.map((side, index) =>
    select({ "aria-label": sideName(side) }, choices, state.players[index].kind === "human" ? 0 : state.players[index].level),
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
  const node = dialog(t("opponents.title"), [
    field(sideName("b"), selects[0]),
    field(sideName("w"), selects[1]),
    el("h3", {}, t("opponents.engine")),
    most.threads > 1 && field(t("opponents.threads"), threads),
    field(t("opponents.hash"), hash, "MiB"),
    note(state.player.name || state.analyst.name || t("opponents.starts")),
    buttons(primary(t("opponents.apply"), apply), button(t("opponents.restart"), restart)),
  ]);
}
