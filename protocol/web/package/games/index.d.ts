import type { Game, LoadOptions, PlayedGame, Squares } from "../rules/index.js";

/** Formats of files of games (`docs/formats.md`). */
export type Format = "pgn" | "usi" | "hodges" | "jsonl";

/** Who played, and with what. */
export interface Player {
  name: string;
  /** What it could use for a move. */
  limit?: string;
  /** Options of an engine. */
  options?: Record<string, string>;
}

/** A move with its notes. */
export interface Step {
  /** In USI. */
  usi: string;
  /** What an engine thought of it, as the mover saw it, and how deep it looked, which goes with a score alone. */
  score?: { cp: number } | { mate: number };
  depth?: number;
  /** What it took, in microseconds. */
  us?: number;
  /** What the mover's clock showed, in milliseconds. */
  clock?: number;
  /** Numeric annotation glyphs: 1 is a good move, 2 a mistake. */
  nags?: number[];
  /** Comments before and behind it. */
  before?: string;
  comment?: string;
}

/** A move played instead of another. */
export interface BranchStep extends Step {
  /** The number of the move before it, the opening counted; the one before it in the list if not given. */
  after?: number;
  /** How the game ended behind it: `1-0` if Black won. */
  result?: string;
}

/** A game as JSON Lines have it: all that a record can say. */
export interface GameRecord extends PlayedGame {
  black: Player;
  white: Player;
  /** What else is said, as the tags of PGN say it: names and values. */
  tags?: [string, string][];
  comment?: string;
  nags?: number[];
  /** The main line. */
  moves: Step[];
  /** Moves played instead, each `after` another. */
  branches?: BranchStep[];
  /** Details of the end. */
  detail?: string;
  /** Its place in a match: the round, the numbers of the two engines, and which of the games of a pair it is. All or none. */
  round?: number;
  engines?: [number, number];
  leg?: number;
  /** When it began, as journals of matches have it: `2026-11-28T12:00:00Z`. */
  began?: string;
}

/** A game to be written, of which the players may be unknown: what `toRecord()` of a board says, for instance. */
export type WritableGame = PlayedGame & Partial<GameRecord>;

export interface ReadOptions {
  /** `pgn` if not given. */
  format?: Format;
  /** The game to try first where the file does not name one. */
  game?: Game;
  /** Told what is wrong with a game, and where; the others are read then. Without it, the first fault is thrown. */
  onError?(error: Error): void;
}

export interface WriteOptions {
  /** `pgn` if not given. */
  format?: Format;
  /** Squares of Hodges text; `japanese` if not given. */
  squares?: Squares;
}

/** Fetches and compiles what reads files, once, which everything else here waits for. */
export function load(options?: LoadOptions): Promise<void>;

/** The games of a file, one after the other. */
export function readGames(file: string | Uint8Array, options?: ReadOptions): Generator<GameRecord, void, void>;

/** Games as a text. */
export function writeGames(games: Iterable<WritableGame>, options?: WriteOptions): string;
