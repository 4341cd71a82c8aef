// What is being loaded, told to the page, and when nothing is: then there is time for what can wait.

/** Seconds without a byte after which that is told. */
const SILENT = 10;

/** Milliseconds without anything being loaded after which nobody waits, at most. */
const QUIET = 60000;

/** What files are, by a part of their names (`loading.…` in the page's texts); all others are the engine's. */
const KINDS = ["board", "puzzles", "openings", "learn"];

export class Loading {
  #tell;
  /** Bytes that have come, of all files that were loaded since there was last none. */
  #files = new Map();
  #open = new Set();
  #silent;
  #quiet;

  /** @param {(loading: Wire.Loading | null) => void} tell */
  constructor(tell) {
    this.#tell = tell;
  }

  /** More of a file has come; 0 bytes: it is asked for. */
  came(name, bytes) {
    clearTimeout(this.#quiet);
    if (this.#open.size === 0) this.#files.clear();
    this.#open.add(name);
    this.#files.set(name, (this.#files.get(name) ?? 0) + bytes);
    clearTimeout(this.#silent);
    this.#silent = setTimeout(() => this.#show(SILENT), SILENT * 1000);
    this.#show();
  }

  /** Nothing more of it comes. */
  over(name) {
    this.#open.delete(name);
    if (this.#open.size > 0) return;
    clearTimeout(this.#silent);
    this.#tell(null);
    this.rest();
  }

  /** Tells by the event `quiet` when nothing has been loaded for twice as long as the page has taken. */
  rest() {
    clearTimeout(this.#quiet);
    this.#quiet = setTimeout(() => dispatchEvent(new Event("quiet")), Math.min(2 * performance.now(), QUIET));
  }

  #show(silent = 0) {
    const sum = (bytes) => [...this.#files.keys()].reduce((sum, name) => sum + bytes(name), 0);
    const what = KINDS.find((kind) => [...this.#open].some((name) => name.includes(`${kind}/`))) ?? "engine";
    const all = sum((name) => SIZES[name.replace("../", "")] ?? 0);
    this.#tell({ what, got: sum((name) => this.#files.get(name)), all, silent });
  }
}
