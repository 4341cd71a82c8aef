// What a person prefers, kept in this browser.

const KEY = "kujira-prefs";
const DEFAULTS = {
  theme: "auto",
  coordinates: "japanese",
  upright: false,
  targets: true,
  animate: true,
  bar: true,
  arrows: true,
  // Threads and table size of the engine, once somebody has chosen them.
  resources: null,
};

let values = { ...DEFAULTS };
try {
  values = { ...DEFAULTS, ...JSON.parse(localStorage.getItem(KEY) ?? "{}") };
} catch {
  // Unreadable preferences are as good as none.
}
const listeners = new Set();

export const prefs = {
  get: (name) => values[name],
  set(name, value) {
    values[name] = value;
    try {
      localStorage.setItem(KEY, JSON.stringify(values));
    } catch {
      // They last as long as the page then.
    }
    applyTheme();
    for (const listener of listeners) listener(name);
  },
  onChange: (listener) => listeners.add(listener),
  /** Which of the two ways to write squares is wanted: an index of `text` in messages. */
  notation: () => (values.coordinates === "western" ? 1 : 0),
};

export function applyTheme() {
  const dark =
    values.theme === "dark" || (values.theme === "auto" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.dataset.theme = dark ? "dark" : "light";
}
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", applyTheme);
