// The list of moves: the main line in two columns, branches indented below the move they replace.

import { pawnText, scoreText } from "../chances.js";
import { askFirst } from "../dialogs/dialog.js";
import { el } from "../dom.js";
import { closeMenu, openMenu } from "./menu.js";
import { prefs } from "../prefs.js";
import { t } from "../texts.js";
import { counted, endingText, moveNumber } from "../words.js";
import { scoresShown } from "./scores.js";

/** Pixels from an edge of the list at which the move shown counts as out of sight. */
const EDGE = 30;

export class Moves {
  /** `board` tells moves in words. */
  constructor(root, store, board) {
    this.root = root;
    this.store = store;
    this.board = board;
    this.key = "";
    // The list has the room that the analysis leaves.
    new ResizeObserver(() => this.#scroll()).observe(root);
    store.on("leave", () => closeMenu());
    root.addEventListener("click", (event) => {
      const node = event.target.closest("[data-node]");
      if (node) store.goto(Number(node.dataset.node));
    });
    root.addEventListener("contextmenu", (event) => {
      const node = event.target.closest("[data-node]");
      if (!node) return;
      event.preventDefault();
      this.#menu(Number(node.dataset.node), event.clientX, event.clientY);
    });
    root.addEventListener("keydown", (event) => {
      const node = event.target.closest("[data-node]");
      if (node && (event.key === "ContextMenu" || (event.shiftKey && event.key === "F10"))) {
        event.preventDefault();
        const box = node.getBoundingClientRect();
        this.#menu(Number(node.dataset.node), box.left, box.bottom);
      }
    });
  }

  show(state, nodes) {
    this.scores = scoresShown(state);
    const structure = JSON.stringify([
      state.nodes.map((node) => [node.id, node.children, node.text[prefs.notation()], node.score?.[0], node.ending]),
      state.tip,
      state.playing,
      this.scores,
      prefs.get("scores"),
    ]);
    if (structure !== this.key) {
      this.key = structure;
      this.#build(state, nodes);
    }
    const old = this.root.querySelector(".now");
    const now = this.root.querySelector(`[data-node="${state.current}"]`);
    if (old !== now) {
      old?.classList.remove("now");
      old?.removeAttribute("aria-current");
      now?.classList.add("now");
      now?.setAttribute("aria-current", "true");
      this.#scroll();
    }
  }

  /** Brings the move shown into sight, away from the edges. */
  #scroll() {
    const box = this.root;
    const now = box.querySelector(".now");
    if (!now) {
      box.scrollTop = 0;
      return;
    }
    const place = now.getBoundingClientRect();
    const top = place.top - box.getBoundingClientRect().top - box.clientTop;
    if (top < EDGE || top + place.height > box.clientHeight - EDGE)
      box.scrollTop += top - (box.clientHeight - place.height) / 2;
  }

  #build(state, nodes) {
    const rows = [];
    const root = nodes.get(0);
    const first = root.side;
    /** @type {HTMLElement} */
    let row = null;
    const open = (node) => {
      row = el("div", { class: "pair" }, el("span", { class: "number" }, `${this.#number(node)}.`));
      rows.push(row);
    };
    let at = root;
    while (at.children.length > 0) {
      const node = nodes.get(at.children[0]);
      const black = node.side === "w";
      if (black || !row) {
        open(node);
        if (!black) row.append(el("span", { class: "move none" }, "…"));
      }
      row.append(this.#move(node, state));
      const others = at.children.slice(1);
      if (others.length > 0) {
        const box = el("div", { class: "branches" });
        for (const id of others) box.append(this.#branch(id, nodes, state, 0));
        rows.push(box);
        row = null;
      }
      at = node;
      if (!black) row = null;
    }
    const last = at;
    if (last.ending) rows.push(el("div", { class: "ending" }, el("b", {}, last.result ?? ""), ` ${endingText(last.ending)}`));
    const start = el(
      "button",
      { class: "start", "data-node": 0 },
      t(first === "w" && state.handicap ? "moves.start-white" : "moves.start"),
    );
    this.root.replaceChildren(start, ...rows);
    if (rows.length === 0) {
      const branch = el("span", { class: "branches" }, t("moves.branch"));
      this.root.append(el("p", { class: "hint" }, t("moves.none"), branch));
    }
  }

  #move(node, state) {
    const text = node.text[prefs.notation()];
    const score = this.scores && node.score && scoreText(node.score[0], state.variant);
    const spoken = this.board.told(node);
    return el(
      "button",
      {
        class: `move${node.id === state.tip && state.playing ? " tip" : ""}`,
        "data-node": node.id,
        title: spoken,
        "aria-label": `${[text, score].filter(Boolean).join(" ")}, ${spoken}`,
      },
      el("span", {}, text),
      score && " ",
      score && el("small", { title: pawnText(node.score[0]) }, score),
    );
  }

  /** The number of the move that led to a node. */
  #number(node) {
    return moveNumber(node.ply - 1, node.side === "w");
  }

  #branch(id, nodes, state, depth) {
    const line = el("div", { class: "branch" });
    let node = nodes.get(id);
    let numbered = true;
    for (;;) {
      const black = node.side === "w";
      if (black || numbered) line.append(el("span", { class: "number" }, `${this.#number(node)}.${black ? "" : "…"}`));
      line.append(this.#move(node, state));
      numbered = false;
      for (const other of node.children.slice(1)) {
        if (depth < 12) line.append(this.#branch(other, nodes, state, depth + 1));
        numbered = true;
      }
      if (node.ending) line.append(el("small", { class: "ending" }, node.ending));
      if (node.children.length === 0) return line;
      node = nodes.get(node.children[0]);
    }
  }

  /**
   * What can become of a move: each in words, and how it is done.
   * @returns {[string, () => void][]}
   */
  items(node) {
    if (node === 0) return [];
    return [
      [t("moves.promote"), () => this.store.send({ type: "promote", node })],
      [t("moves.delete"), () => this.#delete(node)],
    ];
  }

  /** Asks what is to become of a move, at a place on the screen. */
  #menu(node, x, y) {
    if (node !== 0) openMenu(this.items(node), x, y);
  }

  #delete(node) {
    const nodes = this.store.nodes();
    let removed = 0;
    // The menu may be older than the moves.
    for (const left = [node]; left.length > 0; removed++) left.push(...(nodes.get(left.pop())?.children ?? []));
    const act = () => this.store.send({ type: "delete", node });
    if (removed > 1 && nodes.has(node))
      askFirst(
        t("moves.gone", { move: nodes.get(node).text[prefs.notation()], moves: counted(removed, "move") }),
        t("delete"),
        act,
      );
    else act();
  }
}
