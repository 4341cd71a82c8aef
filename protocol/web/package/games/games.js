// Files of games: what a module reads and writes as lines of JSON are objects here.

import { callable, known, list, text } from "../given.js";
import { Reader, write } from "./games_bg.js";

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
  const lines = list(games, "games").map((game) => `${JSON.stringify({ game })}\n`).join("");
  return write(lines, text(format, "a format"), text(squares, "squares"));
}
