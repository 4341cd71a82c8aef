// Tiles: wedges that point at the opponent, with letters, a small whale and the colour of its family.

import { svg } from "../dom.js";
import { prefs } from "../prefs.js";

/** Families of whales by what a name contains; the first that fits. */
const FAMILIES = [
  ["royal", /white whale/],
  ["killer", /killer|pilot/],
  ["dolphin", /dolphin/],
  ["porpoise", /porpoise/],
  ["sperm", /sperm/],
  ["beaked", /beaked|bottlenose/],
  ["arctic", /narwhal|beluga/],
  ["baleen", /./],
];

/** Silhouettes in a box of 48 by 28, heads to the left. */
const SHAPES = {
  royal: [
    "M16 9 14.5 1.5 19.5 4.5 24 0 28.5 4.5 33.5 1.5 32 9Z",
    "M3 20C5 13 15 11 25 12 33 13 38 15 41 15L46 10 45 17 47 23 41 20.5C35 25 27 27 18 27 9 27 2 25 3 20Z",
  ],
  killer: [
    "M2 18C3 11 12 9 19 9 20 5 22 2 25.5 0 25 4 26 7 28 9.5 34 10.5 38 12 41 13.5L47 8 45 15 47 22 41 18C34 22 28 24 18 23.5L14 27 11 23C6 22.5 1.5 21.5 2 18ZM8.5 13.5A3 1.7 0 1 0 14.5 13.5 3 1.7 0 1 0 8.5 13.5Z",
  ],
  dolphin: [
    "M1 20C5 17 8 9 18 6.5 20 3 24 1.5 28 1 26.5 3 26.5 5 27.5 7.5 35 10.5 40 16 42 22 44 22 46 23.5 47 26.5 44 25 42 25 40 27.5 39 25.5 39 24 40 22 34 17.5 28 15.5 22 16.5 20 19.5 18 21 14.5 22 16 20 16 18.5 16.5 17 11 17.5 8 20.5 1 20Z",
  ],
  porpoise: [
    "M3 17C4 10 12 7.5 20 7.5L24 3 27.5 8.5C34 9.5 38 12 41 14L46 9 45 16 47 22 41 18.5C34 22.5 28 23.5 20 23L16 26.5 13.5 22.5C8 22 2.5 21 3 17Z",
  ],
  sperm: [
    "M2 9C2 6 5 5 9 5L24 6C32 7 37 11 40 13L46 8 45 15 47 21.5 40 17.5C36 20.5 30 21.5 24.5 21.5L22 25 18.5 22 8 21.5C5.5 21.5 4.5 20 5 18.5L16 18 3.5 16C2 14 2 12 2 9Z",
  ],
  beaked: [
    "M0 16C5 15.5 7 14 9 12 13 8 20 7.5 27.5 9L32.5 5.5 33 10.5C37 12 39 13 41 13.5L47 8.5 45 15 47 21.5 41 17.5C35 20.5 28 22.5 20.5 22L16.5 25.5 14.5 21.5C10 20.5 8 19.5 6 18.5L0 18.2Z",
  ],
  arctic: [
    "M0 4 14 10.5C18 8 24 8 29 9.5 35 11 38 13 41 14L47 9 45 16 47 22.5 41 18.5C35 21.5 29 23.5 22 23.5L18 26.5 15.5 22.5C11 21 9 19 9 16 9 14.3 9.5 13 10.5 12Z",
  ],
  baleen: [
    "M2 18C3 8 17 5 28 9 34 11.5 37 13 40 10.5 38.5 7.5 39.5 4.5 41.5 2 42.5 5 44.5 6 47.5 5.5 47 9 45 10.5 43.5 11.5 42.5 18 34 24.5 22 24.5L18 27.5 15.5 24C8 23.5 2 22.5 2 18Z",
  ],
};

/** @param {{ name: string }} kind */
export const family = (kind) => FAMILIES.find(([, pattern]) => kind.name.search(pattern) >= 0)[0];

/** The shared drawings; put into the page once. */
export function symbols() {
  const node = svg("svg", { width: 0, height: 0, "aria-hidden": "true", class: "symbols" });
  for (const [name, paths] of Object.entries(SHAPES)) {
    node.append(
      svg(
        "symbol",
        { id: `s-${name}`, viewBox: "0 0 48 28" },
        ...paths.map((d) => svg("path", { d, "fill-rule": "evenodd" })),
      ),
    );
  }
  return node;
}

const SIZES = [0, 47, 39, 31, 25];

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
  const name = family(kind);
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
      "font-size": SIZES[Math.min(letters.length, 4)],
      transform: upright ? "rotate(180 50 73)" : null,
    },
    letters,
  );
  return svg(
    "svg",
    {
      viewBox: "0 0 100 110",
      class: `tile f-${name} c-${color}${kind.promoted ? " promoted" : ""}${turned ? " turned" : ""}${calf ? " calf" : ""}`,
      "aria-hidden": "true",
      focusable: "false",
    },
    svg("path", { class: "body", d: "M50 3 83 17 94 106H6L17 17Z" }),
    svg("path", { class: "foot", d: "M7.2 97 6 106H94L92.8 97Z" }),
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
