// The table of texts: English and Japanese, by key. Nobody whose language it is has read the Japanese yet.
//
// All that the page shows in words is here, but what must be seen before there are scripts: that is in `index.html`, in
// both languages. What stands in braces is filled in.

import { language } from "./prefs.js";
import { NAMES, TEXTS, TOLD } from "./texts/all.js";

/** Whether the table has a text. */
export const has = (key) => Object.hasOwn(TEXTS, key);

/** The text of a key, with what stands in braces filled in. */
export function t(key, values = {}) {
  return TEXTS[key].replace(/\{(\w+)\}/g, (_, name) => values[name]);
}

/** The name of a game, a kind, a level, an opening: `name` is the English one. */
export function named(name) {
  if (language() !== "ja") return name;
  const calf = !NAMES[name] && / calf$/.exec(name);
  return calf ? `${named(name.slice(0, calf.index))}の子` : (NAMES[name] ?? name);
}

/** What stands at a place of such a text: a name, two tokens of pieces, or as it is. */
const value = (text) => {
  const pair = /^(\S+) and (\S+)$/.exec(text);
  return pair ? pair.slice(1).map(named).join(t("list.and")) : named(text);
};

/** An error or a word of somebody else's: English, which is translated where it is known. Japanese stays. */
export function told(text) {
  if (!text || language() !== "ja" || /[\u3040-\u30ff\u4e00-\u9fff]/.test(text)) return text;
  for (const [english, japanese] of TOLD) {
    const places = [];
    const pattern = english
      .replace(/[.*+?^$()|[\]\\]/g, "\\$&")
      .replace(/\{(\w*)\}/g, (_, place) => (places.push(place), "(.*)"));
    const found = new RegExp(`^${pattern}$`, "s").exec(text);
    if (found) return japanese.replace(/\{(\w*)\}/g, (_, place) => value(found[places.indexOf(place) + 1]));
  }
  return t("told.other", { text });
}

/**
 * Writes the texts that elements of the page itself ask for, as contents or as names, and leaves one of those that stand
 * there in both languages.
 */
export function translate(root) {
  for (const node of root.querySelectorAll("span[lang]")) if (node.lang !== language()) node.remove();
  for (const node of root.querySelectorAll("[data-text]")) node.textContent = t(node.dataset.text);
  for (const node of root.querySelectorAll("[data-name]")) {
    const { name, key } = node.dataset;
    if (!node.matches("a")) node.setAttribute("aria-label", t(name));
    if (node.matches("a, button")) node.title = key ? `${t(name)} (${key})` : t(name);
  }
}
