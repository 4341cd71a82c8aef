// The engine for a page: a worker that takes lines of USI as messages and says lines of USI as messages.
//
//   const engine = new Worker("kujira.js#great", { type: "module" });
//   engine.onmessage = ({ data }) => console.log(data);
//   engine.postMessage("usi");
//
// After the `#` stands the game that it begins with, `whale` if nothing does; the network of another game is fetched
// when USI_Variant chooses it. All files lie beside this one.

import { Controller, GAMES } from "./controller.js";
import { files } from "./files.js";

const beside = (name) => new URL(name, import.meta.url);
const begin = self.location.hash.slice(1);

async function fetched(name) {
  const answer = await fetch(beside(name)).catch((error) => {
    throw new Error(`expected ${name} from an earlier visit or the network, found neither: ${error.message}`);
  });
  if (!answer.ok) throw new Error(`${name}: expected a file, the server answered ${answer.status}`);
  return answer;
}

const controller = new Controller({
  ...files({
    bytes: async (name) => new Uint8Array(await (await fetched(name)).arrayBuffer()),
    compile: async (name) => {
      const answer = await fetched(name);
      // A server that does not know the type is no reason not to play.
      const typed = answer.headers.get("content-type")?.startsWith("application/wasm");
      return typed ? WebAssembly.compileStreaming(answer) : WebAssembly.compile(await answer.arrayBuffer());
    },
  }),
  spawn(receive) {
    const worker = new Worker(beside("search-worker.js"), { type: "module" });
    worker.onmessage = ({ data }) => receive(data);
    worker.onerror = (event) => receive({ type: "failed", message: event.message ?? "no worker" });
    return { post: (message) => worker.postMessage(message), end: () => worker.terminate() };
  },
  say: (line) => self.postMessage(line),
  over(trouble) {
    // Whoever started this worker is told as of any worker that fails.
    if (trouble) reportError(new Error(trouble));
    self.close();
  },
  // Only a page that is isolated has memory that two workers share.
  shared: self.crossOriginIsolated === true,
  game: GAMES.includes(begin) ? begin : undefined,
});
self.onmessage = ({ data }) => controller.send(String(data));
