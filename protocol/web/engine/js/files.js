// The files that the engine is made of, each loaded once.

/** A module that only a machine with 128-bit vectors can run: it returns one. */
const VECTORS = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
]);

/**
 * How the engine is compiled and its networks are read, given how a file is. Whoever first wants one says how long it may
 * take.
 * @param {{
 *   bytes(name: string, timeout?: number): Promise<Uint8Array>,
 *   compile(name: string, timeout?: number): Promise<WebAssembly.Module>,
 * }} read
 */
export function files(read) {
  let module;
  const networks = new Map();
  /** The engine that this machine can run. Not asked before: where there is no WebAssembly, that is told when needed. */
  const engine = () => (WebAssembly.validate(VECTORS) ? "kujira_web_engine_bg.wasm" : "kujira_web_engine_plain.wasm");
  const once = (game, timeout) => {
    if (!networks.has(game)) networks.set(game, read.bytes(`${game}.net`, timeout));
    // A refusal is not kept: the next try may do better.
    networks.get(game).catch(() => networks.delete(game));
    return networks.get(game);
  };
  return {
    module(timeout) {
      module ??= read.compile(engine(), timeout);
      module.catch(() => (module = undefined));
      return module;
    },
    network: once,
    /** The names of what a game is played with. */
    names: (game) => [engine(), `${game}.net`],
    /** Has all read anew: something of it was not what it should be. */
    forget() {
      module = undefined;
      networks.clear();
    },
  };
}
