// The engine, in a browser.

import { usi as begin } from "./browser.js";
import { Engine as Any, checked } from "./engine.js";

export const usi = (options) => begin(checked(options));

export class Engine extends Any {
  constructor(options) {
    super(begin, options);
  }
}
