// A menu at a place on the screen: one at a time, by mouse, touch and keys.

import { $, el, focused } from "../dom.js";

/** Where one bar below the board, with a menu, has all that a game needs; the same as in `style/layout.css`. */
export const narrow = matchMedia(
  "(max-width: 760px), (max-width: 1120px) and (max-height: 520px) and (orientation: landscape)",
);

/** Closes the menu, if one is open. */
export let closeMenu = () => {};

/**
 * Opens a menu.
 * @param {[string, () => void][]} items what stands there, and what it does
 */
export function openMenu(items, x, y) {
  closeMenu();
  const opener = focused();
  const close = () => {
    closeMenu();
    opener.focus();
  };
  const menu = el(
    "div",
    { class: "menu", role: "menu" },
    items.map(([text, act]) => el("button", { role: "menuitem", onclick: () => (close(), act()) }, text)),
  );
  $("#table").append(menu);
  menu.style.left = `${Math.max(4, Math.min(x, innerWidth - menu.offsetWidth - 4))}px`;
  menu.style.top = `${Math.max(4, Math.min(y, innerHeight - menu.offsetHeight - 4))}px`;
  menu.firstElementChild.focus();
  menu.addEventListener("keydown", (event) => {
    // The keys of a menu are not those of the game.
    event.stopPropagation();
    if (event.key === "Escape") close();
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const all = [...menu.children];
    all.at((all.indexOf(focused()) + step) % all.length).focus();
  });
  // A press on its rim must not take the focus, and with it the keys.
  menu.addEventListener("mousedown", (event) => event.preventDefault());
  menu.addEventListener("focusout", ({ relatedTarget }) => relatedTarget && away({ target: relatedTarget }));
  const away = ({ target }) => menu.contains(target) || closeMenu();
  addEventListener("pointerdown", away);
  closeMenu = () => {
    removeEventListener("pointerdown", away);
    menu.remove();
    closeMenu = () => {};
  };
}
