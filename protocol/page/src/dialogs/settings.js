// The settings of the page, and the list of its keys.

import { again } from "../address.js";
import { el, toast } from "../dom.js";
import { KEYS } from "../keyboard.js";
import { prefs } from "../prefs.js";
import { t } from "../texts.js";
import { check, dialog, field, note, select } from "./dialog.js";

/** How long a move of an engine takes at least, in milliseconds. */
const PACES = ["0", "600", "1500", "3000"];

const choice = (name, label, choices, act = (value) => void prefs.set(name, value)) =>
  field(label, select({ name, onchange: (event) => act(event.target.value) }, choices, prefs.get(name)));

const tick = (name, label = t(`settings.${name}`)) =>
  check({ name, checked: prefs.get(name), onchange: (event) => prefs.set(name, event.target.checked) }, label);

/** The page is loaded anew in another language, which a browser must keep for that. */
const speak = (value) => (prefs.set("language", value) ? again() : toast(t("settings.unkept"), "bad"));

/** Opens the settings; `version` is that of the server. */
export function openSettings(version) {
  dialog(t("settings"), [
    choice("theme", t("settings.theme"), [
      ["auto", t("settings.system")],
      ["light", t("settings.light")],
      ["dark", t("settings.dark")],
    ]),
    choice(
      "language",
      t("language"),
      [
        ["auto", t("language.auto")],
        ["en", "English"],
        ["ja", "日本語"],
      ],
      speak,
    ),
    choice("coordinates", t("settings.coordinates"), [
      ["japanese", t("settings.japanese")],
      ["western", t("settings.western")],
    ]),
    choice("scores", t("settings.scores"), [
      ["chances", t("settings.chances")],
      ["pawns", t("settings.pawns")],
    ]),
    tick("targets"),
    choice("marks", t("settings.marks"), [
      ["auto", t("settings.marks.auto")],
      ["on", t("settings.marks.on")],
      ["off", t("settings.marks.off")],
    ]),
    tick("attacks"),
    tick("upright"),
    tick("animate"),
    tick("sound"),
    choice("pace", t("settings.pace"), PACES.map((pace) => [pace, t(`settings.pace.${pace}`)])),
    tick("bar"),
    tick("arrows"),
    tick("rests"),
    tick("coach", t("coach.setting")),
    tick("thoughts"),
    el("h3", {}, t("settings.keys")),
    el(
      "ul",
      { class: "keys" },
      KEYS.map(({ shown, what }) => el("li", {}, el("kbd", {}, shown || t("key.tab")), ` ${t(`key.${what}`)}`)),
    ),
    note(`Kujira Board ${version}`),
  ]);
}
