// The engine, in a browser.

import { usi } from "./browser.js";
import { Engine as Any } from "./engine.js";

export { usi };

export class Engine extends Any {
  constructor(options) {
    super(usi, options);
  }
}
