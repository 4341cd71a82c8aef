// What is said of a step: its stars, what it is called, what is to be done.

import { el } from "../dom.js";
import { has, named, t } from "../texts.js";

/** Stars, so many of three. */
export const stars = (count) =>
  el(
    "span",
    { class: "stars", role: "img", "aria-label": count ? t("learn.stars", { stars: count }) : t("learn.none") },
    [1, 2, 3].map((star) => el("span", { class: star <= count ? "star on" : "star" }, star <= count ? "★" : "☆")),
  );

/** What a step is called. */
export function titleOf(game, { id, kinds }) {
  if (has(`title.${id}`)) return t(`title.${id}`);
  const names = kinds.map((token) => named(game.kinds.find((kind) => kind.token === token).name));
  const [first, second] = names;
  const capital = (name) => name.replace(/^./, (letter) => letter.toUpperCase());
  return second ? capital(t("learn.and", { one: first, two: second })) : capital(first);
}

/** What is to be done in it. */
export function taskOf(game, { text, kinds, moves }) {
  const [one, two] = kinds.map((token) => named(game.kinds.find((kind) => kind.token === token).name));
  return t(`step.${text}`, { one, two, moves });
}
