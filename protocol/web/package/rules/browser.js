// The rules, in a browser.

import { fromServer, loader } from "../load.js";
import * as glue from "./rules_bg.js";

export { Board, diagram, encoding, kindSvg, spec, startingFen, validateFen, variants } from "./rules_bg.js";

export const load = loader(
  glue,
  fromServer("rules/rules_bg.wasm", new URL("./rules_bg.wasm", import.meta.url)),
);
