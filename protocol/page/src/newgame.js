// The dialog for a new game: which, who, how strong, handicap, rules, clocks.

import { dialog, el, toast } from "./dom.js";

const REMEMBERED = "kujira-last-game";

/** The settings of the last new game, or the usual ones. */
export function lastSettings() {
  const usual = { variant: "whale", side: "b", level: 3, opponent: "engine", level2: 5, clock: "none", main: 10, increment: 5, byoyomi: 10 };
  try {
    return { ...usual, ...JSON.parse(localStorage.getItem(REMEMBERED) ?? "{}") };
  } catch {
    return usual;
  }
}

/** What the server is asked for, from settings. */
export function request(settings) {
  const engine = (level) => ({ kind: "engine", level: Number(level) });
  const human = { kind: "human" };
  const side = settings.side === "random" ? (Math.random() < 0.5 ? "b" : "w") : settings.side;
  let players = [human, human];
  if (settings.opponent === "engine") players = side === "b" ? [human, engine(settings.level)] : [engine(settings.level), human];
  if (settings.opponent === "engines") players = [engine(settings.level), engine(settings.level2)];
  const minutes = (value) => Math.round(Number(value) * 60000);
  const seconds = (value) => Math.round(Number(value) * 1000);
  const times = {
    none: null,
    sudden: { main: minutes(settings.main), increment: 0, byoyomi: 0 },
    increment: { main: minutes(settings.main), increment: seconds(settings.increment), byoyomi: 0 },
    byoyomi: { main: minutes(settings.main), increment: 0, byoyomi: seconds(settings.byoyomi) },
  };
  return {
    variant: settings.variant,
    handicap: settings.handicap || null,
    sfen: settings.sfen ?? null,
    rules: settings.rules ?? { retreat_two: false, retreat_file_limit: false, impasse: false, repetition: true },
    players,
    time: times[settings.clock],
  };
}

function radio(name, value, label, checked, note) {
  return el(
    "label",
    { class: "radio" },
    el("input", { type: "radio", name, value, checked }),
    el("span", {}, label, note && el("small", {}, note)),
  );
}

function levels(name, spec, chosen) {
  return el(
    "select",
    { name, "aria-label": "Strength" },
    spec.levels.map((level, index) => el("option", { value: index + 1, selected: index + 1 === Number(chosen) }, `${index + 1} · ${level.name}`)),
  );
}

/** Opens the dialog; `sfen` starts from a position of `variant`. */
export function openNewGame(app, { sfen = null, variant = null, rules = null } = {}) {
  const { spec } = app;
  const last = lastSettings();
  if (variant) last.variant = variant;
  const form = el("form", { class: "new-game", method: "dialog" });
  const number = (name, label, unit, min, max) =>
    el("label", { class: `field f-${name}` }, label, el("input", { type: "number", name, value: last[name], min, max, step: "any" }), unit);
  const check = (name, label, note) =>
    el("label", { class: `check r-${name}` }, el("input", { type: "checkbox", name, checked: rules ? rules[name] : name === "repetition" }), el("span", {}, label, el("small", {}, note)));
  form.append(
    el(
      "fieldset",
      { class: "games-choice", disabled: sfen !== null },
      el("legend", {}, "Game"),
      spec.games.map((game) => radio("variant", game.id, game.name, game.id === last.variant, `${game.files}×${game.ranks}`)),
    ),
    el("p", { class: "note", hidden: sfen === null }, "From the position chosen."),
    el(
      "fieldset",
      {},
      el("legend", {}, "Players"),
      radio("opponent", "engine", "Against the engine", last.opponent === "engine"),
      radio("opponent", "human", "Two people at this board", last.opponent === "human"),
      radio("opponent", "engines", "Engine against engine", last.opponent === "engines"),
      el(
        "div",
        { class: "field-row" },
        el("label", { class: "field f-level" }, el("span", { class: "level-name" }, "Strength"), levels("level", spec, last.level)),
        el("label", { class: "field f-level2" }, "White", levels("level2", spec, last.level2)),
      ),
      el(
        "div",
        { class: "field-row f-side", role: "radiogroup", "aria-label": "Your side" },
        el("span", {}, "You play"),
        radio("side", "b", "Black", last.side === "b"),
        radio("side", "w", "White", last.side === "w"),
        radio("side", "random", "Either", last.side === "random"),
      ),
    ),
    el(
      "fieldset",
      {},
      el("legend", {}, "Clock"),
      el(
        "label",
        { class: "field" },
        "Time",
        el(
          "select",
          { name: "clock" },
          [
            ["none", "No clock"],
            ["sudden", "Sudden death"],
            ["increment", "With increment"],
            ["byoyomi", "With byoyomi"],
          ].map(([value, text]) => el("option", { value, selected: value === last.clock }, text)),
        ),
      ),
      el("div", { class: "field-row" }, number("main", "Main time", "min", 0, 1440), number("increment", "Increment", "s", 0, 600), number("byoyomi", "Byoyomi", "s", 1, 600)),
    ),
    el(
      "fieldset",
      { class: "f-handicap" },
      el("legend", {}, "Handicap"),
      el("label", { class: "field" }, "White gives", el("select", { name: "handicap" })),
      el("p", { class: "note" }, "White, the stronger player, moves first, without the pieces named."),
    ),
    el(
      "details",
      { class: "rules-choice" },
      el("summary", {}, "Rule switches"),
      check("retreat_two", "Short retreats", "A dolphin on the farthest rank slides back two squares at most."),
      check("retreat_file_limit", "Retreat file limit", "A dolphin may not retreat onto a file with two others of its own."),
      check("impasse", "Impasse", "With each white whale on one of its two farthest ranks, the side to move may end the game: grey whales count 5, white whales 0, other pieces 1; with fewer than 14 points the claimant loses, or else the opponent, or else it is a draw."),
      check("repetition", "Fourfold repetition ends the game", "Off is for analysis."),
    ),
    el("div", { class: "buttons" }, el("button", { class: "primary", value: "start" }, "Start")),
  );
  const read = () => Object.fromEntries(new FormData(form));
  const handicap = form.elements.handicap;
  const adapt = (event) => {
    const values = { variant: last.variant, ...read() };
    const game = spec.games.find((other) => other.id === (values.variant ?? last.variant));
    if (!event || event.target.name === "variant") {
      handicap.replaceChildren(
        el("option", { value: "" }, "nothing"),
        ...game.handicaps.map((item) => el("option", { value: item.id }, `${item.id} · ${item.name}`)),
      );
    }
    form.querySelector(".f-handicap").hidden = game.handicaps.length === 0 || sfen !== null;
    form.querySelector(".f-side").hidden = values.opponent !== "engine";
    form.querySelector(".f-level").hidden = values.opponent === "human";
    form.querySelector(".f-level2").hidden = values.opponent !== "engines";
    form.querySelector(".level-name").textContent = values.opponent === "engines" ? "Black" : "Strength";
    form.querySelector(".f-main").hidden = values.clock === "none";
    form.querySelector(".f-increment").hidden = values.clock !== "increment";
    form.querySelector(".f-byoyomi").hidden = values.clock !== "byoyomi";
    for (const name of ["retreat_two", "retreat_file_limit"]) form.querySelector(`.r-${name}`).hidden = !game.retreats;
    form.querySelector(".r-impasse").hidden = !game.impasse;
  };
  form.addEventListener("change", adapt);
  adapt();
  const node = dialog("New game", form);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const values = read();
    const settings = { ...last, ...values, handicap: values.handicap ?? "" };
    const rule = (name) => form.elements[name].checked && !form.querySelector(`.r-${name}`).hidden;
    settings.rules = {
      retreat_two: rule("retreat_two"),
      retreat_file_limit: rule("retreat_file_limit"),
      impasse: rule("impasse"),
      repetition: rule("repetition"),
    };
    if (sfen) settings.sfen = sfen;
    try {
      await app.start(request(settings));
      node.close();
      const { sfen: _, handicap: __, rules: ___, ...kept } = settings;
      localStorage.setItem(REMEMBERED, JSON.stringify(kept));
    } catch (error) {
      toast(error.message, "bad");
    }
  });
}
