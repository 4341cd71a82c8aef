export * from "./rules_bg.js";

/** Where files are found. */
export interface LoadOptions {
  /**
   * The address of a folder with the files of this package, for bundlers that do not carry files along (esbuild); relative
   * to the page.
   */
  base?: string | URL;
}

/** Fetches and compiles the rules, once, which everything else here waits for. */
export function load(options?: LoadOptions): Promise<void>;
