//! What TypeScript is told of the values that cross the border.

use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** The games by their ids: Whale Shogi 6×6, Paulowich Whale Shogi 7×7, Great Whale Shogi 11×11. */
export type Game = "whale" | "paulowich" | "great";

/** Black moves first and moves up the board. */
export type Side = "black" | "white";

/** Squares of Hodges notation: `a1` at Black's bottom left, or `1a` at the top right. */
export type Squares = "western" | "japanese";

/** A move: a text in USI or in Hodges notation, or the number that `moves()` gives. */
export type MoveLike = string | number;

/** Moves: a text with blanks between them, or one by one. */
export type MovesLike = string | Iterable<MoveLike>;

/** The switches on which the sources of the rules differ. */
export interface Rules {
  /** How far a dolphin slides back from the farthest rank; `"slide"` if not given. */
  retreat?: "slide" | "two";
  /** Whether a dolphin may not retreat onto a file with two of its own; `false` if not given. */
  retreatFileLimit?: boolean;
  /** Whether the impasse rule may be claimed; `false` if not given. */
  impasse?: boolean;
  /** Whether the fourth occurrence of a position ends the game; `true` if not given. */
  repetition?: boolean;
}

/** How a board begins. */
export interface BoardOptions {
  rules?: Rules;
  /** White's odds by their id (`spec(game).handicaps`), instead of an SFEN. */
  handicap?: string;
}

/** How a board is drawn. */
export interface PictureOptions {
  /** How squares are named at the edge; `"western"` if not given. */
  squares?: Squares;
  /** A move whose squares are shown: a number or USI. */
  last?: MoveLike;
  /** From a square to a square, in a color of CSS if one is given. */
  arrows?: ([string, string] | [string, string, string])[];
  /** Colors of CSS by squares. */
  marks?: Record<string, string>;
  /** The width in pixels. */
  size?: number;
  /** Whether White is below. */
  turned?: boolean;
  theme?: "light" | "dark" | "print";
}

/** How a game ended. */
export interface Outcome {
  /** `null` in a draw. */
  winner: Side | null;
  reason:
    | "checkmate" | "no-moves" | "whale-captured" | "perpetual-check" | "impasse" | "repetition";
}

/** A game that was played: the part of a record that a board knows. */
export interface PlayedGame {
  variant: Game;
  /** Rules that are not as usual, as words. */
  rules?: string;
  /** The start, and moves that were given, as USI has them: `startpos moves …`. */
  opening: string;
  /** In USI. */
  moves: { usi: string }[];
  /** The winner, `null` in a draw. */
  winner?: Side | null;
  /** Why it is over; a game without a reason is not. */
  reason?: string;
}

/** A piece on a square; upper case is Black's. */
export interface Placed {
  square: string;
  piece: string;
}

/** A kind of piece. */
export interface Kind {
  /** As SFEN has it, upper case, with `+` in front if promoted. */
  token: string;
  name: string;
  /** How it moves in Betza's notation, which does not tell captures on the way and retreats. */
  betza: string;
  /** The token of what it promotes to, `null` if it does not. */
  promotesTo: string | null;
  /** The token of what it is in the captor's hand, `null` for the white whale. */
  inHand: string | null;
}

/** A game as data. */
export interface Spec {
  id: Game;
  name: string;
  files: number;
  ranks: number;
  /** SFEN of the start. */
  start: string;
  /** First the white whale, then those that can be in hand, then the others. */
  kinds: Kind[];
  /** How many kinds can be in hand. */
  handKinds: number;
  /** SFEN of each start with odds, by the pieces that White gives. */
  handicaps: Record<string, string>;
  /** The number of actions (`docs/encoding.md`). */
  actions: number;
  /** Planes, ranks, files. */
  planesShape: [number, number, number];
}

/** What is thrown for a move that is not legal. */
export interface IllegalMoveError extends Error {
  name: "IllegalMoveError";
  /** The legal moves that come nearest. */
  candidates: string[];
}
"#;
