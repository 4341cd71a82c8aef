// A USI engine for whoever may not be kept waiting: takes lines at any time, says lines, and keeps the worker that
// searches.
//
// Where memory can be shared, lines reach a searching worker through a mailbox, and the session in it does what
// any session does. Where it cannot, a searching worker hears nothing: to stop it is to end it, to answer with the best
// move it told last, and to start another, which is told everything that the first knew; its table is lost.
// A worker that fails is replaced in the same way, and one whose table gets another size: the memory of a module never
// shrinks, and what lies between two tables would keep a larger one out.

import { Mailbox } from "./mailbox.js";

/** The games by their names in USI. */
export const GAMES = ["whale", "paulowich", "great"];

/**
 * A worker; `hold` says whether what it has to do is worth waiting for, where a process ends with its last work.
 * @typedef {{ post(message: object): void, end(): void, hold?(busy: boolean): void }} Worker
 * @typedef {{
 *   spawn(receive: (message: any) => void): Worker,
 *   module(): Promise<WebAssembly.Module>,
 *   network(game: string): Promise<Uint8Array>,
 *   books: Record<string, string>,
 *   say(line: string, told?: object): void,
 *   over?(trouble?: string): void,
 *   forget?(): void,
 *   shared: boolean,
 *   game?: string,
 *   timeout?: number,
 *   sources?: string,
 * }} Outside `timeout`: milliseconds after which a worker that has not begun, or a book, is given up; `sources`: what the
 *   engine must have been built from; `books`: the addresses of books by their names; `forget` is called when what was
 *   loaded cannot be used
 */

export class Controller {
  /** @type {Outside} */
  #outside;
  #game;
  #timeout;
  /** @type {Worker | null} */
  #worker = null;
  /** @type {Mailbox | null} */
  #mailbox = null;
  /** Whether the worker takes lines. */
  #ready = false;
  #closed = false;
  /** Whether it ends once everything asked is answered. */
  #quitting = false;
  /** @type {any} Runs while a worker has not begun. */
  #late;
  /** Lines that the worker has not been given yet. */
  #queue = [];
  /** Lines that it has been given, from the first on that it may not be done with. */
  #given = [];
  /** How many lines it has been given, how many it is done with, and how many of these are no longer in `#given`. */
  #counts = { given: 0, done: 0, noted: 0 };
  /** The networks it has, and the one that is under way. */
  #networks = new Set();
  #fetching = "";
  /** What a new worker has to be told: options, as they came, and the position. */
  #options = new Map();
  #position = "";
  /** The search that runs, as far as it has told. */
  #search = null;
  /** MiB of the table that the options ask for, of the one in the worker, and of the one before: 0 if there is none. */
  #table = { wanted: DEFAULT_HASH, made: 0, before: 0 };
  /** How often workers failed since one last answered. */
  #failures = 0;

  /** @param {Outside} outside */
  constructor(outside) {
    this.#outside = outside;
    this.#game = outside.game ?? GAMES[0];
    this.#timeout = outside.timeout ?? 60000;
  }

  /**
   * Takes a line. After `quit` what was asked before is still answered, searches with what they have found.
   * @param {string} line
   */
  send(line) {
    if (this.#closed || this.#quitting) return;
    const verb = verbOf(line);
    if (verb === "quit") {
      if (!this.#asked()) return this.close();
      this.#quitting = true;
      this.#queue = this.#queue.map(hurried);
      if (!this.#ready) return;
    }
    if (!this.#ready || !this.#overtakes(verb)) this.#queue.push(line);
    else if (!this.#give(line)) this.#queue.unshift(line);
    this.#pump();
  }

  /** Whether a line is for the search that runs, whatever waits here. */
  #overtakes(verb) {
    if (verb === "isready") return this.#search?.stopped === false && verbOf(this.#search.line) === "go";
    // What waits would be stopped by it, too.
    return verb === "quit" || (URGENT.includes(verb) && !this.#queue.some((line) => searches(verbOf(line))));
  }

  /**
   * Ends the engine: nothing is said any more.
   * @param {string} [trouble] what makes it end, if it is not asked to
   */
  close(trouble) {
    if (this.#closed) return;
    this.#closed = true;
    this.#ready = false;
    clearTimeout(this.#late);
    this.#worker?.end();
    this.#worker = null;
    this.#outside.over?.(trouble);
  }

  /** Notes of the first lines, which the worker is done with, what a new one would have to be told. */
  #note(count) {
    this.#counts.noted += count;
    for (const line of this.#given.splice(0, count)) {
      if (verbOf(line) === "position") this.#position = line;
      if (verbOf(line) !== "setoption") continue;
      const name = optionOf(line);
      // What is refused changes nothing, and the size is noted elsewhere.
      if (name === "hash" || (name === VARIANT && !gameOf(line))) continue;
      // Another game begins at its start.
      if (name === VARIANT && gameOf(line) !== this.#playing()) this.#position = "";
      // In the order in which they came last.
      this.#options.delete(name);
      this.#options.set(name, line);
    }
  }

  /** Gives the worker what it can be given now, and looks whether that is worth waiting for. */
  #pump() {
    if (this.#closed) return;
    if (!this.#worker) return this.#begin();
    this.#feed();
    this.#worker?.hold?.(this.#asked());
    if (this.#quitting && !this.#asked()) this.close();
  }

  #feed() {
    while (this.#ready && this.#queue.length > 0) {
      const [game, size] = [gameOf(this.#queue[0]), sizeOf(this.#queue[0])];
      const [lacks, resizes] = [game && !this.#networks.has(game), this.#table.made && size && size !== this.#table.made];
      // Not in the middle of a search, which may have begun before a network was fetched.
      if ((lacks || resizes) && this.#busy()) return this.#hasten();
      if (lacks) return this.#fetch(game);
      if (resizes) {
        this.#queue.shift();
        this.#table.wanted = size;
        return this.#restart([]);
      }
      // Out of the queue first: what it stops puts another in its place.
      const line = this.#queue.shift();
      if (!this.#give(line)) {
        this.#queue.unshift(line);
        return;
      }
    }
  }

  #busy() {
    return this.#counts.given > this.#counts.done;
  }

  /** Whether anything is still to be answered. */
  #asked() {
    return this.#queue.length > 0 || this.#busy();
  }

  /** Whether the search that runs ends by another line alone. */
  #endless() {
    return /^\s*go\s.*\b(infinite|ponder)\b/i.test(this.#search?.line ?? "");
  }

  /** Ends a search that would go on for ever if another waits, as the other would do if it were not kept here. */
  #hasten() {
    const waits = this.#queue.some((line) => verbOf(line) === "go");
    if (waits && this.#endless() && !this.#search.stopped) this.#give("stop");
  }

  /** Gives the worker a line; returns whether it could be given. */
  #give(line) {
    if (this.#search && STOPS.includes(verbOf(line))) this.#search.stopped = true;
    if (!this.#mailbox && this.#busy() && this.#instead(line)) return true;
    if (this.#mailbox && !this.#mailbox.put(line)) {
      // Too long for the ring, or the ring is full of lines that the worker will take when it is done.
      if (this.#busy()) return false;
      this.#count(line);
      this.#worker.post({ type: "lines", lines: [line] });
      return true;
    }
    this.#count(line);
    this.#worker.post(this.#mailbox ? { type: "mail" } : { type: "lines", lines: [line] });
    return true;
  }

  #count(line) {
    this.#counts.given += 1;
    this.#given.push(line);
    this.#table.wanted = sizeOf(line) || this.#table.wanted;
    if (verbOf(line) === "isready" || searches(verbOf(line))) this.#table.made = this.#table.wanted;
    this.#begins();
  }

  /** Looks which search runs, if none did. */
  #begins() {
    if (this.#search) return;
    const at = this.#given.findIndex((line) => searches(verbOf(line)));
    if (at < 0) return;
    this.#note(at);
    this.#search = { line: this.#given[0], best: "", ponder: "", stopped: false };
  }

  /** What a worker that hears nothing would do; returns whether that was anything. */
  #instead(line) {
    if (!this.#search) return false;
    const verb = verbOf(line);
    if (verb === "isready") {
      this.#outside.say("readyok");
      return true;
    }
    // Perft and bench are let finish, so that lines can be handed over all at once.
    if (verb === "stop" || verb === "gameover" || (verb === "quit" && verbOf(this.#search.line) === "go")) {
      this.#stop();
      return true;
    }
    if (verb === "ponderhit") {
      const hit = this.#search.line.replace(/\sponder\b/, "");
      this.#restart([hit]);
      return true;
    }
    if (verb === "go" && this.#endless()) {
      // Behind all that came before it.
      this.#given.push(line);
      this.#stop();
      return true;
    }
    return false;
  }

  /** Ends the search by ending the worker. */
  #stop() {
    // What is sent while the answer is said waits for the next worker.
    this.#ready = false;
    const { line, best, ponder } = this.#search;
    const verb = verbOf(line);
    if (verb !== "go") {
      this.#outside.say(`info string ${verb}: stopped`);
      return this.#restart([]);
    }
    if (/\smate\b/.test(line)) {
      this.#outside.say("checkmate timeout", UNPROVED);
      return this.#restart([]);
    }
    // Without a move told yet the new worker has to find one.
    if (!best) return this.#restart([hurried(line)]);
    const reply = ponder && this.#ponders() ? ` ponder ${ponder}` : "";
    this.#outside.say(`bestmove ${best}${reply}`, { type: "bestmove", answer: "move", best, ponder: ponder || null });
    this.#restart([]);
  }

  #ponders() {
    return /\svalue\s+true\s*$/i.test(this.#options.get("ponder") ?? "");
  }

  /** Starts another worker, which goes on after the search with `lines` in its place. */
  #restart(lines) {
    // The first is the search, or what made the worker fail.
    this.#queue = [...lines, ...this.#given.slice(1), ...this.#queue];
    if (this.#quitting) this.#queue = this.#queue.map(hurried);
    this.#worker?.end();
    this.#worker = null;
    this.#search = null;
    this.#table = { ...this.#table, made: 0, before: this.#table.made || this.#table.before };
    this.#begin();
  }

  #begin() {
    if (this.#worker || this.#closed) return;
    this.#ready = false;
    this.#networks = new Set();
    this.#fetching = "";
    this.#given = [];
    this.#counts = { given: 0, done: 0, noted: 0 };
    this.#mailbox = this.#outside.shared ? new Mailbox() : null;
    const worker = this.#spawn((message) => {
      if (this.#worker === worker) this.#receive(message);
    });
    this.#worker = worker;
    const game = this.#playing();
    const begun = Promise.all([this.#outside.module(), this.#outside.network(game)]);
    begun.then(([module, network]) => {
      if (this.#worker !== worker) return;
      this.#networks.add(game);
      const lines = [...this.#options.values(), `setoption name USI_Hash value ${this.#table.wanted}`];
      if (this.#position) lines.push(this.#position);
      // The table, too, is there before anything is asked.
      if (this.#table.before) lines.push("isready");
      const mailbox = this.#mailbox?.memory ?? null;
      const { books } = this.#outside;
      worker.post({ type: "begin", module, game, network, mailbox, lines, books, timeout: this.#timeout });
      this.#watch(worker);
    }, (error) => this.#worker === worker && this.#refused(error.message));
    this.#pump();
  }

  /** A worker, or what stands for one that the browser does not allow: one of another origin, for instance. */
  #spawn(receive) {
    try {
      return this.#outside.spawn(receive);
    } catch (error) {
      // Whoever has sent a line is not told by what is thrown.
      queueMicrotask(() => receive({ type: "refused", message: error.message }));
      return { post() {}, end() {} };
    }
  }

  /** Gives up a worker that does not begin. */
  #watch(worker) {
    clearTimeout(this.#late);
    this.#late = setTimeout(() => {
      if (this.#worker === worker && !this.#ready) this.#refused(`its worker did not begin in ${this.#timeout / 1000} s`);
    }, this.#timeout);
    // In Node: no reason to stay for.
    this.#late.unref?.();
  }

  /** The game that the options ask for. */
  #playing() {
    return gameOf(this.#options.get(VARIANT) ?? "") ?? this.#game;
  }

  /** Tells of trouble with the engine itself. */
  #complain(trouble) {
    const text = `engine: ${trouble}`;
    this.#outside.say(`info string error ${text}`, { type: "error", text });
  }

  /** Nothing can be played. */
  #refused(message) {
    this.#outside.forget?.();
    const trouble = `expected an engine, could not load it: ${message}`;
    this.#complain(trouble);
    this.close(trouble);
  }

  #fetch(game) {
    if (this.#fetching) return;
    this.#fetching = game;
    const worker = this.#worker;
    this.#outside.network(game).then((network) => {
      // Answered before lines follow, which could overtake it through the mailbox.
      if (this.#worker === worker) worker.post({ type: "network", game, network });
    }, (error) => {
      if (this.#worker !== worker) return;
      this.#fetching = "";
      // The game stays the one it was.
      this.#queue.shift();
      this.#complain(`expected the network of ${game}, could not load it: ${error.message}`);
      this.#pump();
    });
  }

  #receive(message) {
    switch (message.type) {
      case "begun":
        if ((this.#outside.sources ?? message.sources) !== message.sources) this.#refused(OTHER_VERSION);
        else this.#begun(message.said);
        break;
      case "lent":
        this.#networks.add(this.#fetching);
        this.#fetching = "";
        this.#pump();
        break;
      case "idle":
        this.#counts.done = message.heard;
        if (message.heard > this.#counts.noted) {
          // A search is the first of the lines.
          [this.#search, this.#failures] = [null, 0];
          this.#note(message.heard - this.#counts.noted);
        }
        this.#begins();
        this.#pump();
        break;
      case "line":
        this.#said(message.line, message.told);
        break;
      case "failed":
        this.#failed(message.message);
        break;
      case "refused":
        this.#refused(message.stale ? OTHER_VERSION : message.message);
        break;
    }
  }

  /** A worker is there, and knows what the one before knew. */
  #begun(said) {
    clearTimeout(this.#late);
    this.#ready = true;
    const { wanted, before } = this.#table;
    this.#table = { wanted, made: before && wanted, before: 0 };
    const complaint = said.find(keptBy);
    if (complaint && wanted !== before) {
      this.#said(...complained(complaint.replace(/\d+(?= MiB$)/, before)));
      return this.#restart([]);
    }
    if (complaint) this.#said(...complained(complaint));
    this.#pump();
  }

  #said(line, told) {
    const kept = keptBy(line);
    if (kept) [this.#table.wanted, this.#table.made] = [kept, kept];
    const first = told?.type === "info" && told.multipv === 1 && told.pv.length > 0;
    if (this.#search && first) [this.#search.best, this.#search.ponder = ""] = told.pv;
    const answered = this.#search && ["bestmove", "checkmate"].includes(told?.type);
    if (answered) {
      this.#note(1);
      this.#search = null;
      this.#failures = 0;
    }
    // Whoever hears it may send the next line at once.
    this.#outside.say(line, told);
    if (answered) this.#begins();
  }

  #failed(message) {
    this.#ready = false;
    const one = message.replace(/\s+/g, " ").trim();
    this.#complain(`it failed and was started anew: ${one}`);
    this.#failures += 1;
    if (this.#failures > 3) return this.#refused(`it fails again and again: ${one}`);
    const { line } = this.#search ?? {};
    if (!line || verbOf(line) !== "go") return this.#restart([]);
    if (this.#failures > 1) {
      if (/\smate\b/.test(line)) this.#outside.say("checkmate timeout", UNPROVED);
      else this.#outside.say("bestmove resign", { type: "bestmove", answer: "resign", best: null, ponder: null });
      return this.#restart([]);
    }
    this.#restart([hurried(line)]);
  }
}

/** What a search for a mate tells that was ended. */
const UNPROVED = { type: "checkmate", status: "unknown", line: [] };

/** MiB of the engine's table where nothing else is asked for, and the most that can be (`protocol/kujira`). */
const [DEFAULT_HASH, LARGEST_HASH] = [64, 2048];

/** Commands that end what is searched, and all that are for the search that runs. */
const STOPS = ["stop", "gameover", "quit"];
const URGENT = [...STOPS, "ponderhit"];

/** What is said of an engine that was not built from what it must have been. */
export const OTHER_VERSION = "the server sent a file of another version: load the page again, now or a little later";

/** The first word of a line, in small letters. */
function verbOf(line) {
  return /^\s*(\S*)/.exec(line)[1].toLowerCase();
}

/** Whether a command may take long. */
function searches(verb) {
  return verb === "go" || verb === "perft" || verb === "bench";
}

/** The option that chooses the game. */
const VARIANT = "variant";

/** The name of the option that a line sets, in small letters, without the protocol before it. */
function optionOf(line) {
  const name = /^\s*setoption\s+(?:name\s+)?(.*?)(?:\s+value\b.*)?\s*$/i.exec(line)?.[1] ?? line;
  return name.toLowerCase().replace(/^u[sc]i_/, "");
}

/** The game that a line chooses, if it does. */
function gameOf(line) {
  const value = /^\s*setoption\s+(?:name\s+)?u[sc]i_variant\s+(?:value\s+)?(\S+)/i.exec(line)?.[1];
  return GAMES.find((game) => game === value?.toLowerCase());
}

/** The size that a line gives the table, in MiB: 0 for a line that gives none. */
function sizeOf(line) {
  const value = /^\s*setoption\s+(?:name\s+)?(?:u[sc]i_)?hash\s+(?:value\s+)?(\d+)\s*$/i.exec(line)?.[1];
  return Number(value) <= LARGEST_HASH ? Number(value) : 0;
}

/** The size that the table kept, in MiB, if a line says that there is no memory for another. */
function keptBy(line) {
  return Number(/^info string error USI_Hash: .* memory .*keeping (\d+) MiB$/.exec(line)?.[1] ?? 0);
}

/** A line of trouble, with what it tells. */
const complained = (line) => [line, { type: "error", text: line.replace(/^info string error /, "") }];

/** A line as it is where nobody waits for more than an answer. */
function hurried(line) {
  if (verbOf(line) !== "go") return line;
  return /\smate\b/.test(line) ? "go mate 1" : `go depth 1${/\ssearchmoves\s.*/.exec(line)?.[0] ?? ""}`;
}
