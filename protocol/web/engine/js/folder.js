// The address of a folder, as somebody gives it.

/**
 * The folder with an address, as the page sees it, with a slash at its end.
 * @param {string | URL} base
 */
export function folderOf(base) {
  const [folder, here] = [String(base).replace(/\/*$/, "/"), globalThis.location?.href];
  if (!URL.canParse(folder, here)) throw new TypeError(`expected base as the address of a folder, found ${base}`);
  return new URL(folder, here);
}
