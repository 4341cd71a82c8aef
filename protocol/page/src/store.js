// The store: the game shown, as the server sent it with all changes since, and all that is said to the server about it.

import { asked, home, name, nameLesson, namePuzzle } from "./address.js";
import { prefs } from "./prefs.js";
import { forget, keep, recall } from "./storage.js";
import { t, told } from "./texts.js";

/** Under which name of the storage the game shown last is kept. */
export const LAST = "kujira-game";

/**
 * Tells its listeners, by `on(event, act)`:
 *
 * | event | with | when |
 * |---|---|---|
 * | `leave` | | another game is opened, or none: there is no state until its first comes |
 * | `welcome` | | no game is open |
 * | `state` | `{ state, before, moved }` | a state came in place of `before`; `moved`: another node is shown |
 * | `lines` | the message | an engine told what it found |
 * | `attacks` | squares | what each side attacks, and what hangs |
 * | `considered` | the message | what the coach says of a move that is not made yet |
 * | `explained` | the message | why a move is not legal |
 * | `trouble` | text | something could not be done |
 * | `notice` | text | something is to be said that is no trouble |
 * | `puzzle` | `{ game, id }` | the page's address asks for a puzzle, or for some |
 * | `learn` | `{ game, number }` | the page's address asks for a step of a course, or for the next one |
 * | `crowded` | a function | there is no room for a new game: to be called with whether there is now |
 * | `unkept` | text or null | why new games last no longer than the page; null where they are kept again |
 * | `connected` | true or false | commands arrive from now on, or do not |
 *
 * It is the listener of its link (`link.js`).
 * @implements {Wire.Listener}
 */
export class Store {
  #link;
  #listeners = new Map();
  /** @type {Wire.State} */
  #state = null;
  /** @type {Map<number, Wire.GameNode>} */
  #nodes = new Map();
  /** @type {Wire.GameNode[]} */
  #line = [];
  /** Questions without an answer yet: `{ type, use }`, the oldest first. */
  #questions = [];
  /** The game to go back to if the one asked for cannot be opened. */
  #before = null;
  /** Whether the next state is the first of a connection. */
  #joining = false;
  /** What goes on once a move sent by the page is shown: called with its node. */
  #goesOn = null;
  /** What is to be done once the game that is being opened is shown. */
  #opened = null;
  /** Whether nobody keeps the game shown. */
  #fleeting = false;
  /** Whether moves are allowed in such a game: by the functions that `lead` was given, and by the driver. */
  #leaders = [];
  #movable = false;

  /**
   * @param {Wire.Driver} link
   * @param {Wire.Spec} spec
   */
  constructor(link, spec) {
    this.#link = link;
    this.spec = spec;
    link.listen(this);
    prefs.onChange((setting) => {
      if (setting === "pace" && this.#state) this.#setPace();
      if (setting === "rests") this.#tellSeen();
    });
    document.addEventListener("visibilitychange", () => this.#tellSeen());
  }

  on(event, act) {
    this.#listeners.set(event, [...(this.#listeners.get(event) ?? []), act]);
  }

  #tell(event, detail) {
    for (const act of this.#listeners.get(event) ?? []) act(detail);
  }

  // What is shown

  /** The state of the game shown; null while a game is being opened. */
  state() {
    return this.#state;
  }

  /** Whether nobody keeps the game shown. */
  get fleeting() {
    return this.#fleeting;
  }

  /** Lets `mayMove` say, with every state, whether somebody may move in a game that nobody keeps. */
  lead(mayMove) {
    this.#leaders.push(mayMove);
  }

  /** Tells the state once more, after `mayMove` has another answer or something else is to be shown of it. */
  retell() {
    if (this.#state) this.#show({ ...this.#state, movable: this.#movable });
  }

  /** The game played, as `spec` describes it. */
  game() {
    return this.spec.games.find((game) => game.id === this.#state.variant);
  }

  /** The nodes of the game by their numbers. */
  nodes() {
    return this.#nodes;
  }

  /** The nodes of the line shown, from the start to its end. */
  line() {
    return this.#line;
  }

  /** Where in the line the board stands. */
  at() {
    return this.#line.findIndex((node) => node.id === this.#state.current);
  }

  // Games

  /** Shows what the page's address asks for, if anything. */
  async begin() {
    const { game, position, puzzle, lesson, refused } = asked();
    if (position || puzzle || lesson || refused) return this.follow();
    if (game) this.openGame(game);
    else this.leave();
  }

  /** Shows what the page's address asks for now. */
  async follow() {
    const { game, position, puzzle, lesson, nothing, refused } = asked();
    if (nothing) return this.leave();
    if (lesson) return this.#tell("learn", lesson);
    if (puzzle) return this.#tell("puzzle", puzzle);
    if (game && game !== this.#state?.id) return this.openGame(game);
    if (!position && !refused) return;
    try {
      if (refused) throw new Error(refused);
      await this.start(position);
    } catch (error) {
      this.#tell("trouble", t("page.link", { why: told(error.message) }));
      if (!this.#state) this.leave();
    }
  }

  /** Closes the game shown. */
  leave() {
    home();
    this.#forgetShown();
    this.#before = null;
    this.#fleeting = false;
    this.#link.close();
    this.#tell("welcome");
  }

  #forgetShown() {
    this.#state = null;
    this.#goesOn = this.#opened = null;
    this.#tell("leave");
  }

  /**
   * Begins a new game and shows it; a refusal is thrown.
   * @param {Wire.NewGame} newGame
   */
  async start(newGame) {
    const { id, notice } = await this.#link.create(newGame).catch(async (error) => {
      if (error.why !== "crowded") throw error;
      if (!(await new Promise((resolve) => this.#tell("crowded", resolve)))) throw error;
      return this.#link.create(newGame);
    });
    this.openGame(id);
    if (notice) this.#tell("notice", notice);
  }

  /** Shows a saved game. */
  openGame(id) {
    this.#open(id, false);
    keep(LAST, id);
    name(id);
  }

  /**
   * Makes a game, which {@link openGame} or {@link openPuzzle} shows; returns its name. A refusal is thrown.
   * @param {Wire.NewGame} newGame
   */
  async make(newGame) {
    return (await this.#link.create(newGame)).id;
  }

  /** Shows a game that nobody keeps, made for a puzzle (`address.js`). */
  openPuzzle(id, puzzle) {
    this.#open(id, true);
    namePuzzle(puzzle);
  }

  /** Shows a game that nobody keeps, made for a step of a course (`address.js`). */
  openLesson(id, lesson) {
    this.#open(id, true);
    nameLesson(lesson);
  }

  #open(id, fleeting) {
    // Nobody finds a fleeting game again.
    this.#before = this.#fleeting ? null : (this.#state?.id ?? this.#before);
    this.#forgetShown();
    this.#fleeting = fleeting;
    this.#link.open(id);
  }

  /** What the file of a game's puzzles holds; a refusal is thrown. */
  puzzles(game) {
    return this.#link.puzzles(game);
  }

  /** What the file of a game's openings holds; a refusal is thrown. */
  openings(game) {
    return this.#link.openings(game);
  }

  /** What the file of a game's course holds; a refusal is thrown. */
  course(game) {
    return this.#link.course(game);
  }

  /** Says that something could not be done. */
  complain(text) {
    this.#tell("trouble", text);
  }

  /** The saved games; a refusal is thrown. */
  games() {
    return this.#link.list();
  }

  /** The game shown last in this browser, if something was played in it. */
  async lastGame() {
    const last = recall(LAST);
    const games = last ? await this.games().catch(() => []) : [];
    return games.find((game) => game.id === last && !game.unreadable && game.moves > 0);
  }

  /** Deletes saved games; the first refusal is thrown when all others are gone. */
  async remove(...ids) {
    const refused = [];
    for (const id of ids) await this.#link.remove(id).catch((error) => refused.push(error));
    if (refused.length > 0) throw refused[0];
  }

  /** The games that need a network which is not there. */
  async lacking() {
    return (await this.#link.lacking?.().catch(() => [])) ?? [];
  }

  /** Whether all games go out and come in as one text: elsewhere they are files that can be copied. */
  get portable() {
    return Boolean(this.#link.exportGames);
  }

  /** All saved games as one text; a refusal is thrown. */
  exportGames() {
    return this.#link.exportGames();
  }

  /** Takes in the games of such a text, all or none; a refusal is thrown. */
  importGames(text) {
    return this.#link.importGames(text);
  }

  #gone({ text, why }) {
    // A puzzle that its server has forgotten begins anew.
    if (this.#fleeting && why === "unknown") return this.follow();
    this.#tell("trouble", text);
    const before = this.#before;
    this.#before = null;
    if (before) return this.openGame(before);
    // The link tries again until there is room.
    if (why === "full") return this.#tell("welcome");
    // Behind another link it is still there.
    if (why !== "closed") forget(LAST);
    this.leave();
  }

  // Commands

  /**
   * Sends a command; whether it could be sent.
   * @param {Wire.Command} command
   */
  send(command) {
    const sent = this.#link.send(command);
    if (!sent) this.#tell("trouble", t("page.no-connection"));
    return sent;
  }

  /**
   * Sends a command and hands the next answer of a type to `use`.
   * @param {Wire.Command} command
   * @param {Wire.Message["type"]} type
   * @param {(message: any) => void} use
   */
  ask(command, type, use) {
    // The answer of a driver in the page may come before `send` returns.
    const question = { type, use };
    this.#questions.push(question);
    if (!this.send(command)) this.#questions = this.#questions.filter((other) => other !== question);
  }

  /** Asks why a move is not legal; the answer is told as `explained`. */
  explain({ from = null, drop = null }, to) {
    this.send({ type: "explain", at: this.#state.current, from, drop, to });
  }

  /** Shows a node, unless it is shown or there is none. */
  goto(node) {
    if (node !== undefined && node !== this.#state.current) this.send({ type: "goto", node });
  }

  /** Goes to the `first`, `last`, next (`on`) or previous (`back`) node of the line. */
  step(to) {
    const at = this.at();
    const node = { first: this.#line[0], back: this.#line[at - 1], on: this.#line[at + 1], last: this.#line.at(-1) }[
      to
    ];
    this.goto(node?.id);
  }

  /** Calls `act` once the game that is being opened is shown. */
  whenShown(act) {
    this.#opened = act;
  }

  /**
   * Plays moves from the node shown, as a branch.
   * @param {string[]} line
   */
  playLine([usi, ...rest]) {
    const at = this.#state.current;
    // Who steps elsewhere meanwhile has left the line.
    const goesOn = (node) => node.parent === at && node.usi === usi && this.playLine(rest);
    // The answer of a driver in the page may come before `send` returns.
    this.#goesOn = rest.length ? goesOn : null;
    if (!this.send({ type: "play", at, usi })) this.#goesOn = null;
  }

  // Messages: the link calls these

  /** @param {Wire.Message} message */
  receive(message) {
    switch (message.type) {
      case "state":
        return this.#take(message);
      case "change":
        return this.#change(message);
      case "lines":
        this.#score(message);
        return this.#tell("lines", message);
      case "text":
      case "verdict":
        return this.#answer(message);
      case "explanation":
        return message.text && this.#tell("explained", message);
      case "attacks":
        return this.#tell("attacks", message);
      case "considered":
        return this.#tell("considered", message);
      case "notice":
        return this.#tell("notice", message.text);
      case "gone":
        return this.#gone(message);
      case "error":
        // A line of which a move was refused does not go on.
        this.#goesOn = null;
        return this.#tell("trouble", message.text);
    }
  }

  up() {
    this.#joining = true;
    this.#tell("connected", true);
  }

  down() {
    this.#tell("connected", false);
  }

  unkept(why) {
    this.#tell("unkept", why);
  }

  /** @param {Wire.State} state */
  #take(state) {
    const before = this.#joining && this.#state?.id === state.id ? this.#stay() : null;
    this.#nodes = new Map(state.nodes.map((node) => [node.id, node]));
    this.#show(state);
    if (before) this.goto(this.#find(before));
  }

  /**
   * The moves to the node shown, unless that goes along with the game: where a page looked that lost its connection its
   * server has forgotten.
   */
  #stay() {
    const { playing, current, tip } = this.#state;
    return playing && current === tip ? null : this.#line.slice(1, this.at() + 1).map((node) => node.usi);
  }

  /** The node to which moves lead, if there is one: a server that was started anew counts nodes anew. */
  #find(moves) {
    let node = this.#nodes.get(0);
    for (const usi of moves) node = node?.children.map((id) => this.#nodes.get(id)).find((child) => child.usi === usi);
    return node?.id;
  }

  /** @param {Wire.Change} change */
  #change({ nodes, removed, ...rest }) {
    if (!this.#state) return;
    for (const id of removed) this.#nodes.delete(id);
    for (const node of nodes) this.#nodes.set(node.id, node);
    this.#show({ ...this.#state, ...rest, type: "state", nodes: [...this.#nodes.values()] });
  }

  /** @param {Wire.State} state */
  #show(state) {
    const before = this.#state;
    this.#state = state;
    this.#before = null;
    if (this.#joining) this.#equip(state);
    this.#line = this.#lineThrough(state.current);
    this.#movable = state.movable;
    if (this.#fleeting) state.movable &&= this.#leaders.every((mayMove) => mayMove());
    const moved = before?.id === state.id && before.current !== state.current;
    this.#tell("state", { state, before, moved });
    const opened = this.#opened;
    this.#opened = null;
    opened?.();
    if (!moved) return;
    // Other states may come before that of the move waited for.
    const goesOn = this.#goesOn;
    this.#goesOn = null;
    goesOn?.(this.#nodes.get(state.current));
  }

  /** Tells a session what its engines may use and how they are paced: it does not keep that, the browser does. */
  #equip({ threads, hash }) {
    this.#joining = false;
    this.#setPace();
    if (document.hidden) this.#tellSeen();
    const wanted = prefs.get("resources");
    if (wanted && (wanted.threads !== threads || wanted.hash !== hash)) this.send({ type: "resources", ...wanted });
  }

  /** Tells how long moves of engines are to wait; a page without a connection does when it has one again. */
  #setPace() {
    this.#link.send({ type: "pace", millis: Number(prefs.get("pace")) });
  }

  /** Tells whether somebody sees the page: what nobody sees need not be analysed. */
  #tellSeen() {
    if (this.#state) this.#link.send({ type: "seen", seen: !document.hidden || !prefs.get("rests") });
  }

  #lineThrough(current) {
    const line = [];
    for (let node = this.#nodes.get(current); node; node = this.#nodes.get(node.parent)) line.unshift(node);
    for (let node = line.at(-1); node?.children.length;) {
      node = this.#nodes.get(node.children[0]);
      line.push(node);
    }
    return line;
  }

  /**
   * Gives a node the score of the best line found, unless it has one from greater depth.
   * @param {Wire.Lines} lines
   */
  #score({ role, node: id, lines: [best] }) {
    // What an engine thinks that plays, perhaps below its strength, the driver tells with the node, or not.
    if (role !== "analyst") return;
    const node = this.#nodes.get(id);
    if (node && best && !best.bound && (!node.score || node.score[1] <= best.depth))
      node.score = [best.score, best.depth];
  }

  #answer(message) {
    const index = this.#questions.findIndex(({ type }) => type === message.type);
    if (index >= 0) this.#questions.splice(index, 1)[0].use(message);
  }
}
