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
  /** What troubles were drawn for: they stay while nothing changes, and the focus with them. */
  #troubleKey = "";

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
      playing && state.nodes.length > 1 && ["take-back", t("do.take-back"), send({ type: "take_back" })],
      state.taken && ["bring-back", t("do.bring-back"), send({ type: "bring_back" })],
      !current.ending && ["hint", t("do.hint"), () => this.#hint()],
      playing && this.#coach.fits(state) && ["coach", t(prefs.get("coach") ? "coach.on" : "coach.off"), coach],
      playing && ["pause", t("do.pause"), send({ type: "pause" })],
      !playing && !fleeting && position.legal.length > 0 && ["resume", t("do.resume"), send({ type: "resume" })],
      playing && humans > 0 && ["draw", draw, offer],
      playing && humans > 0 && ["resign", t("do.resign"), resign],
      position.impasse && state.movable && ["claim", t("do.claim"), claim],
      !fleeting && ["opponents", t("do.opponents"), () => openOpponents(this.#store)],
      // Comes and goes while somebody is about to press another: that stays where it is.
      playing && state.player.state === "searching" && ["move-now", t("do.move-now"), send({ type: "move_now" })],
    ].filter(Boolean);
    this.#list = list;
    const buttons = list.map(([id, label, act]) => {
      const button = $(`#do-${id}`) ?? el("button", { id: `do-${id}` });
      write(button, label);
      button.onclick = act;
      return button;
    });
    keepIn($("#actions"), buttons);
  }

  #trouble(state) {
    const found = ["player", "analyst"]
      .map((role) => ({ role, view: state[role] }))
      // What an engine complains of while it starts is told with how that ends: nobody presses what is just replaced.
      .filter(({ view }) => view.state === "failed" || (view.refusal && view.state !== "starting"));
    const unsaved = state.unsaved && [el("b", {}, t("trouble.unsaved")), el("span", {}, told(state.unsaved))];
    const key = JSON.stringify([found, state.unsaved]);
    if (key === this.#troubleKey) return;
    // What keeps one engine away mostly keeps the other away, too: one press tries all that are not there.
    const again = (pressed) => () => {
      for (const one of found)
        if (one === pressed || one.view.state === "failed") this.#store.send({ type: "restart", role: one.role });
    };
    this.#troubleKey = key;
    $("#trouble").replaceChildren(
      ...(unsaved ? [el("div", { class: "trouble", id: "unsaved", role: "alert" }, ...unsaved)] : []),
      ...found.map((one) =>
        el(
          "div",
          { class: "trouble", role: "alert" },
          el("b", {}, t(`trouble.${one.role}`)),
          el("span", {}, told(one.view.message ?? one.view.refusal)),
          el("button", { onclick: again(one) }, t("trouble.again")),
        ),
      ),
    );
  }
}
