// The rules, in Node.

import { readFile } from "node:fs/promises";
import { fromFile, loader } from "../load.js";
import * as glue from "./rules_bg.js";

export { Board, diagram, encoding, kindSvg, spec, startingFen, validateFen, variants } from "./rules_bg.js";

export const load = loader(
  glue,
  fromFile(readFile, "rules/rules_bg.wasm", new URL("./rules_bg.wasm", import.meta.url)),
);
