// What a person prefers, kept in this browser.

import { isCount, keepValues, oneOf, recallValues } from "./storage.js";

const KEY = "kujira-prefs";
const DEFAULTS = {
  theme: "auto",
  language: "auto",
  coordinates: "japanese",
  upright: false,
  targets: true,
  animate: true,
  sound: true,
  // Milliseconds that a move of an engine takes at least, as the choice in the settings has it.
  pace: "600",
  bar: true,
  // What each side attacks.
  attacks: false,
  // How pieces move, drawn on their tiles.
  marks: "auto",
  arrows: true,
  thoughts: false,
  // Whether a coach looks on in games against an engine.
  coach: false,
  // How scores are written.
  scores: "chances",
  // Whether nothing is analysed while nobody sees the page.
  rests: true,
  // Whether the card of openings is open.
  openings: false,
  // Threads and table size of the engine, once somebody has chosen them.
  resources: null,
};

const FITS = {
  theme: oneOf("auto", "light", "dark"),
  language: oneOf("auto", "en", "ja"),
  coordinates: oneOf("japanese", "western"),
  scores: oneOf("chances", "pawns"),
  marks: oneOf("auto", "on", "off"),
  pace: (text) => /^\d{1,4}$/.test(text),
  resources: (value) => value === null || (isCount(value.threads) && isCount(value.hash)),
};

const values = recallValues(KEY, DEFAULTS, FITS);
const listeners = new Set();
const night = matchMedia("(prefers-color-scheme: dark)");

export const prefs = {
  get: (name) => values[name],
  /** Sets a preference; whether it is there at the next visit. */
  set(name, value) {
    values[name] = value;
    const kept = keepValues(KEY, values);
    applyTheme();
    for (const listener of listeners) listener(name);
    return kept;
  },
  onChange: (listener) => listeners.add(listener),
  /** Which of the two ways to write squares is wanted: an index of `text` in messages. */
  notation: () => (values.coordinates === "western" ? 1 : 0),
};

/** The language of the page. It is the same until the page is loaded anew. */
export const language = () => chosen;
const chosen = values.language === "auto" ? (navigator.language.startsWith("ja") ? "ja" : "en") : values.language;

/** Gives the page its colours and its language. */
export function applyTheme() {
  document.documentElement.lang = language();
  const dark = values.theme === "dark" || (values.theme === "auto" && night.matches);
  document.documentElement.dataset.theme = dark ? "dark" : "light";
}
night.addEventListener("change", applyTheme);
