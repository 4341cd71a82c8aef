// The settings of the page, and the list of its keys.

import { el } from "../dom.js";
import { KEYS } from "../keyboard.js";
import { prefs } from "../prefs.js";
import { check, dialog, field, note, select } from "./dialog.js";

const choice = (name, label, choices) =>
  field(label, select({ onchange: (event) => prefs.set(name, event.target.value) }, choices, prefs.get(name)));

const tick = (name, label) =>
  check({ checked: prefs.get(name), onchange: (event) => prefs.set(name, event.target.checked) }, label);

/** Opens the settings; `version` is that of the server. */
export function openSettings(version) {
  dialog("Settings", [
    choice("theme", "Colours", [
      ["auto", "As the system"],
      ["light", "Light"],
      ["dark", "Dark"],
    ]),
    choice("coordinates", "Squares", [
      ["japanese", "Japanese: 1a at the top right"],
      ["western", "Western: a1 at the bottom left"],
    ]),
    tick("targets", "Show where a piece can go"),
    tick("upright", "Letters of far tiles upright"),
    tick("animate", "Moves glide"),
    tick("bar", "Evaluation bar"),
    tick("arrows", "Arrows of the best lines"),
    el("h3", {}, "Keys"),
    el(
      "ul",
      { class: "keys" },
      KEYS.map(({ shown, what }) => el("li", {}, el("kbd", {}, shown), ` ${what}`)),
    ),
    note(`Kujira Board ${version}`),
  ]);
}
