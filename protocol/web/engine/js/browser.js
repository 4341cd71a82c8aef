// The engine for whoever runs in a browser: a page, or a worker that is nothing else (kujira.js). All files lie beside
// this one, and are loaded once for all engines that are started here.

import { Controller } from "./controller.js";
import { files } from "./files.js";

const beside = (name) => new URL(name, import.meta.url);

async function fetched(name) {
  const answer = await fetch(beside(name)).catch((error) => {
    throw new Error(`expected ${name} from an earlier visit or the network, found neither: ${error.message}`);
  });
  if (!answer.ok) throw new Error(`${name}: expected a file, the server answered ${answer.status}`);
  return answer;
}

const loaded = files({
  bytes: async (name) => new Uint8Array(await (await fetched(name)).arrayBuffer()),
  compile: async (name) => {
    const answer = await fetched(name);
    // A server that does not know the type is no reason not to play.
    const typed = answer.headers.get("content-type")?.startsWith("application/wasm");
    return typed ? WebAssembly.compileStreaming(answer) : WebAssembly.compile(await answer.arrayBuffer());
  },
});

/**
 * Starts an engine. It ends by the line `quit` or by `close`.
 * @param {{ say(line: string): void, over?(trouble?: string): void, game?: string, sources?: string }} wishes
 *   `say` is called with each line that the engine says, `over` when it has ended, with the reason where nobody asked it
 *   to; `game` is the one it begins with, `sources` what it must have been built from
 * @returns {{ send(line: string): void, close(): void }}
 */
export function engine({ say, over, game, sources }) {
  return new Controller({
    ...loaded,
    spawn(receive) {
      const worker = new Worker(beside("search-worker.js"), { type: "module" });
      worker.onmessage = ({ data }) => receive(data);
      worker.onerror = (event) => receive({ type: "failed", message: event.message ?? "no worker" });
      return { post: (message) => worker.postMessage(message), end: () => worker.terminate() };
    },
    say,
    over,
    // Only a page that is isolated has memory that two workers share.
    shared: globalThis.crossOriginIsolated === true,
    game,
    sources,
  });
}
