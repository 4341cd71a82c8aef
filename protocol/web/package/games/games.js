// Files of games: what a module reads and writes as lines of JSON are objects here.

import { callable, known, list, properties, text } from "../given.js";
import { Reader, isTold, write } from "./games_bg.js";

const GAME = [
  ...["variant", "rules", "opening", "moves", "branches", "winner", "reason", "detail", "black", "white"],
  ...["tags", "comment", "nags", "round", "engines", "leg", "began"],
];
const PLAYER = ["name", "limit", "options"];
const MATCH = ["round", "engines", "leg"];
const STEP = ["usi", "score", "depth", "us", "clock", "nags", "before", "comment"];
const STEPS = { moves: STEP, branches: [...STEP, "after", "result"] };

/** A value that JSON can tell; functions, dates and the like would be left out or become others. */
function json(given, place) {
  if (given === null || ["string", "boolean", "undefined"].includes(typeof given) || Number.isFinite(given)) return given;
  if (typeof given === "number") throw new RangeError(`expected ${place} as a number that JSON has, found ${given}`);
  if (Array.isArray(given)) return Array.from(given, (one, index) => json(one, `${place}[${index}]`));
  const tag = Object.prototype.toString.call(given).slice(8, -1);
  if (tag !== "Object") throw new TypeError(`expected ${place} as a value that JSON has, found ${tag}`);
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [name, json(value, `${place}.${name}`)]));
}

/** A game of which all is understood: what is not would be lost without a word. */
function whole(given, index) {
  const place = `game ${index + 1}`;
  const game = properties(given, place, GAME);
  for (const side of ["black", "white"]) {
    if (game[side] !== undefined) game[side] = properties(game[side], `${place}: ${side}`, PLAYER);
  }
  for (const [steps, names] of Object.entries(STEPS)) {
    if (game[steps] === undefined) continue;
    const step = (given, index) => {
      const at = `${place}: ${steps}[${index}]`;
      const step = properties(given, at, names);
      if (step.depth == null || step.score != null) return step;
      throw new RangeError(`expected ${at} with a score beside its depth, found none`);
    };
    game[steps] = list(game[steps], `${place}: ${steps}`).map(step);
  }
  const said = MATCH.filter((name) => game[name] != null);
  if (![0, MATCH.length].includes(said.length)) {
    throw new RangeError(`expected ${place} with all of ${MATCH.join(", ")} or none, found ${said.join(", ")}`);
  }
  if (game.began !== undefined && !/T/.test(text(game.began, `${place}: began`))) {
    throw new RangeError(`expected ${place}: began as a date and a time with T between them, found ${game.began}`);
  }
  const told = Object.fromEntries(Object.entries(game).map(([name, value]) => [name, json(value, `${place}: ${name}`)]));
  for (const [index, tag] of (Array.isArray(told.tags) ? told.tags : []).entries()) {
    if (typeof tag?.[0] !== "string" || !isTold(tag[0])) continue;
    throw new RangeError(`expected ${place}: tags[${index}] as one that says what the game does not say, found ${tag[0]}`);
  }
  return told;
}

/** @type {typeof import("./index.js").readGames} */
export function* readGames(file, options = {}) {
  const { format = "pgn", game, onError } = known(options, "format", "game", "onError");
  callable(onError, "onError");
  const bytes = file instanceof Uint8Array ? file : new TextEncoder().encode(text(file, "a file, or its bytes,"));
  const reader = new Reader(bytes, text(format, "a format"), game === undefined ? game : text(game, "a game"));
  try {
    for (;;) {
      let line;
      try {
        line = reader.next();
      } catch (error) {
        if (!onError) throw error;
        onError(error);
        continue;
      }
      if (line === undefined) return;
      yield JSON.parse(line).game;
    }
  } finally {
    reader.free();
  }
}

/** @type {typeof import("./index.js").writeGames} */
export function writeGames(games, options = {}) {
  const { format = "pgn", squares = "japanese" } = known(options, "format", "squares");
  const lines = list(games, "games").map((game, index) => `${JSON.stringify({ game: whole(game, index) })}\n`).join("");
  return write(lines, text(format, "a format"), text(squares, "squares"));
}
