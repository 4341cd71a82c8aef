// Files of games, in Node.

import { readFile } from "node:fs/promises";
import { fromFile, loader } from "../load.js";
import * as glue from "./games_bg.js";

export { readGames, writeGames } from "./games.js";

export const load = loader(
  glue,
  fromFile(readFile, "games/games_bg.wasm", new URL("./games_bg.wasm", import.meta.url)),
);
