// The page as a whole: holds what the server sent last, and puts the parts together.

import { $, announce, askFirst, dialog, el, toast } from "./dom.js";
import { applyTheme, prefs } from "./prefs.js";
import { Link, api } from "./link.js";
import { symbols } from "./tiles.js";
import { Board } from "./board.js";
import { Input } from "./input.js";
import { Sides } from "./players.js";
import { Moves } from "./moves.js";
import { Analysis } from "./analysis.js";
import { lastSettings, openNewGame, request } from "./newgame.js";
import { fromAddress, openGames, openShare } from "./games.js";
import { openEditor } from "./editor.js";
import { describe, openPieces } from "./help.js";
import { openTour } from "./tour.js";

const NAMES = { b: "Black", w: "White" };
const LAST = "kujira-game";

class App {
  #state = null;
  #nodes = new Map();
  #line = [];
  #asked = [];
  #flips = new Map();
  #looked = null;
  /** The game to go back to if the one asked for cannot be opened. */
  #before = null;
  #joining = false;

  constructor(spec) {
    this.spec = spec;
    this.board = new Board($("#board"), { onsquare: (square) => this.input.square(square) });
    this.input = new Input(this);
    this.sides = new Sides([$("#far"), $("#near")], this);
    this.moves = new Moves($("#moves"), this);
    this.analysis = new Analysis($("#analysis"), this);
    this.link = new Link({
      state: (state) => this.#take(state),
      lines: (lines) => this.analysis.take(lines),
      error: (message) => {
        // A line of which a move was refused does not go on.
        this.afterState = null;
        toast(message.text, "bad");
      },
      text: (reply) => this.#answer("text", reply),
      verdict: (reply) => this.#answer("verdict", reply),
      explanation: (reply) => reply.text && this.#say(reply.text),
      gone: (message) => this.#gone(message),
      up: () => {
        $("#offline").hidden = true;
        this.#joining = true;
      },
      down: () => ($("#offline").hidden = false),
    });
    this.#buttons();
    prefs.onChange(() => this.refresh());
    addEventListener("keydown", (event) => this.#key(event));
    addEventListener("hashchange", () => this.#address());
  }

  state() {
    return this.#state;
  }

  game() {
    return this.spec.games.find((game) => game.id === this.#state.variant);
  }

  nodes() {
    return this.#nodes;
  }

  /** The nodes of the line shown, from the start to its end. */
  line() {
    return this.#line;
  }

  // Games

  async begin() {
    const address = fromAddress();
    if (address.position) return this.#address();
    let last = address.game;
    try {
      last ??= localStorage.getItem(LAST);
    } catch {
      // Without storage every visit begins a new game.
    }
    if (last) this.openGame(last);
    else await this.#startUsual();
  }

  async #address() {
    const address = fromAddress();
    if (address.game && address.game !== this.#state?.id) return this.openGame(address.game);
    if (!address.position) return;
    try {
      await this.start(address.position);
    } catch (error) {
      toast(`This link leads to no position: ${error.message}`, "bad");
      if (!this.#state) await this.#startUsual();
    }
  }

  /** Begins a new game on the server and shows it. */
  async start(wishes) {
    const { id } = await api.create(wishes);
    this.openGame(id);
  }

  /** Begins what was played last, without a clock: nobody sits ready. */
  #startUsual() {
    return this.start(request({ ...lastSettings(), clock: "none" }));
  }

  openGame(id) {
    this.#before = this.#state?.id ?? this.#before;
    this.#state = null;
    this.afterState = null;
    // What the pointer rested on is gone with its game.
    clearTimeout(this.hover);
    this.input.reset();
    try {
      localStorage.setItem(LAST, id);
    } catch {
      // The address holds it as well.
    }
    history.replaceState(null, "", `#game=${id}`);
    this.link.open(id);
  }

  #gone({ text, why }) {
    toast(text, "bad");
    const before = this.#before;
    this.#before = null;
    if (before) return this.openGame(before);
    // The link tries again until there is room.
    if (why === "full") return;
    try {
      localStorage.removeItem(LAST);
    } catch {
      // Nothing was kept.
    }
    this.#startUsual().catch((error) => toast(error.message, "bad"));
  }

  // Talk with the server

  send(command) {
    const sent = this.link.send(command);
    if (!sent) toast("There is no connection to the server.", "bad");
    return sent;
  }

  /** Sends a command and hands the next answer of a type to `use`. */
  ask(command, type, use) {
    if (this.send(command)) this.#asked.push({ type, use });
  }

  #answer(type, reply) {
    const index = this.#asked.findIndex((asked) => asked.type === type);
    if (index >= 0) this.#asked.splice(index, 1)[0].use(reply);
  }

  explain(piece, to) {
    this.send({ type: "explain", at: this.#state.current, from: piece.from ?? null, drop: piece.drop ?? null, to });
  }

  goto(node) {
    if (node !== undefined && node !== this.#state.current) this.send({ type: "goto", node });
  }

  /** Plays moves from the node shown, as a branch. */
  playLine([usi, ...rest]) {
    const at = this.#state.current;
    this.send({ type: "play", at, usi });
    // Who steps elsewhere meanwhile has left the line.
    const goesOn = (node) => node.parent === at && node.usi === usi && this.playLine(rest);
    this.afterState = rest.length ? goesOn : null;
  }

  #take(state) {
    const before = this.#state;
    const fresh = before?.id !== state.id;
    this.#state = state;
    this.#before = null;
    if (this.#joining) this.#equip(state);
    this.#nodes = new Map(state.nodes.map((node) => [node.id, node]));
    this.#line = this.#lineThrough(state.current);
    if (fresh || before.position.sfen !== state.position.sfen || before.current !== state.current) this.input.reset();
    const moved = !fresh && before.current !== state.current;
    this.#draw(moved);
    if (moved) {
      const node = this.#nodes.get(state.current);
      const ending = node.ending ? `. ${node.ending}` : "";
      announce(node.spoken ? `${node.spoken}${ending}` : "Start of the game");
    } else if (!fresh && !before.position.legal.length !== !state.position.legal.length) {
      announce($("#status").textContent);
    }
    if (moved) {
      // Other states may come before that of the move waited for.
      const next = this.afterState;
      this.afterState = null;
      next?.(this.#nodes.get(state.current));
    }
  }

  /** Tells a session what its engines may use: it does not keep that, the browser does. */
  #equip({ threads, hash }) {
    this.#joining = false;
    const wanted = prefs.get("resources");
    if (wanted && (wanted.threads !== threads || wanted.hash !== hash)) this.send({ type: "resources", ...wanted });
  }

  #lineThrough(current) {
    const line = [];
    for (let node = this.#nodes.get(current); node; node = this.#nodes.get(node.parent)) line.unshift(node);
    for (let node = line.at(-1); node?.children.length; ) {
      node = this.#nodes.get(node.children[0]);
      line.push(node);
    }
    return line;
  }

  // Drawing

  get flipped() {
    const state = this.#state;
    const [black, white] = state.players;
    const usual = black.kind === "engine" && white.kind === "human";
    return this.#flips.get(state.id) ?? usual;
  }

  refresh() {
    if (this.#state) this.#draw(false);
  }

  #draw(animate) {
    const state = this.#state;
    const { board } = this;
    board.setGame(this.game(), this.flipped);
    const current = this.#nodes.get(state.current);
    const last = this.#squares(current.usi);
    board.show(state.position.squares, last, animate);
    const marks = this.input.marks();
    const shown = prefs.get("targets");
    board.mark({
      last: [last.from, last.to].filter(Boolean),
      taken: last.way,
      checked: state.position.checked ? [state.position.checked] : [],
      selected: marks.selected,
      target: shown ? marks.target : [],
      capture: shown ? marks.capture : [],
      path: marks.path,
      stop: marks.stop,
    });
    this.refreshArrows();
    this.sides.show(state, this.flipped);
    this.moves.show(state, this.#nodes);
    this.analysis.show(state);
    this.#facts(current);
    if (animate) this.#explained = "";
    const hint = this.#hinted();
    const advice = this.input.advice() || this.#explained || (hint ? `Hint: ${board.spoken(hint)}` : "");
    // The same text set again would be read out again.
    if ($("#advice").textContent !== advice) $("#advice").textContent = advice;
    const at = this.#line.findIndex((node) => node.id === state.current);
    $("#step-first").disabled = $("#step-back").disabled = at <= 0;
    $("#move-menu").disabled = at <= 0;
    $("#step-on").disabled = $("#step-last").disabled = at >= this.#line.length - 1;
    if (!this.#looked || !this.game().kinds.includes(this.#looked)) this.look("W");
  }

  #explained = "";

  #say(text) {
    this.#explained = text;
    $("#advice").textContent = text;
    clearTimeout(this.fade);
    this.fade = setTimeout(() => ((this.#explained = ""), this.refresh()), 6000);
  }

  /** The squares that a move in USI names. */
  #squares(usi) {
    if (!usi) return { way: [] };
    const list = usi.replace(/^.*\*/, "").match(/\d+[a-z]/g) ?? [];
    if (usi.includes("*")) return { to: list[0], way: [] };
    return { from: list[0], to: list.at(-1), way: list.slice(1, -1) };
  }

  refreshArrows() {
    const state = this.#state;
    if (!state) return;
    const arrows = this.analysis.arrows(state);
    const hint = this.#hinted();
    if (hint) arrows.push({ ...hint, kind: "hint" });
    this.board.drawArrows(arrows);
  }

  /** The move that a hint names in the position shown. */
  #hinted() {
    const [node, usi] = this.#state.hint ?? [];
    return node === this.#state.current && this.#state.position.legal.find((legal) => legal.usi === usi);
  }

  #facts(current) {
    const state = this.#state;
    const game = this.game();
    $("#game-name").textContent = game.name;
    const handicap = game.handicaps.find((item) => item.id === state.handicap);
    const switches = [
      state.rules.retreat_two && "short retreats",
      state.rules.retreat_file_limit && "retreat file limit",
      state.rules.impasse && "impasse",
      !state.rules.repetition && "no repetition rule",
      handicap && `handicap ${handicap.id}`,
    ].filter(Boolean);
    $("#game-facts").textContent = [`${game.files}×${game.ranks}`, ...switches].join(" · ");
    const side = state.position.side;
    let status;
    if (current.ending) status = current.ending;
    else {
      status = `${NAMES[side]} to move${state.position.checked ? ", in check" : ""}`;
      if (state.playing && state.current !== state.tip) status += " · looking back: a move here begins a branch";
      if (!state.playing) status += " · free board";
    }
    const node = $("#status");
    if (node.textContent !== status) node.textContent = status;
    node.className = current.ending ? "status over" : state.position.checked ? "status in-check" : "status";
    this.#actions(current);
    this.#trouble();
  }

  #actions(current) {
    const state = this.#state;
    const humans = state.players.filter((player) => player.kind === "human").length;
    const searching = state.player.state === "searching";
    const mine = state.players[0].kind === "human" && (humans === 1 || state.position.side === "b") ? "b" : "w";
    const list = [
      state.playing && state.nodes.length > 1 && ["take-back", "Take back", () => this.send({ type: "take_back" })],
      !current.ending && ["hint", "Hint", () => this.send({ type: "hint" })],
      state.playing && searching && ["move-now", "Move now", () => this.send({ type: "move_now" })],
      state.playing && ["pause", "Pause", () => this.send({ type: "pause" })],
      !state.playing && state.position.legal.length > 0 && ["resume", "Play from here", () => this.send({ type: "resume" })],
      state.playing && humans === 2 && ["draw", "Agree on a draw", () => this.send({ type: "draw" })],
      state.playing && humans > 0 && ["resign", "Resign", () => askFirst(`Give up as ${NAMES[mine]}?`, "Resign", () => this.send({ type: "resign", side: mine }))],
      state.position.impasse && state.movable && ["claim", "Claim impasse", () => askFirst(`A claim ends the game: ${state.position.impasse}.`, "Claim", () => this.send({ type: "claim" }))],
      ["opponents", "Players…", () => this.#players()],
    ].filter(Boolean);
    const key = JSON.stringify([list.map(([id]) => id), mine, state.position.impasse]);
    if (key === this.actionsKey) return;
    this.actionsKey = key;
    $("#actions").replaceChildren(...list.map(([id, label, onclick]) => el("button", { id: `do-${id}`, onclick }, label)));
  }

  #players() {
    const state = this.#state;
    const choice = (index) =>
      el(
        "select",
        { "aria-label": index === 0 ? "Black" : "White" },
        el("option", { value: 0, selected: state.players[index].kind === "human" }, "Human"),
        this.spec.levels.map((level, n) =>
          el("option", { value: n + 1, selected: state.players[index].level === n + 1 }, `Engine ${n + 1} · ${level.name}`),
        ),
      );
    const selects = [choice(0), choice(1)];
    const threads = el("input", { type: "number", min: 1, max: 64, value: state.threads });
    const hash = el("input", { type: "number", min: 1, max: 4096, value: state.hash });
    const whole = (input, usual) => Math.min(Number(input.max), Math.max(1, Math.round(Number(input.value)) || usual));
    const node = dialog("Players and engine", [
      el("label", { class: "field" }, "Black", selects[0]),
      el("label", { class: "field" }, "White", selects[1]),
      el("h3", {}, "Engine"),
      el("label", { class: "field" }, "Threads", threads),
      el("label", { class: "field" }, "Table size", hash, "MiB"),
      el("p", { class: "note" }, this.#state.player.name || this.#state.analyst.name || "The engine starts when it is first needed."),
      el(
        "div",
        { class: "buttons" },
        el(
          "button",
          {
            class: "primary",
            onclick: () => {
              const players = selects.map((select) => (Number(select.value) === 0 ? { kind: "human" } : { kind: "engine", level: Number(select.value) }));
              const resources = { threads: whole(threads, 1), hash: whole(hash, 64) };
              prefs.set("resources", resources);
              this.send({ type: "resources", ...resources });
              this.send({ type: "players", players });
              node.close();
            },
          },
          "Apply",
        ),
        el("button", { onclick: () => (this.send({ type: "restart", role: "player" }), this.send({ type: "restart", role: "analyst" }), node.close()) }, "Restart the engine"),
      ),
    ]);
  }

  #trouble() {
    const state = this.#state;
    const found = ["player", "analyst"].map((role) => [role, state[role]]).filter(([, view]) => view.state === "failed" || view.refusal);
    const key = JSON.stringify(found);
    if (key === this.troubleKey) return;
    this.troubleKey = key;
    $("#trouble").replaceChildren(
      ...found.map(([role, view]) =>
        el(
          "div",
          { class: "trouble", role: "alert" },
          el("b", {}, role === "player" ? "The engine that plays: " : "The engine that analyses: "),
          el("span", {}, view.message ?? view.refusal),
          el("button", { onclick: () => this.send({ type: "restart", role }) }, "Restart"),
        ),
      ),
    );
  }

  /** Shows a piece in the card beside the board. */
  look(token) {
    const kind = this.board.kind(token);
    if (this.#looked === kind && $("#piece-card").firstChild) return;
    this.#looked = kind;
    $("#piece-card").replaceChildren(
      describe(this.game(), kind, this.board.color(token)),
      el("button", { class: "quiet", onclick: () => openPieces(this) }, "All pieces"),
    );
  }

  // Buttons and keys

  #step(to) {
    const at = this.#line.findIndex((node) => node.id === this.#state.current);
    const node = { first: this.#line[0], back: this.#line[at - 1], on: this.#line[at + 1], last: this.#line.at(-1) }[to];
    this.goto(node?.id);
  }

  turn() {
    this.#flips.set(this.#state.id, !this.flipped);
    this.input.reset();
    this.refresh();
  }

  #buttons() {
    const on = (id, act) => $(id).addEventListener("click", () => this.#state && act());
    on("#open-new", () => openNewGame(this));
    // Also where no game could be begun: there may be too many.
    $("#open-games").addEventListener("click", () => openGames(this));
    on("#open-editor", () => openEditor(this));
    on("#open-pieces", () => openPieces(this));
    on("#open-rules", () => openTour(this));
    on("#open-prefs", () => this.#prefs());
    for (const step of ["first", "back", "on", "last"]) on(`#step-${step}`, () => this.#step(step));
    on("#move-menu", () => {
      const { left, top } = $("#move-menu").getBoundingClientRect();
      this.moves.menu(this.#state.current, left, top);
    });
    on("#turn-board", () => this.turn());
    on("#share", () => openShare(this));
    // Hovering shows a piece, as clicking does.
    document.addEventListener("pointerover", (event) => {
      if (event.pointerType !== "mouse" || !this.#state) return;
      clearTimeout(this.hover);
      const cell = event.target.closest?.("#board .cell, .side .held");
      if (!cell) return;
      const held = cell.dataset.token;
      const token = held ? (cell.dataset.side === "b" ? held : held.toLowerCase()) : this.board.pieces?.get(cell.dataset.square);
      if (token) this.hover = setTimeout(() => this.look(token), 180);
    });
  }

  #prefs() {
    const check = (name, label) =>
      el("label", { class: "check" }, el("input", { type: "checkbox", checked: prefs.get(name), onchange: (event) => prefs.set(name, event.target.checked) }), el("span", {}, label));
    const select = (name, label, choices) =>
      el(
        "label",
        { class: "field" },
        label,
        el(
          "select",
          { onchange: (event) => prefs.set(name, event.target.value) },
          choices.map(([value, text]) => el("option", { value, selected: prefs.get(name) === value }, text)),
        ),
      );
    dialog("Settings", [
      select("theme", "Colours", [
        ["auto", "As the system"],
        ["light", "Light"],
        ["dark", "Dark"],
      ]),
      select("coordinates", "Squares", [
        ["japanese", "Japanese: 1a at the top right"],
        ["western", "Western: a1 at the bottom left"],
      ]),
      check("targets", "Show where a piece can go"),
      check("upright", "Letters of far tiles upright"),
      check("animate", "Moves glide"),
      check("bar", "Evaluation bar"),
      check("arrows", "Arrows of the best lines"),
      el("h3", {}, "Keys"),
      el("ul", { class: "keys" }, [
        ["← → Home End", "step through the game"],
        ["Tab to the board, arrow keys", "move between squares; Enter or space chooses"],
        ["Escape", "begin a move again"],
        ["f", "turn the board"],
        ["h", "hint"],
        ["a", "analysis on and off"],
        ["u", "take back"],
        ["n", "new game"],
      ].map(([key, what]) => el("li", {}, el("kbd", {}, key), ` ${what}`))),
      el("p", { class: "note" }, `Kujira Board ${this.spec.version}`),
    ]);
  }

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || !this.#state || $("dialog[open]")) return;
    if (event.target.matches?.("input, select, textarea")) return;
    const keys = {
      ArrowLeft: () => this.#step("back"),
      ArrowRight: () => this.#step("on"),
      Home: () => this.#step("first"),
      End: () => this.#step("last"),
      Escape: () => this.input.escape(),
      f: () => this.turn(),
      h: () => this.send({ type: "hint" }),
      a: () => this.analysis.toggle.click(),
      u: () => this.send({ type: "take_back" }),
      n: () => openNewGame(this),
    };
    if (!keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  }
}

applyTheme();
document.body.append(symbols());
api
  .spec()
  .then((spec) => {
    const app = new App(spec);
    window.kujira = app;
    return app.begin();
  })
  .catch((error) => toast(`The page could not start: ${error.message}`, "bad"));
