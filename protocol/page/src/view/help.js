// What a piece is and how it moves: its diagrams and words.

import { el, svg } from "../dom.js";
import { named, t } from "../texts.js";
import { family, tile } from "./tiles.js";

/** The drawing of a diagram, forward up. */
export function diagram(kind, view) {
  const { radius } = view;
  const top = view.farthest ? 0 : radius;
  const files = 2 * radius + 1;
  const ranks = radius + top + 1;
  const x = (dx) => dx + radius;
  const y = (dy) => top - dy;
  const cells = [];
  for (let row = 0; row < ranks; row++) {
    for (let column = 0; column < files; column++)
      cells.push(svg("rect", { x: column, y: row, width: 1, height: 1, class: "d-cell" }));
  }
  const marks = view.marks
    .filter(([, dy]) => dy <= top)
    .flatMap(([dx, dy, mark]) => {
      const [cx, cy] = [x(dx) + 0.5, y(dy) + 0.5];
      if (mark === "slide") {
        const length = Math.max(Math.abs(dx), Math.abs(dy));
        const [ux, uy] = [dx / length, -dy / length];
        const end = length === radius ? 0.5 : 0.62;
        return [
          svg("line", { x1: cx - ux * 0.5, y1: cy - uy * 0.5, x2: cx + ux * end, y2: cy + uy * end, class: "d-slide" }),
        ];
      }
      if (mark === "step") return [svg("circle", { cx, cy, r: 0.26, class: "d-step" })];
      if (mark === "leap") return [svg("circle", { cx, cy, r: 0.25, class: "d-leap" })];
      if (mark === "rider")
        return [
          svg("rect", {
            x: cx - 0.2,
            y: cy - 0.2,
            width: 0.4,
            height: 0.4,
            class: "d-rider",
            transform: `rotate(45 ${cx} ${cy})`,
          }),
        ];
      if (mark === "second") return [svg("circle", { cx, cy, r: 0.13, class: "d-second" })];
      if (mark === "igui") {
        return [
          svg("circle", { cx, cy, r: 0.36, class: "d-igui" }),
          svg("circle", { cx, cy, r: 0.2, class: "d-step" }),
        ];
      }
      return [
        svg("circle", { cx, cy, r: 0.36, class: "d-way" }),
        svg("text", { x: cx, y: cy + 0.17, "text-anchor": "middle", class: "d-number" }, mark.slice(3)),
      ];
    });
  const own = tile(kind, "b", false);
  own.setAttribute("x", x(0) + 0.06);
  own.setAttribute("y", y(0) + 0.03);
  own.setAttribute("width", 0.88);
  own.setAttribute("height", 0.94);
  return svg(
    "svg",
    {
      viewBox: `-0.05 -0.05 ${files + 0.1} ${ranks + 0.1}`,
      class: "diagram",
      role: "img",
      "aria-label": t("piece.moves", { kind: named(kind.name) }),
    },
    cells,
    marks,
    own,
  );
}

/** Name, diagrams and words for a kind. */
export function describe(game, kind, color = "b") {
  const find = (token) => game.kinds.find((other) => other.token === token);
  const used = [...new Set(kind.diagrams.flatMap((view) => view.marks.map(([, , mark]) => mark)))];
  const written = (token) => t("piece.written", { name: named(find(token).name), written: find(token).written });
  const facts = [
    kind.class !== kind.name && !kind.pawn && t("piece.as", { kind: named(kind.class) }),
    kind.promotes_to && t("piece.promotes", { kind: written(kind.promotes_to) }),
    kind.promoted && t("piece.promoted", { kind: written(kind.in_hand) }),
    !kind.promoted && (kind.in_hand ?? kind.token) !== kind.token && t("piece.captured", { kind: written(kind.in_hand) }),
    !kind.in_hand && t(game.capture ? "piece.ends" : "piece.mated"),
  ].filter(Boolean);
  const notes = kind.diagrams.map((view) => view.note).filter(Boolean);
  return el(
    "div",
    { class: "piece-help" },
    el(
      "div",
      { class: "piece-title" },
      el("span", { class: "big-tile" }, tile(kind, color, false)),
      el(
        "div",
        {},
        el("h3", {}, named(kind.name)),
        el("small", {}, [kind.written, t(`family.${family(kind)}`), kind.promoted && t("board.promoted")].filter(Boolean).join(" · ")),
      ),
    ),
    el(
      "div",
      { class: "diagrams" },
      kind.diagrams.map((view) =>
        el(
          "figure",
          {},
          diagram(kind, view),
          kind.diagrams.length > 1 && el("figcaption", {}, t(view.farthest ? "piece.farthest" : "piece.elsewhere")),
        ),
      ),
    ),
    el(
      "ul",
      { class: "legend" },
      used.map((mark) =>
        el(
          "li",
          {},
          svg("svg", { viewBox: "0 0 1 1", class: "diagram mini", "aria-hidden": "true" }, sample(mark)),
          t(`mark.${mark}`),
        ),
      ),
      notes.map((note) => el("li", { class: "words" }, t(note.includes("slide") ? "piece.pass-slide" : "piece.pass-step"))),
    ),
    facts.length > 0 && el("p", { class: "facts" }, facts.join(t("list.space"))),
  );
}

function sample(mark) {
  const shapes = {
    step: () => [svg("circle", { cx: 0.5, cy: 0.5, r: 0.26, class: "d-step" })],
    leap: () => [svg("circle", { cx: 0.5, cy: 0.5, r: 0.25, class: "d-leap" })],
    slide: () => [svg("line", { x1: 0.1, y1: 0.5, x2: 0.9, y2: 0.5, class: "d-slide" })],
    rider: () => [
      svg("rect", { x: 0.3, y: 0.3, width: 0.4, height: 0.4, class: "d-rider", transform: "rotate(45 .5 .5)" }),
    ],
    second: () => [svg("circle", { cx: 0.5, cy: 0.5, r: 0.13, class: "d-second" })],
    igui: () => [
      svg("circle", { cx: 0.5, cy: 0.5, r: 0.36, class: "d-igui" }),
      svg("circle", { cx: 0.5, cy: 0.5, r: 0.2, class: "d-step" }),
    ],
    way: (n) => [
      svg("circle", { cx: 0.5, cy: 0.5, r: 0.36, class: "d-way" }),
      svg("text", { x: 0.5, y: 0.67, "text-anchor": "middle", class: "d-number" }, n),
    ],
  };
  return mark.startsWith("way") ? shapes.way(mark.slice(3)) : shapes[mark]();
}
