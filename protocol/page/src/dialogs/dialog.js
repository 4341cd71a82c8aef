// Dialogs, and what stands in them: fields, choices, buttons.

import { el } from "../dom.js";
import { icon } from "../icons.js";
import { named, t } from "../texts.js";

/** Opens a modal dialog with a title; returns it. Its `foot` stays in sight below what is scrolled. */
export function dialog(title, content, { wide = false, foot = null } = {}) {
  const node = el(
    "dialog",
    { class: wide ? "modal wide" : "modal", "aria-label": title },
    el(
      "div",
      { class: "modal-head" },
      el("h2", {}, title),
      el("button", { class: "icon-button", "aria-label": t("close"), onclick: () => node.close() }, icon("close")),
    ),
    el("div", { class: "modal-body" }, content),
    foot && el("div", { class: "modal-foot" }, foot),
  );
  node.addEventListener("close", () => node.remove());
  // A click is told of the dialog, too, where only one of press and release was outside.
  const outside = ({ target, clientX, clientY }) => {
    const { left, right, top, bottom } = node.getBoundingClientRect();
    return target === node && (clientX < left || clientX > right || clientY < top || clientY > bottom);
  };
  let begun = false;
  let ended = false;
  node.addEventListener("pointerdown", (event) => (begun = outside(event)));
  node.addEventListener("pointerup", (event) => (ended = outside(event)));
  node.addEventListener("click", (event) => {
    if (begun && ended && event.target === node) node.close();
    begun = ended = false;
  });
  document.body.append(node);
  node.showModal();
  return node;
}

/** Asks before something that cannot be undone. */
export function askFirst(question, label, act) {
  const node = dialog(label, [
    el("p", {}, question),
    buttons(
      primary(label, () => (node.close(), act())),
      button(t("cancel"), () => node.close()),
    ),
  ]);
}

export const button = (text, onclick) => el("button", { onclick }, text);

/** The button that does what a dialog is for. */
export const primary = (text, onclick) => el("button", { class: "primary", onclick }, text);

export const buttons = (...children) => el("div", { class: "buttons" }, ...children);

export const note = (text) => el("p", { class: "note" }, text);

/** A label with what it names. */
export const field = (label, ...controls) => el("label", { class: "field" }, label, ...controls);

/** A choice among pairs of value and text. */
export const select = (attributes, choices, chosen) => el("select", attributes, options(choices, chosen));

/** What there is to choose, from pairs of value and text. */
export const options = (choices, chosen) =>
  choices.map(([value, text]) => el("option", { value, selected: value === chosen }, text));

/** A box to tick, with its label. */
export const check = (attributes, ...label) =>
  el("label", { class: "check" }, el("input", { type: "checkbox", ...attributes }), el("span", {}, ...label));

/** A tab for each game; `pick` is told the one chosen. */
export function gameTabs(games, chosen, pick) {
  const tabs = el(
    "div",
    { class: "tabs", role: "group", "aria-label": t("new.game") },
    games.map((game) =>
      el(
        "button",
        {
          class: game === chosen ? "chosen" : "",
          onclick: (event) => {
            for (const tab of tabs.children) tab.classList.toggle("chosen", tab === event.currentTarget);
            pick(game);
          },
        },
        named(game.name),
      ),
    ),
  );
  return tabs;
}
