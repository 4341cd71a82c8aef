// The two sides of the table: who plays, clocks, pieces in hand.

import { $, el, focused, write } from "../dom.js";
import { named, t } from "../texts.js";
import { clockText, kindName, playerName, sideName } from "../words.js";
import { owned } from "./drag.js";
import { tile } from "./tiles.js";

export class Sides {
  /** `roots` are the elements of the far and the near side; `view` has `board`, `input` and `look(token)`. */
  constructor(roots, store, view) {
    this.roots = roots;
    this.store = store;
    this.view = view;
    this.received = 0;
    this.keys = ["", ""];
    for (const root of roots) {
      root.addEventListener("pointerdown", (event) => this.#down(event));
      root.addEventListener("click", (event) => {
        const held = event.target.closest(".held");
        if (held && event.detail === 0) this.#choose(held);
      });
    }
    setInterval(() => this.#tick(), 100);
  }

  show(state, flipped) {
    this.state = state;
    this.received = performance.now();
    const order = flipped ? ["b", "w"] : ["w", "b"];
    order.forEach((side, index) => this.#side(index, side, state, flipped));
    this.#tick();
  }

  #side(index, side, state, flipped) {
    const turn = state.position.side === side;
    const over = state.position.legal.length === 0;
    const which = side === "b" ? 0 : 1;
    const thinking =
      state.playing &&
      state.player.state === "searching" &&
      state.nodes.find((node) => node.id === state.tip)?.side === side;
    const hand = state.position.hands[which];
    const selected = this.view.input.piece?.drop;
    const name = playerName(state.players[which], this.store.game().levels);
    // Nobody sits at a game that nobody keeps.
    const own = sideName(side);
    const who = this.store.fleeting ? own : t("side.player", { side: own, name });
    const key = JSON.stringify([
      side,
      who,
      turn,
      over,
      thinking,
      hand,
      state.variant,
      flipped,
      turn && selected,
      state.movable,
      !!state.clocks,
    ]);
    if (this.keys[index] === key) return;
    this.keys[index] = key;
    const turned = (side === "w") !== flipped;
    const usable = turn && state.movable;
    const held = hand.map(([token, count]) => {
      const kind = this.view.board.kind(token);
      const chosen = usable && selected === token;
      return el(
        "button",
        {
          class: `held${usable ? " mine" : ""}${chosen ? " chosen" : ""}`,
          "data-token": token,
          "data-side": side,
          "aria-label": t("side.held", { side: own, kind: kindName(kind), count }),
          "aria-pressed": chosen ? "true" : "false",
          title: named(kind.name),
        },
        tile(kind, side, turned, true),
        count > 1 && el("span", { class: "count" }, ` ${count}`),
      );
    });
    const kept = this.roots[index].contains(focused()) && focused().dataset.token;
    this.roots[index].className = `side ${turn && !over ? "turn" : ""}`;
    this.roots[index].replaceChildren(
      el(
        "div",
        { class: "who" },
        el("span", { class: `stone ${side}` }),
        el("span", { class: "who-name" }, who),
        thinking && el("span", { class: "thinking", title: t("side.thinking") }, el("i"), el("i"), el("i")),
        state.clocks && el("span", { class: "clock", "data-side": side, role: "timer" }),
      ),
      el(
        "div",
        { class: "hand", role: "group", "aria-label": t(held.length ? "side.hand" : "side.empty", { side: own }) },
        held,
      ),
    );
    // Drawing the hand anew must not take the focus from somebody at the keyboard.
    if (kept) this.roots[index].querySelector(`.held[data-token="${kept}"]`)?.focus();
  }

  #tick() {
    const { state } = this;
    if (!state?.clocks) return;
    const gone = performance.now() - this.received;
    for (const node of document.querySelectorAll(".clock")) {
      const side = node.getAttribute("data-side");
      const running = state.clocks.running === side;
      const which = side === "b" ? 0 : 1;
      const left = state.clocks.left[which];
      const main = left - (running ? gone : 0);
      let text = clockText(main);
      let low = main < 20000;
      if (main <= 0 && state.time.byoyomi > 0) {
        const spent = running ? Math.max(0, gone - Math.max(0, left)) : 0;
        const byoyomi = state.clocks.byoyomi[which] - spent;
        text = t("clock.byoyomi", { time: clockText(byoyomi) });
        low = byoyomi <= 0 || (running && byoyomi < 10000);
      }
      write(node, text);
      node.classList.toggle("running", running);
      node.classList.toggle("low", low);
    }
  }

  #choose(held) {
    const { token, side } = held.dataset;
    this.view.look(side === "b" ? token : token.toLowerCase(), { drop: token });
    if (this.state.movable && this.state.position.side === side) this.view.input.hand(token);
  }

  #down(event) {
    const held = event.target.closest(".held");
    if (!held || event.button !== 0 || owned(event)) return;
    const { token, side } = held.dataset;
    const usable = this.state.movable && this.state.position.side === side;
    if (!usable) return this.#choose(held);
    const chosen = this.view.input.piece?.drop === token;
    if (!chosen) this.#choose(held);
    // The choice draws the hand anew: the drag follows the tile that is there now.
    const fresh = $(`.held[data-token="${token}"][data-side="${side}"]`) ?? held;
    this.view.input.carry(event, null, fresh.querySelector(".tile"), () => chosen && this.#choose(fresh));
  }
}
