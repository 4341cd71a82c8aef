// The card of the game: its name and rules, how it stands, what can be done, what is wrong with the engines.

import { openOpponents } from "../dialogs/opponents.js";
import { askFirst } from "../dialogs/dialog.js";
import { $, el, keepIn, write } from "../dom.js";
import { prefs } from "../prefs.js";
import { USUAL_RULES } from "../request.js";
import { named, t, told } from "../texts.js";
import { endingText, handicapName, sideName } from "../words.js";

/** What is not as usual in a game. */
function facts(game, { rules, handicap }) {
  const given = game.handicaps.find((item) => item.id === handicap);
  return [
    `${game.files}×${game.ranks}`,
    ...Object.keys(USUAL_RULES).map((name) => rules[name] !== USUAL_RULES[name] && t(`facts.${name}`)),
    given && t("facts.handicap", { id: given.id, names: handicapName(given) }),
  ].filter(Boolean);
}

/** How the game stands, in words. */
function status(state, { ending }) {
  if (ending) return endingText(ending);
  const { side, checked } = state.position;
  return [
    t(checked ? "side.checked" : "side.turn", { side: sideName(side) }),
    state.playing && state.current !== state.tip && t("status.back"),
    !state.playing && t("status.free"),
  ]
    .filter(Boolean)
    .join(" · ");
}

export class Info {
  #store;
  #hint;
  #coach;
  /** What can be done, each with the name of its button, in words, and how it is done. */
  #list = [];

  /** `hint()` helps with the next move, `coach` may look on. */
  constructor(store, hint, coach) {
    this.#store = store;
    this.#hint = hint;
    this.#coach = coach;
  }

  /** What can be done but hints and taking back, in words, and how it is done. */
  items() {
    return this.#list.filter(([id]) => id !== "hint" && id !== "take-back").map(([, label, act]) => [label, act]);
  }

  show(state, current) {
    const game = this.#store.game();
    $("#game-name").textContent = named(game.name);
    $("#game-facts").textContent = facts(game, state).join(" · ");
    const node = $("#status");
    write(node, status(state, current));
    node.className = current.ending ? "status over" : state.position.checked ? "status in-check" : "status";
    this.#actions(state, current);
    this.#trouble(state);
  }

  #actions(state, current) {
    const send = (command) => () => this.#store.send(command);
    const { playing, position } = state;
    // What nobody keeps is a board to look at.
    const { fleeting } = this.#store;
    const humans = state.players.filter((player) => player.kind === "human").length;
    const mine = state.players[0].kind === "human" && (humans === 1 || position.side === "b") ? "b" : "w";
    const resign = () => askFirst(t("do.give-up", { side: sideName(mine) }), t("do.resign"), send({ type: "resign", side: mine }));
    const drawn = humans === 2 ? "do.agree" : "do.offer";
    const draw = t(drawn);
    const offer = () => askFirst(t(`${drawn}.terms`), draw, send({ type: "draw" }));
    const terms = () => t("do.claim.terms", { ending: endingText(position.impasse) });
    const claim = () => askFirst(terms(), t("do.claim.go"), send({ type: "claim" }));
    const coach = () => prefs.set("coach", !prefs.get("coach"));
    const list = [
      playing && ["take-back", t("do.take-back"), send({ type: "take_back" })],
      state.taken && ["bring-back", t("do.bring-back"), send({ type: "bring_back" })],
      !current.ending && ["hint", t("do.hint"), () => this.#hint()],
      playing && state.player.state === "searching" && ["move-now", t("do.move-now"), send({ type: "move_now" })],
      playing && this.#coach.fits(state) && ["coach", t(prefs.get("coach") ? "coach.on" : "coach.off"), coach],
      playing && ["pause", t("do.pause"), send({ type: "pause" })],
      !playing && !fleeting && position.legal.length > 0 && ["resume", t("do.resume"), send({ type: "resume" })],
      playing && humans > 0 && ["draw", draw, offer],
      playing && humans > 0 && ["resign", t("do.resign"), resign],
      position.impasse && state.movable && ["claim", t("do.claim"), claim],
      !fleeting && ["opponents", t("do.opponents"), () => openOpponents(this.#store)],
    ].filter(Boolean);
    this.#list = list;
    const buttons = list.map(([id, label, act]) => {
      const button = $(`#do-${id}`) ?? el("button", { id: `do-${id}` });
      write(button, label);
      button.onclick = act;
      button.disabled = id === "take-back" && state.nodes.length <= 1;
      return button;
    });
    keepIn($("#actions"), buttons);
  }

  #trouble(state) {
    const roles = ["player", "analyst"];
    // What keeps one engine away mostly keeps the other away, too: one press tries all that are not there.
    const again = (pressed) => () => {
      for (const role of roles)
        if (role === pressed || this.#store.state()[role].state === "failed") this.#store.send({ type: "restart", role });
    };
    const bars = roles
      .map((role) => ({ role, view: state[role] }))
      // What an engine complains of while it starts is told with how that ends: nobody presses what is just replaced.
      .filter(({ view }) => view.state === "failed" || (view.refusal && view.state !== "starting"))
      .map(({ role, view }) => trouble(role, view.message ?? view.refusal, again(role)));
    if (state.unsaved) bars.unshift(trouble("unsaved", state.unsaved));
    keepIn($("#trouble"), bars);
  }
}

/** What tells of a trouble, which stays as long as that: nobody is told twice. `again` tries what has failed once more. */
function trouble(what, text, again = null) {
  const id = `trouble-${what}`;
  const parts = () => [el("b", {}, t(`trouble.${what}`)), el("span"), again && el("button", {}, t("trouble.again"))];
  const bar = $(`#${id}`) ?? el("div", { id, class: "trouble", role: "alert" }, parts());
  write(bar.querySelector("span"), told(text));
  if (again) bar.querySelector("button").onclick = again;
  return bar;
}
