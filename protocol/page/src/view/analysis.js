// What the engine thinks: lines, bar, numbers, graph.

import { pawnText, scoreText, share } from "../chances.js";
import { $, el, toast, write } from "../dom.js";
import { prefs } from "../prefs.js";
import { t } from "../texts.js";
import { countText, counted, moveNumber } from "../words.js";
import { Graph } from "./graph.js";
import { scoresShown, thoughtsShown } from "./scores.js";

export class Analysis {
  constructor(root, store, board) {
    this.store = store;
    this.board = board;
    this.lines = null;
    this.thoughts = null;
    this.key = "";
    this.graph = new Graph((node) => store.goto(node));
    this.onOff = el(
      "button",
      { class: "switch", role: "switch", "aria-checked": "false", onclick: () => this.toggle() },
      el("i"),
      t("analysis"),
    );
    this.count = el(
      "select",
      { "aria-label": t("analysis.lines"), title: t("analysis.lines"), onchange: () => this.#send(true) },
      [1, 2, 3, 4, 5, 8].map((n) => el("option", { value: n }, counted(n, "line"))),
    );
    this.count.value = "3";
    this.sweep = el(
      "button",
      { class: "quiet", onclick: () => store.send({ type: "sweep", on: !store.state()?.sweep }) },
      t("analysis.whole"),
    );
    this.numbers = el("p", { class: "numbers" });
    this.list = el("ol", { class: "lines", "aria-label": t("analysis.list") });
    root.append(
      el("div", { class: "analysis-head" }, this.onOff, this.count, this.sweep),
      this.numbers,
      this.list,
      this.graph.root,
    );
    this.list.addEventListener("click", (event) => {
      const item = event.target.closest("[data-line]");
      if (item) this.#play(Number(item.dataset.line), Number(item.dataset.ply));
    });
  }

  /** Turns analysis on or off. */
  toggle() {
    this.#send(this.store.state()?.analysis === null);
  }

  #send(on) {
    this.store.send({ type: "analysis", on, lines: Number(this.count.value) });
  }

  /** Plays the moves of a line up to one of them, as a branch. */
  #play(line, ply) {
    const state = this.store.state();
    if (!state) return;
    // A look at a line must not make moves in a game.
    if (state.playing) return toast(t("analysis.pause"));
    const found = this.lines?.lines[line];
    if (!found || this.lines.node !== state.current) return;
    this.store.playLine(found.usi.slice(0, ply + 1));
  }

  /** Takes what an engine found. */
  take(message) {
    if (message.role === "analyst") this.lines = message;
    else this.thoughts = message;
    this.show(this.store.state());
  }

  /** Arrows of the lines found for the position shown. */
  arrows(state) {
    if (!prefs.get("arrows") || this.lines?.node !== state.current || state.analysis === null) return [];
    const legal = new Map(state.position.legal.map((move) => [move.usi, move]));
    return this.lines.lines
      .slice(0, 3)
      .map((line, index) => ({ ...legal.get(line.usi[0]), kind: index === 0 ? "best" : "other" }))
      .filter((arrow) => arrow.to)
      .reverse();
  }

  show(state) {
    if (!state) return;
    const on = state.analysis !== null;
    this.onOff.setAttribute("aria-checked", on);
    if (on && document.activeElement !== this.count) this.count.value = String(state.analysis);
    const [done, all] = state.sweep ?? [];
    this.sweep.textContent = state.sweep ? t("analysis.stop", { done, all }) : t("analysis.whole");
    const nodes = this.store.nodes();
    const current = nodes.get(state.current);
    const shown = this.#shown(state);
    this.#rows(shown, state);
    const scores = scoresShown(state);
    this.#bar(state.variant, current, shown?.lines[0]?.score ?? (scores ? current?.score?.[0] : undefined));
    this.graph.show(this.store.line(), state.variant, state.current, scores);
  }

  /** Whether there is something to measure, now or at another move: the bar neither comes nor goes from move to move. */
  #measures() {
    const state = this.store.state();
    if (state.analysis !== null || thoughtsShown(state)) return true;
    return scoresShown(state) && state.nodes.some(({ score, result }) => score || result);
  }

  #shown(state) {
    if (state.analysis !== null && this.lines?.node === state.current) return this.lines;
    return this.thoughts?.node === state.current && thoughtsShown(state) ? this.thoughts : null;
  }

  #rows(shown, state) {
    if (!shown) {
      const idle = state.analysis !== null && state.analyst.state === "starting" ? t("analysis.starting") : "";
      write(this.numbers, idle);
      if (state.analysis === null) {
        this.key = "";
        this.list.replaceChildren();
      }
      return;
    }
    const best = shown.lines[0];
    const depth = best && [best.depth, best.seldepth].filter(Boolean).join("/");
    this.numbers.textContent = [
      shown.role === "player" ? t("analysis.thoughts") : state.analyst.name,
      depth && t("analysis.depth", { depth }),
      t("analysis.nodes", { nodes: countText(shown.nodes) }),
      t("analysis.speed", { nps: countText(shown.nps) }),
    ]
      .filter(Boolean)
      .join(" · ");
    const notation = prefs.notation();
    // Lines that only their numbers have changed for stay: a press and its release hit the same move.
    const way = prefs.get("scores");
    const key = JSON.stringify([shown.node, notation, way, shown.lines.map((line) => [line.score, line.bound, line.usi])]);
    if (key === this.key) return;
    this.key = key;
    const { ply, side } = this.store.nodes().get(shown.node);
    this.list.replaceChildren(
      ...shown.lines.map((line, index) =>
        el(
          "li",
          {},
          el(
            "span",
            {
              class: `score ${line.score.cp >= 0 || line.score.mate > 0 ? "plus" : "minus"}`,
              title: pawnText(line.score),
            },
            (line.bound ? "≈" : "") + scoreText(line.score, state.variant),
          ),
          el(
            "span",
            { class: "line" },
            line.text.slice(0, 14).flatMap((text, step) => {
              const black = (side === "b") === (step % 2 === 0);
              const prefix = black || step === 0 ? `${moveNumber(ply + step, black)}${black ? "." : "…"} ` : "";
              return [
                prefix && el("span", { class: "number" }, prefix),
                el("button", { "data-line": index, "data-ply": step, tabindex: step === 0 ? 0 : -1 }, text[notation]),
                " ",
              ];
            }),
          ),
        ),
      ),
    );
  }

  /** Black's share of the prospects, by the result or a score if there is one. */
  #bar(variant, current, score) {
    const bar = $("#bar");
    const result = { "1-0": 1, "0-1": 0, "1/2-1/2": 0.5 }[current?.result];
    const part = result ?? (score ? share(score, variant) : 0.5);
    bar.hidden = !prefs.get("bar") || !this.#measures();
    bar.classList.toggle("flipped", this.board.flipped);
    // The figure stands at the end that has the greater part, where it can be read.
    bar.classList.toggle("behind", part < 0.5);
    bar.firstElementChild.style.height = `${(part * 100).toFixed(1)}%`;
    const text = current?.result ?? (score ? scoreText(score, variant) : "");
    bar.lastElementChild.textContent = text;
    bar.title = score && !current?.result ? pawnText(score) : "";
    bar.setAttribute("aria-label", text ? t("analysis.bar", { score: text }) : t("analysis.none"));
  }
}
