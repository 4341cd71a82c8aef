// The dialog for a new game: which, who, how strong, handicap, rules, clocks.

import { newcomer } from "../coach/first.js";
import { el, toast } from "../dom.js";
import { prefs } from "../prefs.js";
import { USUAL_RULES, lastLevel, lastSettings, remember, request } from "../request.js";
import { ownLevel } from "../strength.js";
import { t } from "../texts.js";
import { levelName } from "../words.js";
import { buttons, check, dialog, field, note, options, select } from "./dialog.js";

const RULES = {
  retreat_two: ["Short retreats", "A dolphin on the farthest rank slides back two squares at most."],
  retreat_file_limit: ["Retreat file limit", "A dolphin may not retreat onto a file with two others of its own."],
  impasse: [
    "Impasse",
    "With each white whale on one of its two farthest ranks, the side to move may end the game: grey whales count 5, white whales 0, other pieces 1; with fewer than 14 points the claimant loses, or else the opponent, or else it is a draw.",
  ],
  repetition: ["Fourfold repetition ends the game", "Off is for analysis."],
};

const CLOCKS = [
  ["none", "No clock"],
  ["sudden", "Sudden death"],
  ["increment", "With increment"],
  ["byoyomi", "With byoyomi"],
];

/** A part of the form with a heading. */
const part = (heading, attributes, ...children) => el("fieldset", attributes, el("legend", {}, heading), ...children);

const row = (...children) => el("div", { class: "field-row" }, ...children);

function radio(name, value, label, checked, small) {
  return el(
    "label",
    { class: "radio" },
    el("input", { type: "radio", name, value, checked }),
    el("span", {}, label, small && el("small", {}, small)),
  );
}

/** The form, with the settings of the last game; `fixed` is the position and the rules it is to begin from, if any. */
function form(spec, last, fixed) {
  const level = (name, label) => {
    const strength = el("select", { name, "aria-label": "Strength" });
    return el("label", { class: `field f-${name}` }, label, strength);
  };
  const number = (name, label, unit, min, max) => {
    const input = el("input", { type: "number", name, value: last[name], min, max, step: "any" });
    return el("label", { class: `field f-${name}` }, label, input, unit);
  };
  const rule = ([name, [label, small]]) => {
    const input = el("input", { type: "checkbox", name, checked: (fixed.rules ?? USUAL_RULES)[name] });
    return el("label", { class: `check r-${name}` }, input, el("span", {}, label, el("small", {}, small)));
  };
  const opponent = (value, label) => radio("opponent", value, label, last.opponent === value);
  const side = (value, label) => radio("side", value, label, last.side === value);
  return el(
    "form",
    { class: "new-game", method: "dialog" },
    part(
      "Game",
      { class: "games-choice", disabled: fixed.sfen !== null },
      spec.games.map(({ id, name, files, ranks }) =>
        radio("variant", id, name, id === last.variant, `${files}×${ranks}`),
      ),
    ),
    el("p", { class: "note", hidden: fixed.sfen === null }, "From the position chosen."),
    part(
      "Players",
      {},
      opponent("engine", "Against the engine"),
      opponent("human", "Two people at this board"),
      opponent("engines", "Engine against engine"),
      row(level("level", el("span", { class: "level-name" }, "Strength")), level("level2", "White")),
      note("Elo is counted from a player who moves at random."),
      el(
        "div",
        { class: "field-row f-side", role: "radiogroup", "aria-label": "Your side" },
        el("span", {}, "You play"),
        side("b", "Black"),
        side("w", "White"),
        side("random", "Either"),
      ),
      el("div", { class: "f-coach" }, check({ name: "coach", checked: prefs.get("coach") || newcomer() }, t("coach.form"))),
    ),
    part(
      "Clock",
      {},
      field("Time", select({ name: "clock" }, CLOCKS, last.clock)),
      row(
        number("main", "Main time", "min", 0, 1440),
        number("increment", "Increment", "s", 0, 600),
        number("byoyomi", "Byoyomi", "s", 1, 600),
      ),
    ),
    part(
      "Handicap",
      { class: "f-handicap" },
      field("White gives", el("select", { name: "handicap" })),
      note("White, the stronger player, moves first, without the pieces named."),
    ),
    el("details", { class: "rules-choice" }, el("summary", {}, "Rule switches"), Object.entries(RULES).map(rule)),
    buttons(el("button", { class: "primary", value: "start" }, "Start")),
  );
}

/** Opens the dialog; `sfen` starts from a position of `variant`. */
export function openNewGame(store, { sfen = null, variant = null, rules = null } = {}) {
  const { games } = store.spec;
  const last = lastSettings();
  if (variant) last.variant = variant;
  const node = form(store.spec, last, { sfen, rules });
  const read = () => ({ ...last, ...Object.fromEntries(new FormData(node)) });
  /** Hides a part or shows it; what cannot be seen is not asked for. */
  const hide = (part, hidden) => {
    const field = node.querySelector(part);
    field.hidden = hidden;
    for (const input of field.querySelectorAll("input, select")) input.disabled = hidden;
  };

  /** Shows what fits what is chosen. */
  const adapt = (event) => {
    const values = read();
    const game = games.find((other) => other.id === values.variant);
    if (!event || event.target.name === "variant") {
      const choices = [["", "nothing"], ...game.handicaps.map(({ id, name }) => [id, `${id} · ${name}`])];
      node.elements.handicap.replaceChildren(...options(choices));
      const own = ownLevel(game);
      const levels = game.levels.map((level, index) => [index + 1, levelName(level, index + 1, own)]);
      for (const name of ["level", "level2"]) {
        node.elements[name].replaceChildren(...options(levels, lastLevel(game.id)));
      }
    }
    hide(".f-handicap", game.handicaps.length === 0 || sfen !== null);
    hide(".f-side", values.opponent !== "engine");
    hide(".f-coach", values.opponent !== "engine");
    hide(".f-level", values.opponent === "human");
    hide(".f-level2", values.opponent !== "engines");
    node.querySelector(".level-name").textContent = values.opponent === "engines" ? "Black" : "Strength";
    hide(".f-main", values.clock === "none");
    for (const clock of ["increment", "byoyomi"]) hide(`.f-${clock}`, values.clock !== clock);
    for (const name of ["retreat_two", "retreat_file_limit"]) hide(`.r-${name}`, !game.retreats);
    hide(".r-impasse", !game.impasse);
  };
  node.addEventListener("change", adapt);
  adapt();

  const opened = dialog("New game", node);
  node.addEventListener("submit", async (event) => {
    event.preventDefault();
    const settings = { ...read(), handicap: node.elements.handicap.value };
    const chosen = (name) => node.elements[name].checked && !node.querySelector(`.r-${name}`).hidden;
    settings.rules = Object.fromEntries(Object.keys(RULES).map((name) => [name, chosen(name)]));
    if (sfen) settings.sfen = sfen;
    try {
      await store.start(request(settings));
      if (settings.opponent === "engine") prefs.set("coach", node.elements.coach.checked);
      opened.close();
      remember(settings);
    } catch (error) {
      toast(error.message, "bad");
    }
  });
}
