// How a module of WebAssembly that wasm-bindgen made gets ready.

import { folderOf } from "./engine/folder.js";
import { known } from "./given.js";

/**
 * What loads a module, once.
 * @param {{ __wbg_set_wasm(exports: object): void }} glue what wasm-bindgen wrote beside the module
 * @param {(base?: string | URL) => Promise<WebAssembly.Module>} compiled
 * @returns {(options?: { base?: string | URL }) => Promise<void>}
 */
export function loader(glue, compiled) {
  const early = "expected `await load()` before anything else of this module, found none";
  glue.__wbg_set_wasm(new Proxy({}, { get() { throw new Error(early); } }));
  /** @type {Promise<void> | undefined} */
  let loading;
  const load = async (base) => {
    const module = await compiled(base);
    const wanted = WebAssembly.Module.imports(module);
    const functions = Object.fromEntries(wanted.map(({ name }) => [name, named(glue, name)]));
    const imports = Object.fromEntries(wanted.map((one) => [one.module, functions]));
    const { exports } = await WebAssembly.instantiate(module, imports);
    glue.__wbg_set_wasm(exports);
    /** @type {() => void} */ (exports.__wbindgen_start)?.();
  };
  return async (options = {}) => {
    const { base } = known(options, "base");
    if (base !== undefined) folderOf(base);
    // A failure is not kept: the next try may do better.
    loading ??= load(base).catch((error) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
}

/** What is thrown for objects that cannot be used, in our words. */
const UNUSABLE = {
  "null pointer passed to rust": "expected an object that is still there, found one after its `delete()`",
  "recursive use of an object detected which would lead to unsafe aliasing in rust":
    "expected an object that nothing uses now, found one inside a call of its own",
};

/** A function that a module calls; the one that throws for objects that cannot be used says why. */
function named(glue, name) {
  if (!name.includes("__wbindgen_throw")) return glue[name];
  return (...text) => {
    try {
      glue[name](...text);
    } catch (error) {
      throw Object.hasOwn(UNUSABLE, error.message) ? new Error(UNUSABLE[error.message]) : error;
    }
  };
}

/**
 * The address of a file of the package under a `base`, or the one that is found without.
 * @param {string} path
 * @param {URL} found
 * @param {string | URL} [base]
 * @param {string} [scheme] the only one that can be read
 */
const at = (path, found, base, scheme) => (base === undefined ? found : new URL(path, folderOf(base, scheme)));

/**
 * A module from a server.
 * @param {string} path
 * @param {URL} found
 */
export const fromServer = (path, found) => async (base) => {
  const address = at(path, found, base);
  const wanted = (why) => new Error(`expected ${path} at ${address}, could not load it: ${why}`);
  const answer = await fetch(address).catch((error) => Promise.reject(wanted(error.message)));
  if (!answer.ok) throw wanted(`the server answered ${answer.status}`);
  const bytes = await answer.arrayBuffer();
  return WebAssembly.compile(bytes).catch((error) => Promise.reject(wanted(error.message)));
};

/**
 * A module from a file.
 * @param {(address: URL) => Promise<BufferSource>} read
 * @param {string} path
 * @param {URL} found
 */
export const fromFile = (read, path, found) => async (base) =>
  WebAssembly.compile(await read(at(path, found, base, "file:")));
