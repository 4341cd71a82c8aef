// Tiles: wedges that point at the opponent, with letters, a small whale and the colour of its family.

import { svg } from "../dom.js";
import { prefs } from "../prefs.js";
import { BODY, FAMILIES, FOOT, SIZES } from "./shapes.js";

/** @param {{ name: string }} kind */
export const family = (kind) => familyOf(kind)[0];

const familyOf = ({ name }) => FAMILIES.find(([, words]) => words.split("|").some((word) => name.includes(word)));

/** The shared drawings; put into the page once. */
export function symbols() {
  const node = svg("svg", { width: 0, height: 0, "aria-hidden": "true", class: "symbols" });
  for (const [name, , , d] of FAMILIES) {
    node.append(svg("symbol", { id: `s-${name}`, viewBox: "0 0 48 28" }, svg("path", { d, "fill-rule": "evenodd" })));
  }
  return node;
}

/** A disc, or its rim, at a place. */
const disc = (x, y, r) => `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`;

/**
 * How a kind moves, along the rim of its tile: discs for steps, lines for slides, rings for all that jumps. The page
 * shows them or not (`marked`).
 */
function marks(kind) {
  const shapes = { step: new Set(), slide: new Set(), jump: new Set() };
  const view = kind.diagrams.find(({ farthest }) => !farthest) ?? kind.diagrams[0];
  for (const [dx, dy, mark] of view.marks) {
    const far = Math.max(Math.abs(dx), Math.abs(dy));
    const [px, py] = [dx / far, -dy / far];
    const [x, y] = [50 + px * (py < 0 ? 35 + py * 8 : 36), 55 + py * 42 + (py < 0 ? Math.abs(px) * 9 : 0)].map(Math.round);
    if (mark === "slide") {
      if (far === 1) shapes.slide.add(`M${x - px * 6} ${y - py * 6}L${x + px * 5} ${y + py * 5}`);
    } else if (mark === "step" || mark === "igui") shapes.step.add(disc(x, y, 5));
    else if (mark !== "second") shapes.jump.add(disc(x, y, 5));
  }
  const paths = Object.entries(shapes).filter(([, places]) => places.size > 0);
  return svg("g", { class: "marks" }, ...paths.map(([name, places]) => svg("path", { class: name, d: [...places].join("") })));
}

/**
 * The tile of a kind: `color` is "b" or "w", `turned` whether it points down the screen, `marked` whether it may show how
 * it moves.
 */
export function tile(kind, color, turned, marked = false) {
  const [name, , paint] = familyOf(kind);
  const calf = kind.pawn && /calf/.test(kind.name);
  const letters = kind.written;
  const height = calf ? 18 : 25;
  const width = (height * 48) / 28;
  // These are each other upside down.
  const upright = turned && (prefs.get("upright") || /^[MW]$/.test(letters));
  const text = svg(
    "text",
    {
      x: 50,
      y: 88,
      "text-anchor": "middle",
      "font-size": SIZES[Math.min(letters.length, 4) - 1],
      transform: upright ? "rotate(180 50 73)" : null,
    },
    letters,
  );
  return svg(
    "svg",
    {
      viewBox: "0 0 100 110",
      class: `tile f-${name} c-${color}${kind.promoted ? " promoted" : ""}${turned ? " turned" : ""}${calf ? " calf" : ""}`,
      color: paint,
      "aria-hidden": "true",
      focusable: "false",
    },
    svg("path", { class: "body", d: BODY }),
    svg("path", { class: "foot", d: FOOT }),
    svg("use", {
      href: `#s-${name}`,
      class: "whale",
      x: 50 - width / 2,
      y: calf ? 25 : 19,
      width,
      height,
    }),
    text,
    ...(marked && kind.diagrams ? [marks(kind)] : []),
  );
}
