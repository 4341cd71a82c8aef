// The settings of the page, and the list of its keys.

import { el } from "../dom.js";
import { KEYS } from "../keyboard.js";
import { prefs } from "../prefs.js";
import { t } from "../texts.js";
import { check, dialog, field, note, select } from "./dialog.js";

/** How long a move of an engine takes at least, in milliseconds. */
const PACES = [
  ["0", "At once"],
  ["600", "After a moment"],
  ["1500", "After one and a half seconds"],
  ["3000", "After three seconds"],
];

const choice = (name, label, choices) =>
  field(
    label,
    select({ name, onchange: (event) => prefs.set(name, event.target.value) }, choices, prefs.get(name)),
  );

const tick = (name, label) =>
  check({ name, checked: prefs.get(name), onchange: (event) => prefs.set(name, event.target.checked) }, label);

/** Opens the settings; `version` is that of the server. */
export function openSettings(version) {
  dialog("Settings", [
    choice("theme", "Colours", [
      ["auto", "As the system"],
      ["light", "Light"],
      ["dark", "Dark"],
    ]),
    choice("language", t("language"), [
      ["auto", t("language.auto")],
      ["en", "English"],
      ["ja", "日本語"],
    ]),
    choice("coordinates", "Squares", [
      ["japanese", "Japanese: 1a at the top right"],
      ["western", "Western: a1 at the bottom left"],
    ]),
    choice("scores", "Scores", [
      ["chances", "Black's winning chances in per cent"],
      ["pawns", "Pawns, positive where Black is better"],
    ]),
    tick("targets", "Show where a piece can go"),
    choice("marks", "How pieces move, on their tiles", [
      ["auto", "At 11×11 and while learning"],
      ["on", "Always"],
      ["off", "Never"],
    ]),
    tick("attacks", "What each side attacks, and what hangs"),
    tick("upright", "Letters of far tiles upright"),
    tick("animate", "Moves glide"),
    tick("sound", "Sounds of moves"),
    choice("pace", "Moves of engines", PACES),
    tick("bar", "Evaluation bar"),
    tick("arrows", "Arrows of the best lines"),
    tick("rests", "Analysis rests while this page is out of sight"),
    tick("coach", t("coach.setting")),
    tick("thoughts", "What the engine thinks, while I play against it"),
    el("h3", {}, "Keys"),
    el(
      "ul",
      { class: "keys" },
      KEYS.map(({ shown, what }) => el("li", {}, el("kbd", {}, shown), ` ${what}`)),
    ),
    note(`Kujira Board ${version}`),
  ]);
}
