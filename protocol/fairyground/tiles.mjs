// Tiles for Fairyground, as the page draws them, under the names that it wants: `wn.svg` is the narwhal of the side that
// moves first, `b+k.svg` the porpoise of the other.
//
//   node tiles.mjs FOLDER [turned]
//
// Fairyground does not turn the pieces with the board: `turned` makes the tiles for a turned one.

import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** By the letters of variants.ini: what piece it is, and its letter on the page. */
const KINDS = {
  w: ["white whale", "W"],
  "+k": ["porpoise", "P"],
  k: ["killer whale", "K"],
  h: ["humpback", "H"],
  g: ["grey whale", "G"],
  n: ["narwhal", "N"],
  b: ["blue whale", "B"],
  d: ["dolphin", "D"],
  "+d": ["dolphin", "D"],
  a: ["Pacific northern right whale", "A"],
};

/** As much of an element as the page's drawings need, which can be written down. */
class Element {
  #tag;
  #attributes = "";
  #children = [];

  constructor(tag) {
    this.#tag = tag;
  }

  setAttribute(name, value) {
    this.#attributes += ` ${name}="${value}"`;
  }

  append(...children) {
    this.#children.push(...children);
  }

  find(id) {
    return this.#children.find((child) => child.#attributes.includes(` id="${id}"`));
  }

  toString() {
    return `<${this.#tag}${this.#attributes}>${this.#children.join("\n")}</${this.#tag}>`;
  }
}

globalThis.document = { createElementNS: (_, tag) => new Element(tag) };
globalThis.matchMedia = () => ({ addEventListener() {} });
globalThis.navigator ??= { language: "en" };

const { family, symbols, tile } = await import("../page/src/view/tiles.js");
const style = (name) => readFile(new URL(`../page/src/style/${name}.css`, import.meta.url), "utf8");
const [colours] = (await style("base")).match(/:root \{.*?\}/s);
const rules = await style("tiles");

const [folder, turned] = process.argv.slice(2);
if (!folder || (turned && turned !== "turned")) {
  console.error("expected a folder for the tiles: node tiles.mjs FOLDER [turned]");
  process.exit(2);
}
await mkdir(folder, { recursive: true });
for (const [letter, [name, written]] of Object.entries(KINDS)) {
  const kind = { name, written };
  const shape = symbols().find(`s-${family(kind)}`);
  for (const [side, color, turn] of [["w", "b", turned], ["b", "w", !turned]]) {
    // The tile takes 92 and 96 percent of its square, as its style says.
    const picture = `<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100" viewBox="0 0 100 100">
<title>${name}</title>
<style>
${colours}
${rules}</style>
${shape}
<g transform="translate(4 2) rotate(${turn ? 180 : 0} 46 48)">
${tile(kind, color, false)}
</g>
</svg>
`;
    await writeFile(join(folder, `${side}${letter}.svg`), picture);
  }
}
