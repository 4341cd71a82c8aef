// The address of a folder, as somebody gives it.

/**
 * The folder with an address, as the page sees it, with a slash at its end.
 * @param {string | URL} base
 * @param {string} [scheme] the only one that can be read, such as `file:`
 */
export function folderOf(base, scheme) {
  const here = globalThis.location?.href;
  const like = here && !scheme ? "the address of a folder" : "the address of a folder, such as file:///srv/whaleshogi/";
  if (typeof base !== "string" && !(base instanceof URL)) {
    throw new TypeError(`expected base as ${like}, found ${base === null ? "null" : typeof base}`);
  }
  const folder = String(base).replace(/\/*$/, "/");
  const known = String(base) !== "" && URL.canParse(folder, here) && new URL(folder, here);
  if (!known || (scheme && known.protocol !== scheme)) throw new TypeError(`expected base as ${like}, found ${JSON.stringify(base)}`);
  return known;
}
