// The board: a grid of squares with tiles, marks and arrows. It knows where things stand, not why.

import { el, svg } from "../dom.js";
import { prefs } from "../prefs.js";
import { named, t } from "../texts.js";
import { kindName, moveText, sideName, squaresOf } from "../words.js";
import { tile } from "./tiles.js";

/** Squares from one piece dropped to the next that is dropped on the same square. */
const DROP_LINE = 0.36;

export class Board {
  /** `onsquare(square)` is called when a key chooses a square; pointers are for others to follow. */
  constructor(root, handlers) {
    this.root = root;
    this.handlers = handlers;
    this.flipped = false;
    this.game = null;
    this.cells = new Map();
    this.shown = new Map();
    this.cursor = null;
    root.addEventListener("keydown", (event) => this.#key(event));
  }

  /** Builds the squares of a game, unless they are there. */
  setGame(game, flipped) {
    const notation = prefs.notation();
    if (this.game === game && this.flipped === flipped && this.notation === notation) return;
    this.game = game;
    this.flipped = flipped;
    this.notation = notation;
    this.cells.clear();
    this.shown.clear();
    const order = flipped ? [...game.squares].reverse() : game.squares;
    this.order = order.map(([name]) => name);
    this.western = new Map(game.squares);
    this.grid = el("div", { class: "grid", role: "grid", "aria-label": t("board.name", { game: named(game.name) }) });
    this.root.style.setProperty("--files", game.files);
    this.root.style.setProperty("--ranks", game.ranks);
    for (let row = 0; row < game.ranks; row++) {
      const line = el("div", { role: "row", class: "row" });
      for (let column = 0; column < game.files; column++) {
        const name = this.order[row * game.files + column];
        const rank = flipped ? game.ranks - 1 - row : row;
        const zone =
          game.promotion_zone > 0 && (rank < game.promotion_zone || rank >= game.ranks - game.promotion_zone);
        const cell = el("div", {
          class: zone ? "cell zone" : "cell",
          role: "gridcell",
          tabindex: -1,
          "data-square": name,
        });
        this.cells.set(name, cell);
        line.append(cell);
      }
      this.grid.append(line);
    }
    this.arrows = svg("svg", {
      class: "arrows",
      viewBox: `0 0 ${game.files} ${game.ranks}`,
      "aria-hidden": "true",
    });
    this.grid.append(this.arrows);
    this.root.replaceChildren(this.grid, ...this.#labels());
    if (!this.cells.has(this.cursor)) this.cursor = this.order[this.order.length - Math.ceil(game.files / 2)];
    this.cells.get(this.cursor).tabIndex = 0;
  }

  #labels() {
    const { files, ranks } = this.game;
    const western = this.notation === 1;
    const text = (name) => (western ? this.western.get(name) : name);
    const file = (name) => text(name).match(western ? /^[a-z]/ : /^\d+/)[0];
    const rank = (name) => text(name).match(western ? /\d+$/ : /[a-z]$/)[0];
    const top = this.order.slice(0, files).map((name) => el("span", {}, file(name)));
    const side = Array.from({ length: ranks }, (_, row) => el("span", {}, rank(this.order[row * files])));
    return [
      el("div", { class: "files", "aria-hidden": "true" }, top),
      el("div", { class: "ranks", "aria-hidden": "true" }, side),
    ];
  }

  /** What a square is called in the notation chosen. */
  squareName(square) {
    return prefs.notation() === 1 ? this.western.get(square) : square;
  }

  /** What the kind of a token is called. */
  name(token) {
    return named(this.kind(token).name);
  }

  /** A legal move in words. */
  spoken({ from, drop, way = [], to, promotes }) {
    const taken = [...way, to]
      .filter((square) => square !== from && this.pieces.has(square))
      .map((square) => t("move.on", { kind: this.name(this.pieces.get(square)), square: this.squareName(square) }));
    return this.#inWords(from, to, this.name(drop ?? this.pieces.get(from)), taken, promotes);
  }

  /**
   * The move that led to a node, in words.
   * @param {Wire.GameNode} node
   */
  told({ usi, side, spoken: { kind, taken, promotes, check } }) {
    const names = taken.map((token) => this.name(token));
    const { from, to } = squaresOf(usi);
    const move = this.#inWords(from, to, this.name(kind), names, promotes);
    const name = check ? [move, t("move.check")].join(t("list.comma")) : move;
    return t("side.player", { side: sideName(side === "b" ? "w" : "b"), name });
  }

  /** The same, from where it begins and ends. */
  #inWords(from, to, kind, taken, promotes) {
    return moveText(from && this.squareName(from), this.squareName(to), kind, taken, promotes);
  }

  kind(token) {
    const upper = token.toUpperCase();
    return this.game.kinds.find((kind) => kind.token === upper);
  }

  color(token) {
    return token === token.toUpperCase() ? "b" : "w";
  }

  /** The place of a square on the screen, in squares from the top left. */
  place(square) {
    const index = this.order.indexOf(square);
    return [index % this.game.files, Math.floor(index / this.game.files)];
  }

  /** Shows pieces: pairs of square and token. `last` is the move that led here, to be animated. */
  show(squares, last, animate) {
    const next = new Map(squares);
    for (const [name, cell] of this.cells) {
      const token = next.get(name);
      const key = token && `${token}${prefs.get("upright")}`;
      if (this.shown.get(name) === key) continue;
      cell.querySelector(".tile")?.remove();
      if (token) {
        const color = this.color(token);
        cell.prepend(tile(this.kind(token), color, (color === "w") !== this.flipped, true));
        this.shown.set(name, key);
      } else {
        this.shown.delete(name);
      }
    }
    this.pieces = next;
    for (const [name, cell] of this.cells) this.#label(name, cell);
    if (animate && last?.from && last.from !== last.to && prefs.get("animate")) this.#slide(last.from, last.to);
  }

  #label(name, cell) {
    const token = this.pieces.get(name);
    const square = this.squareName(name);
    const kind = token && this.kind(token);
    const piece = token && t("board.piece", { square, side: sideName(this.color(token)), kind: kindName(kind) });
    const marks = ["selected", "target", "goal", "checked"].filter((mark) => cell.classList.contains(mark));
    const text = [piece ?? square, kind?.promoted && t("board.promoted"), ...marks.map((mark) => t(`board.${mark}`))]
      .filter(Boolean)
      .join(t("list.comma"));
    if (cell.getAttribute("aria-label") !== text) cell.setAttribute("aria-label", text);
  }

  #slide(from, to) {
    const node = this.cells.get(to)?.querySelector(".tile");
    if (!node || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const [fx, fy] = this.place(from);
    const [tx, ty] = this.place(to);
    const size = this.cells.get(to).getBoundingClientRect().width;
    const turn = node.classList.contains("turned") ? " rotate(180deg)" : "";
    // Above the squares that come later in the document.
    const zIndex = 3;
    node.animate(
      [
        { transform: `translate(${(fx - tx) * size}px, ${(fy - ty) * size}px)${turn}`, zIndex },
        { transform: `translate(0, 0)${turn}`, zIndex },
      ],
      { duration: 130, easing: "ease-out" },
    );
  }

  /** Sets marks: `{ class: iterable of squares }`; all other marks go. */
  mark(marks) {
    const wanted = new Map();
    for (const [name, squares] of Object.entries(marks)) {
      for (const square of squares ?? []) {
        if (!wanted.has(square)) wanted.set(square, []);
        wanted.get(square).push(name);
      }
    }
    for (const [name, cell] of this.cells) {
      const zone = cell.classList.contains("zone") ? " zone" : "";
      const classes = `cell${zone}${wanted.has(name) ? ` ${wanted.get(name).join(" ")}` : ""}`;
      if (cell.className !== classes) {
        cell.className = classes;
        cell.setAttribute("aria-selected", classes.includes("selected"));
        this.#label(name, cell);
      }
    }
  }

  /** Draws arrows: `[{ from, to, way, kind }]`, the most important last; one without `from` marks a drop. */
  drawArrows(list) {
    const rings = new Map();
    for (const arrow of list)
      if (!arrow.from || arrow.from === arrow.to) rings.set(arrow.to, [arrow, ...(rings.get(arrow.to) ?? [])]);
    const arrows = list.filter(({ from, to }) => from && from !== to);
    this.arrows.replaceChildren(
      ...arrows.flatMap((arrow) => this.#arrow(arrow)),
      ...[...rings.values()].flatMap((ring) => this.#ring(ring)),
    );
  }

  /** A ring about a square where moves end that no arrow shows: what is dropped there stands in it, each once. */
  #ring(moves) {
    const [x, y] = this.place(moves[0].to).map((n) => n + 0.5);
    const drops = moves.filter(({ drop }, index) => drop && moves.findIndex((move) => move.drop === drop) === index);
    return [
      svg("circle", { cx: x, cy: y, r: 0.42, class: `ring ${moves[0].kind}` }),
      ...drops.map(({ drop, kind }, index) => {
        const line = y + 0.1 + (index - (drops.length - 1) / 2) * DROP_LINE;
        return svg("text", { x, y: line, class: `drop ${kind}`, "text-anchor": "middle" }, drop);
      }),
    ];
  }

  #arrow({ from, to, way = [], kind }) {
    const middle = (square) => this.place(square).map((n) => n + 0.5);
    const [tx, ty] = middle(to);
    const points = [from, ...way, to].map(middle);
    const [px, py] = points.at(-2);
    const length = Math.hypot(tx - px, ty - py) || 1;
    const [ux, uy] = [(tx - px) / length, (ty - py) / length];
    // The line ends in its head, the head in the middle of the square.
    points[points.length - 1] = [tx - ux * 0.36, ty - uy * 0.36];
    const head = [
      [tx, ty],
      [tx - ux * 0.38 - uy * 0.2, ty - uy * 0.38 + ux * 0.2],
      [tx - ux * 0.38 + uy * 0.2, ty - uy * 0.38 - ux * 0.2],
    ];
    const text = (list) => list.map((p) => p.map((n) => n.toFixed(3)).join(",")).join(" ");
    return [
      svg("polyline", { points: text(points), class: `shaft ${kind}` }),
      svg("polygon", { points: text(head), class: `head ${kind}` }),
    ];
  }

  /** The square at a place on the screen, if there is one. */
  squareAt(x, y) {
    return document.elementFromPoint(x, y)?.closest(".cell")?.getAttribute("data-square") ?? null;
  }

  /** Gives the focus to the square where the keys were last. */
  focus() {
    this.moveCursor(this.cursor, true);
  }

  moveCursor(square, focus) {
    const cell = this.cells.get(square);
    if (!cell) return;
    const old = this.cells.get(this.cursor);
    if (old) old.tabIndex = -1;
    this.cursor = square;
    cell.tabIndex = 0;
    if (focus) cell.focus();
  }

  #key(event) {
    const square = event.target.dataset?.square;
    if (!square || event.ctrlKey || event.metaKey || event.altKey) return;
    const [x, y] = this.place(square);
    const { files, ranks } = this.game;
    const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    let next = null;
    if (steps[event.key]) {
      const [dx, dy] = steps[event.key];
      next = [x + dx, y + dy];
    } else if (event.key === "Home") next = [0, y];
    else if (event.key === "End") next = [files - 1, y];
    else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      event.stopPropagation();
      // Whoever holds the key has chosen once.
      if (!event.repeat) this.handlers.onsquare(square);
      return;
    } else return;
    event.preventDefault();
    event.stopPropagation();
    const [nx, ny] = next;
    if (nx >= 0 && ny >= 0 && nx < files && ny < ranks) this.moveCursor(this.order[ny * files + nx], true);
  }
}
