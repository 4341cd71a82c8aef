// The driver of a page without a server: it keeps games in the browser, and tables and engines run as WebAssembly. It
// takes the place of the driver of the same name, see there.

import init, { Game, content, create, sources, spec, variant } from "./board/kujira_web_board.js";
import { compiled, fetched, filesOf, prepare, usi, watchFiles } from "./engine/browser.js";
import { OTHER_VERSION } from "./engine/controller.js";
import { Games, freshId, gone } from "./games.js";
import { Loading } from "./loading.js";
import "./offline.js";

/**
 * The name by which the bytes of a file are told, and its address.
 * @type {(path: string) => [string, URL]}
 */
const fileOf = (path) => [`../${path}`, new URL(path, import.meta.url)];

/** What a text that somebody begins a game with may weigh, in characters. */
const LONGEST = 4 << 20;

/** @implements {Wire.Driver} */
export class Link {
  /** @type {Wire.Listener} */
  #listener = null;
  #ready;
  #games = new Games((why) => this.#listener?.unkept(why));
  /** Games that nobody keeps, by their names. */
  #fleeting = new Map();
  /** @type {Table | null} */
  #table = null;
  /** The end of what the game before still saves. */
  #closed = Promise.resolve();

  /** @param {(loading: Wire.Loading | null) => void} tell */
  constructor(tell) {
    const loading = new Loading(tell);
    watchFiles(loading);
    this.#ready = tables();
    this.#ready.then(() => loading.rest(), () => {});
  }

  /** @param {Wire.Listener} listener */
  listen(listener) {
    this.#listener = listener;
    // A page that is put away saves its clocks.
    addEventListener("pagehide", () => this.#table?.close(false));
    addEventListener("pageshow", (event) => event.persisted && this.#table && this.open(this.#table.id));
  }

  // Games

  /** @returns {Promise<Wire.Spec>} */
  async spec() {
    await this.#ready;
    return JSON.parse(spec());
  }

  /** The games that are not played against the engine without a network, where there is none. */
  async lacking() {
    // A page that did not come from here came from the network.
    if (!navigator.serviceWorker?.controller) return [];
    const ids = (await this.spec()).games.map(({ id }) => id);
    const lack = await Promise.all(ids.map(isLacking));
    return ids.filter((_, index) => lack[index]);
  }

  /** @returns {Promise<Wire.Saved[]>} */
  async list() {
    await this.#ready;
    await this.#closed;
    const games = await this.#games.all();
    return games.map(({ id, modified, saved }) => ({ id, modified, ...JSON.parse(content(saved)) }));
  }

  /** @param {Wire.NewGame} newGame */
  async create(newGame) {
    await this.#ready;
    const text = JSON.stringify(newGame);
    if (text.length > LONGEST) throw new Error(`expected at most ${LONGEST} characters, found more`);
    const { saved, notice } = JSON.parse(refusable(() => create(text)));
    const id = freshId();
    if (newGame.fleeting) {
      this.#fleeting.set(id, new Fleeting(id, saved));
      return { id };
    }
    await this.#games.add(id, saved);
    return notice ? { id, notice } : { id };
  }

  /**
   * The puzzles of a game.
   * @param {string} game
   */
  puzzles(game) {
    return file("its puzzles have", `puzzles/${game}.json`);
  }

  /**
   * The openings of a game.
   * @param {string} game
   */
  openings(game) {
    return file("its openings have", `openings/${game}.json`);
  }

  /**
   * The course of a game.
   * @param {string} game
   */
  course(game) {
    return file("its lessons have", `learn/${game}.json`);
  }

  /** @param {string} id */
  async remove(id) {
    // What is still being saved would bring it back.
    if (this.#table?.id === id) await this.#table.leave();
    // A tab that has it open would play on in what is gone.
    const release = await alone(id);
    await this.#games.remove(id).finally(release);
    return {};
  }

  /** All games as one text, which {@link importGames} takes in, here or in another browser. */
  exportGames() {
    return this.#games.exported();
  }

  /**
   * Takes in the games of such a text, all or none. None takes the place of another.
   * @param {string} text
   */
  async importGames(text) {
    await this.#ready;
    return this.#games.take(text, (saved) => JSON.parse(content(saved)).unreadable);
  }

  // The game shown

  /** @param {string} id */
  async open(id) {
    this.close();
    const before = this.#closed;
    const games = this.#fleeting.get(id) ?? this.#games;
    const table = new Table(id, games, (message) => this.#table === table && this.#listener?.receive(message));
    this.#table = table;
    await this.#ready;
    // It may be the same game, which is one table's at a time.
    await before;
    if (this.#table !== table) return;
    try {
      await table.open(() => this.#listener?.up());
    } catch (error) {
      if (this.#table !== table) return;
      this.#table = null;
      this.#listener?.receive({ type: "gone", why: error.why ?? "unreadable", text: error.message });
    }
  }

  close() {
    if (this.#table) {
      this.#closed = this.#table.close();
      this.#fleeting.delete(this.#table.id);
    }
    this.#table = null;
  }

  /** @param {Wire.Command} command */
  send(command) {
    return this.#table?.command(command) ?? false;
  }
}

/** The game shown, with its engines. */
class Table {
  #games;
  #tell;
  /** @type {Game | null} */
  #game = null;
  #variant = "";
  /** When the table's time was 0. */
  #start = performance.now();
  #engines = new Map();
  #timer = 0;
  /** The last of what is being saved. */
  #saving = Promise.resolve();
  /**
   * Gives the game to other tabs.
   * @type {() => void}
   */
  #release = () => {};
  #closed = false;
  /** What the browser keeps of the game. */
  #kept = "";

  constructor(id, games, tell) {
    this.id = id;
    this.#games = games;
    this.#tell = tell;
  }

  /** Opens the game, unless it is closed meanwhile; calls `up` before the first message. */
  async open(up) {
    try {
      this.#release = await alone(this.id);
      const found = await this.#games.get(this.id);
      if (!found) throw gone("unknown", "There is no such game any more.");
      if (this.#closed) return this.#release();
      const { saved } = found;
      this.#kept = saved;
      try {
        this.#variant = refusable(() => variant(saved));
        this.#game = refusable(() => new Game(this.id, saved, this.#now()));
      } catch (error) {
        throw gone("unreadable", `The saved game cannot be read: ${error.message}`);
      }
    } catch (error) {
      this.#release();
      throw error;
    }
    up();
    this.#game.join(this.#now());
    this.#obey();
  }

  #now() {
    return performance.now() - this.#start;
  }

  command(command) {
    if (!this.#game) return false;
    if (command.type === "ping") {
      this.#tell({ type: "pong" });
      return true;
    }
    try {
      this.#game.command(JSON.stringify(command), this.#now());
    } catch (error) {
      this.#tell({ type: "error", text: String(error) });
    }
    this.#obey();
    return true;
  }

  /**
   * Saves what is to be saved and lets engines go; nothing is told any more. The promise ends with the last of it.
   * @param {boolean} [forget] whether a game in which nothing was done goes, too
   */
  close(forget = true) {
    const game = this.#game;
    if (game) {
      game.close(this.#now());
      this.#obey();
      this.#saving = this.#saving.then(async () => {
        if (forget && !game.worth_keeping()) await this.#games.removeUnchanged(this.id, this.#kept).catch(() => {});
      });
    }
    return this.leave();
  }

  /** Lets engines and the game go as they are. */
  leave() {
    this.#closed = true;
    this.#game = null;
    clearTimeout(this.#timer);
    for (const engine of this.#engines.values()) engine.close();
    this.#engines.clear();
    return this.#saving.finally(() => this.#release());
  }

  /** Does what the table says. */
  #obey() {
    const game = this.#game;
    for (let next = game?.next_act(); next !== undefined && game === this.#game; next = game.next_act()) {
      const act = JSON.parse(next);
      switch (act.do) {
        case "tell":
          // While somebody thinks of the first move, what will answer it comes.
          if (act.message.type === "state" && act.message.players.some(({ kind }) => kind === "engine"))
            prepare(this.#variant);
          this.#tell(act.message);
          break;
        case "keep":
          this.#keep(act.saved);
          break;
        case "start":
          this.#launch(act.engine);
          break;
        case "send":
          this.#engines.get(act.engine)?.send(act.line);
          break;
        case "quit":
          this.#engines.get(act.engine)?.close();
          this.#engines.delete(act.engine);
          break;
        case "wake":
          clearTimeout(this.#timer);
          if (act.at !== null) this.#timer = setTimeout(() => this.#wake(), Math.max(0, act.at - this.#now()));
          break;
      }
    }
  }

  #wake() {
    this.#game?.wake(this.#now());
    this.#obey();
  }

  #keep(saved) {
    const answered = (error) => {
      if (error?.why === "unknown") return this.#deleted(error);
      this.#game?.kept(error?.message, this.#now());
      this.#obey();
    };
    this.#saving = this.#saving
      .then(() => this.#games.put(this.id, saved))
      .then(() => (this.#kept = saved))
      .then(() => answered(), answered);
  }

  /** Does not bring back what somebody has deleted. */
  #deleted({ why, message }) {
    this.leave();
    this.#tell({ type: "gone", why, text: message });
  }

  #launch(number) {
    // Not a worker that starts another: of such, Firefox now and then leaves one waiting for ever.
    const started = usi({
      game: this.#variant,
      sources: sources(),
      say: (line) => here(() => this.#game.line(number, line, this.#now())),
      over: async (trouble) => {
        if (!trouble) return;
        if (trouble.endsWith(OTHER_VERSION)) refresh();
        const why = (await isLacking(this.#variant)) ? needsVisit("its engine has") : trouble;
        here(() => this.#ended(number, why));
      },
    });
    this.#engines.set(number, started);
    // Once what is done now is done: an engine may answer before it has taken the line.
    const here = (act) =>
      queueMicrotask(() => {
        if (this.#engines.get(number) !== started) return;
        act();
        this.#obey();
      });
    filesOf(this.#variant).forEach(keepFetched);
    this.#game.started(number, this.#now());
  }

  #ended(number, trouble) {
    this.#engines.delete(number);
    this.#game.ended(number, trouble, this.#now());
  }
}

/** A game that nobody keeps, where others are in the browser's store of games. */
class Fleeting {
  #game;

  constructor(id, saved) {
    this.#game = { id, saved };
  }

  async get() {
    return this.#game;
  }

  async put(id, saved) {
    this.#game = { id, saved };
  }

  async removeUnchanged() {}
}

/** The smallest module of WebAssembly: it does nothing. */
const NOTHING = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]);

/** Begins what the tables are made of. */
async function tables() {
  const found = globalThis.WebAssembly;
  if (!found) throw new Error("this browser has no WebAssembly, or it is switched off. Allow it here, or try another browser.");
  try {
    await init({ module_or_path: await compiled(...fileOf("board/kujira_web_board_bg.wasm")) });
  } catch (error) {
    if (!(error.cause instanceof found.CompileError)) throw error;
    // It may be the file.
    const refused = await found.compile(NOTHING).then(() => false, () => true);
    if (!refused) throw new Error("the server sent another file in place of the rules of the games.");
    throw new Error("this browser refuses WebAssembly. Allow it here, or try another browser.");
  }
}

/** Gives one tab a game: two that play it would save over each other's moves. The answer gives it to others. */
function alone(id) {
  return new Promise((resolve, reject) => {
    const held = () => new Promise((release) => resolve(() => release(undefined)));
    // A page that is reloaded may hold it for a moment longer.
    const signal = AbortSignal.timeout(1000);
    const refused = ({ name }) => {
      if (name === "TimeoutError" || name === "AbortError") reject(gone("elsewhere", "This game is open in another tab."));
      // Where the page may keep no data there is nothing to save over.
      else resolve(() => {});
    };
    if (!navigator.locks) return resolve(() => {});
    navigator.locks.request(`kujira-${id}`, { signal }, held).catch(refused);
  });
}

/** What is said where there is no network. */
const needsVisit = (what) => `this game needs one visit online: ${what} not been fetched yet.`;

/** Milliseconds after which a server is there that has not answered: a line that is slow is one. */
const THERE = 5000;

/** Whether there is neither all that a game's engine is made of nor a way to fetch it. */
async function isLacking(game) {
  try {
    const kept = await Promise.all(filesOf(game).map((file) => caches.match(file)));
    if (kept.every(Boolean)) return false;
  } catch {
    // Nothing is kept here.
  }
  /** @type {RequestInit} */
  const question = { method: "HEAD", cache: "no-store", signal: AbortSignal.timeout(THERE) };
  return fetch(filesOf(game)[0], question).then(() => false, ({ name }) => name !== "TimeoutError");
}

/** Has the browser fetch anew what it had of the page, of which parts are of another version. */
function refresh() {
  for (const { name } of performance.getEntriesByType("resource")) fetch(name, { cache: "reload" }).catch(() => {});
}

/** What a file of the page holds (`what` is it, and has or have), which is kept from then on. */
async function file(what, address) {
  const content = await fetched(...fileOf(address), (answer) => answer.json()).catch(({ begun, cause }) => {
    if (!(cause instanceof SyntaxError || cause instanceof TypeError)) throw cause;
    throw new Error(begun ? "The server sent another file in place of it." : needsVisit(what));
  });
  keepFetched(new URL(address, import.meta.url).href);
  return content;
}

/** Has a file kept that only some games need: on the first visit it is fetched before there is a service worker. */
function keepFetched(keep) {
  navigator.serviceWorker?.ready.then(({ active }) => active.postMessage({ keep })).catch(() => {});
}

/** What a WebAssembly function returns, or its refusal as an error. */
function refusable(act) {
  try {
    return act();
  } catch (refusal) {
    throw refusal instanceof Error ? refusal : new Error(String(refusal));
  }
}
