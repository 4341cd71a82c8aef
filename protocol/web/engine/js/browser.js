// The engine for whoever runs in a browser: a page, or a worker that is nothing else (kujira.js). All files lie beside
// this one, and are loaded once for all engines that are started here.

import { addressOf, books } from "./addresses.js";
import { Controller } from "./controller.js";
import { files } from "./files.js";
import { folderOf } from "./folder.js";

/** Milliseconds without news after which a file, or a worker, is given up. */
const TIMEOUT = 60000;

/** Who is told of the bytes of files that come, and of the end of each. */
let listener = { came(_name, _bytes) {}, over(_name) {} };

/**
 * Has somebody told of all files that are fetched here.
 * @param {{ came(name: string, bytes: number): void, over(name: string): void }} who
 */
export const watchFiles = (who) => (listener = who);

/**
 * What `read` makes of what a server answers. An error once nothing of it has come for `timeout` milliseconds; it tells its
 * `cause`, and whether an answer had `begun`.
 * @template T
 * @param {string} name by which its bytes are told
 * @param {URL} address
 * @param {(answer: Response) => Promise<T>} read
 */
export async function fetched(name, address, read, timeout = TIMEOUT) {
  const stop = new AbortController();
  let late;
  let begun = false;
  const came = (bytes) => {
    clearTimeout(late);
    late = setTimeout(() => stop.abort(new Error(`nothing came for ${timeout / 1000} s`)), timeout);
    listener.came(name, bytes);
  };
  const over = () => {
    clearTimeout(late);
    listener.over(name);
  };
  came(0);
  try {
    const answer = await fetch(address, { signal: stop.signal });
    if (!answer.ok) throw new Error(`The server answered ${answer.status}.`);
    begun = true;
    // A copy is looked at: browsers keep what they compiled of an answer as it came.
    watch(answer.clone().body.getReader(), came).finally(over);
    return await read(answer);
  } catch (error) {
    over();
    const cause = stop.signal.reason ?? error;
    const trouble = `expected ${name} from an earlier visit or the network, found neither: ${cause.message}`;
    throw Object.assign(new Error(trouble, { cause }), { begun });
  }
}

/** Tells of each piece of a file that comes. */
async function watch(reader, came) {
  // Whoever reads the other copy is told why it ends.
  const read = () => reader.read().catch(() => ({ done: true, value: null }));
  for (let { done, value } = await read(); !done; { done, value } = await read()) came(value.byteLength);
}

/** A module of WebAssembly, compiled while it comes where the server knows its type: no reason not to play. */
export const compiled = (name, address, timeout) =>
  fetched(
    name,
    address,
    async (answer) => {
      const typed = answer.headers.get("content-type")?.startsWith("application/wasm");
      return typed ? WebAssembly.compileStreaming(answer) : WebAssembly.compile(await answer.arrayBuffer());
    },
    timeout,
  );

/** What lies in a folder, each file loaded once for all engines. */
const places = new Map();
function loaded(folder) {
  const key = String(folder ?? "");
  const read = async (answer) => new Uint8Array(await answer.arrayBuffer());
  if (!places.has(key)) {
    places.set(key, files({
      bytes: (name, timeout) => fetched(name, addressOf(name, folder), read, timeout),
      compile: (name, timeout) => compiled(name, addressOf(name, folder), timeout),
    }));
  }
  return places.get(key);
}

/** The addresses of the files that a game is played with. */
export const filesOf = (game) => loaded().names(game).map((name) => addressOf(name).href);

/** Fetches what a game's engine is made of, which is wanted soon. */
export function prepare(game) {
  // Whoever needs it then is told what is wrong.
  for (const file of [loaded().module(), loaded().network(game)]) file.catch(() => {});
}

/**
 * Starts an engine. It ends by the line `quit`, once what was asked before is answered, or at once by `close`.
 * @param {{
 *   say(line: string, told?: object): void, over?(trouble?: string): void, game?: string, base?: string | URL,
 *   timeout?: number, sources?: string,
 * }} wishes
 *   `say` is called with each line that the engine says, and what it tells of a search, `over` when it has ended, with the
 *   reason where nobody asked it to; `game` is the one it begins with, `base` the address of the package's folder where its
 *   files are not found beside this one, `sources` what it must have been built from;
 *   a file of which nothing comes for `timeout` milliseconds (60000), or a worker that does not begin, is given up
 * @returns {{ send(line: string): void, close(): void }}
 */
export function usi({ say, over, game, base, timeout = TIMEOUT, sources }) {
  const folder = base === undefined ? base : new URL("engine/", folderOf(base));
  const { module, network, forget } = loaded(folder);
  return new Controller({
    module: () => module(timeout),
    network: (game) => network(game, timeout),
    forget,
    books: books(folder),
    spawn(receive) {
      const name = "search-worker.js";
      // Both written out: what bundlers look for.
      const worker = folder
        ? new Worker(new URL("search-worker.js", folder), { type: "module" })
        : new Worker(new URL("./search-worker.js", import.meta.url), { type: "module" });
      // The browser tells nothing of its bytes.
      listener.came(name, 0);
      let coming = true;
      const begun = () => {
        if (coming) listener.over(name);
        coming = false;
      };
      const hear = (message) => {
        begun();
        receive(message);
      };
      worker.onmessage = ({ data }) => hear(data);
      worker.onerror = (event) => hear({ type: "failed", message: event.message || `expected ${name}, could not load it` });
      return {
        post: (message) => worker.postMessage(message),
        end() {
          begun();
          worker.terminate();
        },
      };
    },
    say,
    over,
    // Only a page that is isolated has memory that two workers share.
    shared: globalThis.crossOriginIsolated === true,
    game,
    timeout,
    sources,
  });
}
