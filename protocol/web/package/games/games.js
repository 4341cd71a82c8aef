// Files of games: what a module reads and writes as lines of JSON are objects here.

import { callable, known, list, properties, text } from "../given.js";
import { Reader, write } from "./games_bg.js";

const GAME = [
  ...["variant", "rules", "opening", "moves", "branches", "winner", "reason", "detail", "black", "white"],
  ...["tags", "comment", "nags", "round", "engines", "leg", "began"],
];
const PLAYER = ["name", "limit", "options"];
const STEP = ["usi", "after", "score", "depth", "us", "clock", "nags", "before", "comment", "result"];

/** A game of which all is understood: what is not would be lost without a word. */
function whole(given, index) {
  const place = `game ${index + 1}`;
  const game = properties(given, place, GAME);
  for (const side of ["black", "white"]) {
    if (game[side] !== undefined) game[side] = properties(game[side], `${place}: ${side}`, PLAYER);
  }
  for (const steps of ["moves", "branches"]) {
    if (game[steps] === undefined) continue;
    const step = (step, index) => properties(step, `${place}: ${steps}[${index}]`, STEP);
    game[steps] = list(game[steps], `${place}: ${steps}`).map(step);
  }
  return game;
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
