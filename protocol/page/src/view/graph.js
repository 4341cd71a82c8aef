// The graph of the evaluation over the line shown; a click goes to the move.

import { share } from "../chances.js";
import { el, svg } from "../dom.js";
import { t } from "../texts.js";

const WIDTH = 600;
const HEIGHT = 110;

export class Graph {
  /** `go(node)` is called with the node clicked. */
  constructor(go) {
    this.path = svg("path", { class: "graph-line" });
    this.area = svg("path", { class: "graph-area" });
    this.cursor = svg("line", { class: "graph-cursor", y1: 0, y2: HEIGHT });
    this.drawing = svg(
      "svg",
      { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", class: "graph" },
      svg("line", { class: "graph-middle", x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2 }),
      this.area,
      this.path,
      this.cursor,
    );
    this.root = el("div", { class: "graph-box", role: "img", "aria-label": t("analysis.graph") }, this.drawing);
    this.root.addEventListener("click", (event) => {
      const box = this.root.getBoundingClientRect();
      const at = Math.round(((event.clientX - box.left) / box.width) * (this.line.length - 1));
      const node = this.line[Math.max(0, Math.min(this.line.length - 1, at))];
      if (node) go(node.id);
    });
    this.line = [];
  }

  /** Shows a line of a game, an array of nodes, and where in it the board stands; `scores`: those of its nodes, too. */
  show(line, variant, current, scores) {
    this.line = line;
    const step = WIDTH / Math.max(1, line.length - 1);
    const points = [];
    line.forEach((node, index) => {
      if (scores && node.score) points.push([index * step, HEIGHT - share(node.score[0], variant) * HEIGHT]);
      else if (node.result) points.push([index * step, { "1-0": 0, "0-1": HEIGHT }[node.result] ?? HEIGHT / 2]);
    });
    this.root.classList.toggle("empty", points.length < 2);
    const text = points.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`);
    this.path.setAttribute("d", text.length > 1 ? `M${text.join("L")}` : "");
    const [from, to] = [points[0], points.at(-1)];
    this.area.setAttribute(
      "d",
      text.length > 1 ? `M${from[0].toFixed(1)} ${HEIGHT}L${text.join("L")}L${to[0].toFixed(1)} ${HEIGHT}Z` : "",
    );
    const at = line.findIndex((node) => node.id === current);
    this.cursor.setAttribute("x1", at * step);
    this.cursor.setAttribute("x2", at * step);
    this.cursor.style.display = at < 0 ? "none" : "";
  }
}
