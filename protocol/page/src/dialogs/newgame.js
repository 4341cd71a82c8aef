// The dialog for a new game: which, who, how strong, handicap, rules, clocks.

import { newcomer } from "../coach/first.js";
import { el, toast } from "../dom.js";
import { prefs } from "../prefs.js";
import { USUAL_RULES, lastLevel, lastSettings, remember, request } from "../request.js";
import { ownLevel } from "../strength.js";
import { named, t } from "../texts.js";
import { handicapName, levelName } from "../words.js";
import { check, dialog, field, note, options, select } from "./dialog.js";

const CLOCKS = ["none", "sudden", "increment", "byoyomi"];

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
    const strength = el("select", { name, "aria-label": t("new.strength") });
    return el("label", { class: `field f-${name}` }, label, strength);
  };
  const number = (name, label, unit, min, max) => {
    const input = el("input", { type: "number", name, value: last[name], min, max, step: "any" });
    return el("label", { class: `field f-${name}` }, label, input, unit);
  };
  const rule = (name) => {
    const input = el("input", { type: "checkbox", name, checked: (fixed.rules ?? USUAL_RULES)[name] });
    const told = el("span", {}, t(`rule.${name}`), el("small", {}, t(`rule.${name}.what`)));
    return el("label", { class: `check r-${name}` }, input, told);
  };
  const opponent = (value, label) => radio("opponent", value, label, last.opponent === value);
  const side = (value, label) => radio("side", value, label, last.side === value);
  return el(
    "form",
    { id: "new-game", class: "new-game", method: "dialog" },
    part(
      t("new.game"),
      { class: "games-choice", disabled: fixed.sfen !== null },
      spec.games.map(({ id, name, files, ranks }) =>
        radio("variant", id, named(name), id === last.variant, `${files}×${ranks}`),
      ),
    ),
    el("p", { class: "note", hidden: fixed.sfen === null }, t("new.position")),
    part(
      t("new.players"),
      {},
      opponent("engine", t("new.engine")),
      opponent("human", t("new.people")),
      opponent("engines", t("new.engines")),
      row(level("level", el("span", { class: "level-name" })), level("level2", t("side.w"))),
      note(t("new.elo")),
      el(
        "div",
        { class: "field-row f-side", role: "radiogroup", "aria-label": t("new.side") },
        el("span", {}, t("new.play")),
        side("b", t("new.black")),
        side("w", t("new.white")),
        side("random", t("new.either")),
      ),
      el("div", { class: "f-coach" }, check({ name: "coach", checked: prefs.get("coach") || newcomer() }, t("coach.form"))),
    ),
    part(
      t("new.clock"),
      {},
      field(t("new.time"), select({ name: "clock" }, CLOCKS.map((clock) => [clock, t(`new.${clock}`)]), last.clock)),
      row(
        number("main", t("new.main"), t("new.minutes"), 0, 1440),
        number("increment", t("new.added"), t("new.seconds"), 0, 600),
        number("byoyomi", t("new.countdown"), t("new.seconds"), 1, 600),
      ),
    ),
    part(
      t("new.handicap"),
      { class: "f-handicap" },
      field(t("new.gives"), el("select", { name: "handicap" })),
      note(t("new.given")),
    ),
    el("details", { class: "rules-choice" }, el("summary", {}, t("new.rules")), Object.keys(USUAL_RULES).map(rule)),
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
      const choices = [["", t("new.nothing")], ...game.handicaps.map((given) => [given.id, `${given.id} · ${handicapName(given)}`])];
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
    node.querySelector(".level-name").textContent = t(values.opponent === "engines" ? "side.b" : "new.strength");
    hide(".f-main", values.clock === "none");
    for (const clock of ["increment", "byoyomi"]) hide(`.f-${clock}`, values.clock !== clock);
    for (const name of ["retreat_two", "retreat_file_limit"]) hide(`.r-${name}`, !game.retreats);
    hide(".r-impasse", !game.impasse);
  };
  node.addEventListener("change", adapt);
  adapt();

  const start = el("button", { class: "primary", form: "new-game" }, t("new.start"));
  const opened = dialog(t("new.title"), node, { foot: start });
  node.addEventListener("submit", async (event) => {
    event.preventDefault();
    const settings = { ...read(), handicap: node.elements.handicap.value };
    const chosen = (name) => node.elements[name].checked && !node.querySelector(`.r-${name}`).hidden;
    settings.rules = Object.fromEntries(Object.keys(USUAL_RULES).map((name) => [name, chosen(name)]));
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
