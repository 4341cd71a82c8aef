// The engine, in Node.

import { usi } from "./node.js";
import { Engine as Any } from "./engine.js";

export { usi };

export class Engine extends Any {
  constructor(options) {
    super(usi, options);
  }
}
