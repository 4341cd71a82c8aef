// The signs on buttons, drawn: not every system has letters for them.

import { svg } from "./dom.js";

/** Strokes in a box of 24 by 24. */
const STROKES = {
  first: "M18 6l-6 6 6 6M11 6l-6 6 6 6",
  back: "M15 6l-6 6 6 6",
  on: "M9 6l6 6-6 6",
  undo: "M9 7l-5 5 5 5M4 12h11a5 5 0 0 1 0 10h-2",
  hint: "M9 18h6M10 21h4M12 3a6 6 0 0 0-3.6 10.8c.6.5.9 1.2.9 2V16h5.4v-.2c0-.8.3-1.5.9-2A6 6 0 0 0 12 3",
  last: "M6 6l6 6-6 6M13 6l6 6-6 6",
  more: "M5 12h.01M12 12h.01M19 12h.01",
  attacks: "M12 3v4M12 17v4M3 12h4M17 12h4M12 6a6 6 0 1 0 .01 0Z",
  turn: "M8 20V6M4 10l4-4 4 4M16 4v14M12 14l4 4 4-4",
  share: "M12 4v11M7 11l5 5 5-5M5 20h14",
  close: "M6 6l12 12M18 6L6 18",
  bin: "M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13M10.5 11v5.5M13.5 11v5.5",
  settings:
    "M4 7h9M19 7h1M4 17h1M11 17h9M16 4.5a2.5 2.5 0 1 0 .01 0ZM8 14.5a2.5 2.5 0 1 0 .01 0Z",
};

/** The drawing of a sign; its button says in words what it does. */
export const icon = (name) =>
  svg("svg", { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" }, svg("path", { d: STROKES[name] }));

/** Draws the signs that elements below a node ask for by `data-icon`. */
export function drawIcons(root) {
  for (const node of root.querySelectorAll("[data-icon]")) node.prepend(icon(node.dataset.icon));
}
