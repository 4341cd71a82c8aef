// The engine for Node: lines in, lines out.

import { readFile } from "node:fs/promises";
import { Worker } from "node:worker_threads";
import { addressOf, books } from "./addresses.js";
import { Controller, GAMES } from "./controller.js";
import { files } from "./files.js";
import { folderOf } from "./folder.js";

/**
 * Starts an engine. It ends by the line `quit`, once what was asked before is answered, or at once by `close`. One that
 * has nothing to answer does not keep the process from its end.
 * @param {{ say(line: string, told?: object): void, over?(trouble?: string): void,
 *   game?: "whale" | "paulowich" | "great", base?: string | URL, shared?: boolean, timeout?: number }} wishes
 *   `say` is called with each line that the engine says, and what it tells of a search, `over` when it has ended, with the
 *   reason where nobody asked it to; `game` is the one it begins with, `base` the address of the package's folder where
 *   its files are not found beside this one;
 *   without `shared` memory a stop costs the search its table, as in a page that is not isolated;
 *   a worker that has not begun after `timeout` milliseconds (60000) is given up
 * @returns {{ send(line: string): void, close(): void }}
 */
export function usi({ say, over, game, base, shared = true, timeout }) {
  if (game !== undefined && !GAMES.includes(game)) {
    throw new RangeError(`expected a game among ${GAMES.join(", ")}, found ${game}`);
  }
  const folder = base === undefined ? base : new URL("engine/", folderOf(base, "file:"));
  return new Controller({
    ...files({
      bytes: async (name) => new Uint8Array(await readFile(addressOf(name, folder))),
      compile: async (name) => WebAssembly.compile(await readFile(addressOf(name, folder))),
    }),
    books: books(folder),
    spawn(receive) {
      // What the program was started with is not for it: `--input-type` fails there, and hooks are of no use.
      const worker = new Worker(new URL("search-node.js", folder ?? import.meta.url), { execArgv: [] });
      worker.on("message", receive);
      worker.on("error", (error) => receive({ type: "failed", message: error.message }));
      return {
        post: (message) => worker.postMessage(message),
        end: () => void worker.terminate(),
        hold: (busy) => (busy ? worker.ref() : worker.unref()),
      };
    },
    say,
    over,
    shared,
    game,
    timeout,
  });
}
