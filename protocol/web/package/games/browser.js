// Files of games, in a browser.

import { fromServer, loader } from "../load.js";
import * as glue from "./games_bg.js";

export { readGames, writeGames } from "./games.js";

export const load = loader(
  glue,
  fromServer("games/games_bg.wasm", new URL("./games_bg.wasm", import.meta.url)),
);
