// The engine for programs: what is asked in values is told it in lines of USI, and what it tells is answered in values.

import { boolean, callable, known, list, number, text, typeOf } from "../given.js";
import { GAMES } from "./controller.js";
import { folderOf } from "./folder.js";

/** @typedef {import("./index.js").Told} Told */
/** @typedef {import("./index.js").Limits} Limits */
/** @typedef {import("./index.js").Usi} Usi */
/** @typedef {import("./index.js").UsiOptions} UsiOptions */

/** How trouble begins that the engine has recovered from. */
const FAILED = "engine: it failed and was started anew";

const LARGEST = Number.MAX_SAFE_INTEGER;
/** The milliseconds that a timer can wait for; with more it does not wait at all. */
const LONGEST = 2 ** 31 - 1;
const LEVELS = 10;

/** A text that goes into a line. */
function word(given, what) {
  if (/^[^\r\n]+$/.test(text(given, what))) return given;
  throw new RangeError(`expected ${what} in one line, found ${JSON.stringify(given)}`);
}

/** A move for a line: words of `go` itself, which would be obeyed, have no number. */
function move(given, index) {
  if (/^(?=.*\d)[\w+*=-]+$/.test(text(given, `moves[${index}]`))) return given;
  throw new RangeError(`expected a move, found ${JSON.stringify(given)}`);
}

/** What may be said of any engine: its game, and how its files are loaded. */
function begins(/** @type {{ game?: unknown, base?: any }} */ options) {
  const { game, base } = options;
  number(options, "timeout", 1, LONGEST);
  if (base !== undefined) folderOf(base);
  if (game !== undefined && !GAMES.includes(/** @type {any} */ (game))) {
    throw new RangeError(`expected a game among ${GAMES.join(", ")}, found ${String(game)}`);
  }
}

/**
 * The options of an engine in lines, which are those of `UsiOptions`.
 * @param {UsiOptions} options
 */
export function checked(options) {
  const found = known(options, "say", "over", "game", "base", "timeout", "shared");
  if (found.say === undefined) throw new TypeError("expected say as a function, found undefined");
  callable(found.say, "say");
  callable(found.over, "over");
  boolean(found, "shared");
  begins(found);
  return found;
}

/** The lines that tell an engine a position. */
function linesOf(/** @type {any} */ position, game) {
  if (typeof position?.toUsi !== "function") {
    return [`setoption name USI_Variant value ${game}`, `position ${word(position, "a Board, or a position of USI")}`];
  }
  const lines = position.toUsi();
  const tells = (line) => typeof line === "string" && /^(setoption|position) [^\r\n]+$/.test(line);
  if (Array.isArray(lines) && lines.every(tells)) return [...lines];
  throw new TypeError("expected toUsi() as an array of lines setoption and position, found another value");
}

/** What a search asks beside its limits. */
const LIMITS = ["nodes", "depth", "time", "signal"];

export class Engine {
  #begin;
  #options;
  /** @type {Usi | null} */
  #usi = null;
  /** What makes it end, once it has ended. */
  #over = "";
  /** @type {((told: Told | { type: "over", text: string }) => void) | null} Hears what is told of the search that runs. */
  #listener = null;

  /**
   * @param {(options: UsiOptions) => Usi} begin
   * @param {import("./index.js").EngineOptions} [options]
   */
  constructor(begin, options = {}) {
    const found = known(options, "game", "hash", "base", "timeout");
    number(found, "hash", 1, 2048);
    begins(found);
    this.#begin = begin;
    this.#options = found;
  }

  /** @type {import("./index.js").Engine["search"]} */
  async search(position, given) {
    const options = known(given, ...LIMITS, "infinite", "lines", "moves", "onLine");
    const go = limits(options);
    if (boolean(options, "infinite")) {
      if (go.length > 0) throw new RangeError(`expected infinite or a limit, found infinite and ${go[0]}`);
      go.push("infinite");
    }
    if (go.length === 0) throw new RangeError("expected a limit: nodes, depth, time or infinite, found none");
    const lines = number(options, "lines", 1, 256) ?? 1;
    // Behind all else: whatever follows is a move.
    if (options.moves !== undefined) {
      const moves = list(options.moves, "moves").map(move);
      if (moves.length === 0) throw new RangeError("expected moves to choose among, found none");
      go.push("searchmoves", ...moves);
    }
    return this.#search(position, strength(LEVELS), lines, go, options);
  }

  /** @type {import("./index.js").Engine["play"]} */
  async play(position, given = {}) {
    const options = known(given, ...LIMITS, "level", "elo");
    const [level, elo] = [number(options, "level", 1, LEVELS), number(options, "elo", 0, 100000)];
    if (level !== undefined && elo !== undefined) throw new RangeError("expected a level or an elo, found both");
    const go = limits(options);
    if (go.length === 0) go.push("movetime", 1000);
    const { best } = await this.#search(position, strength(level ?? LEVELS, elo), 1, go, options);
    return best;
  }

  /** @type {import("./index.js").Engine["mate"]} */
  async mate(position, given = {}) {
    const options = known(given, ...LIMITS);
    const go = ["mate", number(options, "time", 1, LARGEST) ?? "infinite", ...limits({ ...options, time: undefined })];
    const said = [];
    const found = await this.#ask(position, [...strength(LEVELS), `go ${go.join(" ")}`], options.signal, said);
    return { status: found.status, line: found.line };
  }

  stop() {
    if (this.#listener) this.#usi?.send("stop");
  }

  newGame() {
    if (this.#listener) throw new Error("expected no search that runs, found one");
    this.#usi?.send("usinewgame");
  }

  terminate() {
    if (this.#usi) this.#usi.close();
    else this.#ended("it was terminated");
  }

  /**
   * @param {import("./index.js").Position} position
   * @param {string[]} options
   * @param {number} count
   * @param {any[]} go
   * @param {{ signal?: AbortSignal, onLine?(line: any): void }} given
   * @returns {Promise<import("./index.js").Analysis>}
   */
  async #search(position, options, count, go, { signal, onLine }) {
    const said = [];
    const lines = [...options, `setoption name MultiPV value ${count}`, `go ${go.join(" ")}`];
    const { answer, best, ponder } = await this.#ask(position, lines, signal, said, onLine);
    const found = said.filter(({ type }) => type === "info").map(({ type, ...line }) => line);
    const ranks = new Map(found.map((line) => [line.multipv, line]));
    const last = [...ranks.values()].sort((a, b) => a.multipv - b.multipv);
    const most = (name) => Math.max(0, ...last.map((line) => line[name]));
    return {
      best,
      ponder,
      answer,
      lines: last.filter(({ pv }) => pv.length > 0),
      score: last[0]?.score ?? null,
      depth: last[0]?.depth ?? 0,
      nodes: most("nodes"),
      time: most("time"),
    };
  }

  /**
   * Tells the engine a position and lines of which the last asks for an answer.
   * @param {import("./index.js").Position} position
   * @param {string[]} lines
   * @param {AbortSignal | undefined} signal
   * @param {any[]} said is given all that is told before the answer
   * @param {(line: any) => void} [onLine]
   * @returns {Promise<any>}
   */
  #ask(position, lines, signal, said, onLine) {
    const before = linesOf(position, this.#options.game ?? GAMES[0]);
    callable(onLine, "onLine");
    if (signal !== undefined && !(signal instanceof AbortSignal)) {
      throw new TypeError(`expected signal as the signal of an AbortController, found ${typeOf(signal)}`);
    }
    if (this.#over) throw new Error(`expected an engine that goes on, found one that ended: ${this.#over}`);
    if (this.#listener) throw new Error("expected no other search that runs, found one");
    signal?.throwIfAborted();
    // Where nothing runs yet it begins with the game that is asked for.
    this.#usi ??= this.#start(/^setoption name USI_Variant value (\S+)$/.exec(before[0])?.[1]);
    const usi = this.#usi;
    return new Promise((resolve, reject) => {
      const stop = () => usi.send("stop");
      const settle = (act, value) => {
        this.#listener = null;
        signal?.removeEventListener("abort", stop);
        act(value);
      };
      // What the caller's function throws ends the search, too.
      let failure = null;
      const tell = ({ type, ...line }) => {
        try {
          if (!failure) onLine?.(structuredClone(line));
        } catch (reason) {
          failure = { reason };
          stop();
        }
      };
      this.#listener = (told) => {
        if (told.type === "over") return settle(reject, new Error(told.text));
        if (told.type !== "bestmove" && told.type !== "checkmate") {
          said.push(told);
          // What is refused leaves a search of something else, which may have no end.
          if (refuses(told)) stop();
          if (told.type === "info" && told.pv.length > 0) tell(told);
          return undefined;
        }
        if (signal?.aborted) return settle(reject, signal.reason);
        if (failure) return settle(reject, failure.reason);
        const error = said.find(refuses);
        return error ? settle(reject, new RangeError(error.text)) : settle(resolve, told);
      };
      signal?.addEventListener("abort", stop);
      for (const line of [...before, ...lines]) usi.send(line);
    });
  }

  #start(game) {
    const { base, timeout, hash = 16 } = this.#options;
    const usi = this.#begin({
      game: /** @type {any} */ (game),
      base,
      timeout,
      say: (_line, told) => told && this.#listener?.(told),
      over: (trouble) => this.#ended(trouble ?? "it was terminated"),
    });
    usi.send(`setoption name USI_Hash value ${hash}`);
    return usi;
  }

  #ended(why) {
    this.#over ||= why;
    this.#listener?.({ type: "over", text: why });
  }
}

/** Whether something was refused: an engine that failed is another one by then, and goes on. */
const refuses = (/** @type {any} */ { type, text }) => type === "error" && !text.startsWith(FAILED);

/** Limits as `go` has them. */
function limits(/** @type {Limits} */ options) {
  const names = { nodes: "nodes", depth: "depth", time: "movetime" };
  return Object.entries(names).flatMap(([name, verb]) => {
    const found = number(options, name, 1, name === "depth" ? 100 : LARGEST);
    return found === undefined ? [] : [verb, found];
  });
}

/** The lines that set how strong it plays. */
const strength = (level, elo) => [
  `setoption name Level value ${level}`,
  `setoption name USI_LimitStrength value ${elo !== undefined}`,
  ...(elo === undefined ? [] : [`setoption name USI_Elo value ${elo}`]),
];
