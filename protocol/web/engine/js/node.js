// The engine for Node: lines in, lines out.
//
//   import { engine } from "kujira";
//   const kujira = engine({ game: "great", say: (line) => console.log(line) });
//   kujira.send("usi");

import { readFile } from "node:fs/promises";
import { Worker } from "node:worker_threads";
import { Controller, GAMES } from "./controller.js";
import { files } from "./files.js";

const beside = (name) => new URL(name, import.meta.url);

/**
 * Starts an engine. It ends by the line `quit`, once what was asked before is answered, or at once by `close`. One that
 * has nothing to answer does not keep the process from its end.
 * @param {{ say(line: string): void, over?(trouble?: string): void, game?: "whale" | "paulowich" | "great",
 *   shared?: boolean, timeout?: number }} wishes
 *   `say` is called with each line that the engine says, `over` when it has ended, with the reason where nobody asked it
 *   to; `game` is the one it begins with;
 *   without `shared` memory a stop costs the search its table, as in a page that is not isolated;
 *   a worker that has not begun after `timeout` milliseconds (60000) is given up
 * @returns {{ send(line: string): void, close(): void }}
 */
export function engine({ say, over, game, shared = true, timeout }) {
  if (game !== undefined && !GAMES.includes(game)) {
    throw new RangeError(`expected a game among ${GAMES.join(", ")}, found ${game}`);
  }
  return new Controller({
    ...files({
      bytes: async (name) => new Uint8Array(await readFile(beside(name))),
      compile: async (name) => WebAssembly.compile(await readFile(beside(name))),
    }),
    spawn(receive) {
      const worker = new Worker(beside("search-node.js"));
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
