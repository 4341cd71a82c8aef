// Where the files lie that the engine is made of. Each address is written out, since that is how Vite and webpack find a
// file and put it among what they make.

/** By its name, the file beside this one. */
const BESIDE = {
  "kujira_web_engine_bg.wasm": () => new URL("./kujira_web_engine_bg.wasm", import.meta.url),
  "kujira_web_engine_plain.wasm": () => new URL("./kujira_web_engine_plain.wasm", import.meta.url),
  "whale.net": () => new URL("./whale.net", import.meta.url),
  "paulowich.net": () => new URL("./paulowich.net", import.meta.url),
  "great.net": () => new URL("./great.net", import.meta.url),
  "whale.book": () => new URL("./whale.book", import.meta.url),
  "paulowich.book": () => new URL("./paulowich.book", import.meta.url),
  "great.book": () => new URL("./great.book", import.meta.url),
};

/**
 * The address of a file by its name: beside this one, or in another folder.
 * @param {string} name
 * @param {string | URL} [folder] ends with a slash
 */
export const addressOf = (name, folder) => (folder ? new URL(name, folder) : BESIDE[name]());

/**
 * The addresses of all books by their names.
 * @param {string | URL} [folder]
 */
export const books = (folder) => {
  const names = Object.keys(BESIDE).filter((name) => name.endsWith(".book"));
  return Object.fromEntries(names.map((name) => [name, addressOf(name, folder).href]));
};
