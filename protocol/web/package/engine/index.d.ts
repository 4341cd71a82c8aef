/** The games by their ids. */
export type Game = "whale" | "paulowich" | "great";

/** A position for the engine: a `Board` of `whaleshogi`, or `startpos moves …` or `sfen … moves …` as USI has it. */
export type Position = string | { toUsi(): string[] };

/** What a position is worth to the side to move. */
export type Score =
  /** In hundredths of a dolphin in hand (at 11×11 of an average calf). */
  | { cp: number }
  /** Plies to the mate (at 11×11 to the capture); 0 or below for the side that is mated. */
  | { mate: number };

/** A line of play. */
export interface Line {
  /** Plies searched, and plies of the longest line looked at. */
  depth: number;
  seldepth: number;
  /** Which of several lines it is, from 1. */
  multipv: number;
  score: Score;
  /** What the score says of the true one: that it is at least or at most that. */
  bound: "exact" | "lower" | "upper";
  nodes: number;
  /** Milliseconds since the search began. */
  time: number;
  /** How full the table is, in thousandths. */
  hashfull: number;
  /** The moves expected, in USI. */
  pv: string[];
}

/** What a search found. */
export interface Analysis {
  /** The best move, in USI; `null` if there is none to play. */
  best: string | null;
  /** The reply that it expects. */
  ponder: string | null;
  /** Why there is no move: the game is over or lost (`"resign"`), or won by a claim (`"win"`). */
  answer: "move" | "resign" | "win";
  /** The lines asked for, best first. */
  lines: Line[];
  /** Score and depth of the first line; `null` and 0 if there is none. */
  score: Score | null;
  depth: number;
  nodes: number;
  time: number;
}

/** What a search for a mate by checks alone found. */
export interface Mate {
  /** Whether there is a mate, is none, or is none known within the limits. */
  status: "proved" | "refuted" | "unknown";
  /** The moves of both sides, in USI. */
  line: string[];
}

/** Where a search ends: at the first of what is given. */
export interface Limits {
  /** Positions looked at. */
  nodes?: number;
  /** Plies. */
  depth?: number;
  /** Milliseconds. */
  time?: number;
  /** Ends the search, which then fails with the signal's reason. */
  signal?: AbortSignal;
}

/** A search at full strength. */
export interface SearchOptions extends Limits {
  /** Whether to search until `stop()` or the signal. */
  infinite?: boolean;
  /** How many lines are wanted; 1 if not given. */
  lines?: number;
  /** The only moves to choose among, in USI. */
  moves?: string[];
  /** Called with each line that is found on the way. */
  onLine?(line: Line): void;
}

/** A move at a strength. */
export interface PlayOptions extends Limits {
  /** From 1 to 10, which is full strength and holds if not given. */
  level?: number;
  /** Elo above a player who moves at random, in place of a level. */
  elo?: number;
}

export interface EngineOptions {
  /** The game of positions that are given as texts; `whale` if not given. */
  game?: Game;
  /** MiB of the table of positions, from 1 to 2048; 16 if not given. */
  hash?: number;
  /** The address of a folder with the files of this package, see `LoadOptions` of `whaleshogi`. */
  base?: string | URL;
  /** Milliseconds without news after which a file or worker is given up, up to 2,147,483,647; 60,000 if not given. */
  timeout?: number;
}

/**
 * The engine on a thread of its own, which is started by the first search. One search at a time: a second one is refused
 * until the first has ended. What is wrong throws an error that says what was expected.
 */
export class Engine {
  constructor(options?: EngineOptions);

  /** Searches a position at full strength. */
  search(position: Position, options: SearchOptions): Promise<Analysis>;

  /** The move to play at a strength, in USI; `null` if there is none. Thinks for a second where no limit is given. */
  play(position: Position, options?: PlayOptions): Promise<string | null>;

  /** Looks for a mate by checks alone; until the answer is known where no limit is given. */
  mate(position: Position, options?: Limits): Promise<Mate>;

  /** Ends the search that runs, which then answers with what it has found. */
  stop(): void;

  /** Forgets all positions searched so far. */
  newGame(): void;

  /** Ends the engine at once; a search that runs fails. */
  terminate(): void;
}

/** What a line of USI tells of a search. */
export type Told =
  | ({ type: "info" } & Line)
  | { type: "bestmove"; answer: "move" | "resign" | "win"; best: string | null; ponder: string | null }
  | { type: "checkmate"; status: Mate["status"]; line: string[] }
  | { type: "error"; text: string };

/** An engine that takes and says lines of USI. */
export interface Usi {
  /** Takes a line. After `quit` the engine answers what was asked before, and ends. */
  send(line: string): void;
  /** Ends the engine at once. */
  close(): void;
}

export interface UsiOptions {
  /** Called with each line that the engine says, and with what it tells of a search. */
  say(line: string, told?: Told): void;
  /** Called when the engine has ended, with the reason where nobody asked it to. */
  over?(trouble?: string): void;
  /** The game that it begins with; `whale` if not given. */
  game?: Game;
  base?: string | URL;
  timeout?: number;
  /** In Node: whether the engine shares memory, without which `stop` costs it its table. */
  shared?: boolean;
}

/** Starts an engine that speaks USI (`docs/protocol.md`). */
export function usi(options: UsiOptions): Usi;
