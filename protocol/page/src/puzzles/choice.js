// Which puzzles there are, which of them somebody wants, and which comes next.

/**
 * A puzzle of a file. Its moves are USI, alternately of who solves it and of who defends, the first and the last of who
 * solves it: all of a mate, or the one good move. `only` is how many of them are to be found, the defender's counted,
 * where that is not all: later ones are not the only ones that mate.
 * @typedef {{
 *   id: string, sfen: string, moves: string[], only?: number, kind: "mate" | "best", rating: number, themes: string[],
 * }} Puzzle
 */

/** What somebody wants to solve; an empty text leaves open what it is about. */
export const ANY = { kind: "", length: "", theme: "", strength: "" };

/** Points of rating by which a puzzle is easier or harder than somebody is strong. */
const APART = 100;

/** Ratings of puzzles for somebody of a rating, by the word for them. */
const STRENGTHS = {
  easier: (puzzle, own) => puzzle < own - APART,
  even: (puzzle, own) => Math.abs(puzzle - own) <= APART,
  harder: (puzzle, own) => puzzle > own + APART,
};

const texts = (list) => Array.isArray(list) && list.every((item) => typeof item === "string");

/** Whether a puzzle has all that one has. */
const whole = (puzzle) =>
  ["id", "sfen"].every((name) => typeof puzzle?.[name] === "string") &&
  texts(puzzle.moves) &&
  puzzle.moves.length % 2 === 1 &&
  (puzzle.only === undefined || (puzzle.only % 2 === 1 && puzzle.only < puzzle.moves.length)) &&
  ["mate", "best"].includes(puzzle.kind) &&
  Number.isFinite(puzzle.rating) &&
  texts(puzzle.themes);

/**
 * The puzzles of what a file of a game held; a refusal is thrown.
 * @returns {Puzzle[]}
 */
export function read(found, game) {
  const puzzles = found?.game === game && Array.isArray(found.puzzles) ? found.puzzles.filter(whole) : [];
  if (puzzles.length === 0) throw new Error("expected a file of puzzles, found another");
  return puzzles;
}

/** How many moves of a puzzle are to be found, the defender's counted. */
export const toFind = ({ moves, only = moves.length }) => only;

/** Which side solves a puzzle. */
export const solverOf = ({ sfen }) => (sfen.split(" ")[1] === "w" ? "w" : "b");

/** The day, the same everywhere at one time. */
export const today = (now = new Date()) => now.toISOString().slice(0, 10);

/** A number that seems to be drawn by chance, the same for a text everywhere: FNV-1a, mixed as MurmurHash3 ends. */
function drawn(text) {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}

/**
 * The puzzles of a game in the order of a day, which is everybody's: the first is the puzzle of the day.
 * @param {Puzzle[]} puzzles
 */
export function ordered(puzzles, game, day) {
  const places = new Map(puzzles.map((puzzle) => [puzzle, drawn(`${day} ${game} ${puzzle.id}`)]));
  return [...puzzles].sort((a, b) => places.get(a) - places.get(b) || (a.id < b.id ? -1 : 1));
}

/**
 * The puzzles that somebody of a rating wants.
 * @param {Puzzle[]} puzzles
 */
export const wanted = (puzzles, { kind, length, theme, strength }, rating) =>
  puzzles.filter(
    (puzzle) =>
      (!kind || puzzle.kind === kind) &&
      (!length || puzzle.moves.length === Number(length)) &&
      (!theme || puzzle.themes.includes(theme)) &&
      (!(strength in STRENGTHS) || STRENGTHS[strength](puzzle.rating, rating)),
  );

/**
 * The puzzle after the one shown, or the first: one that was never tried, else one that was not solved yet, else any.
 * @param {Puzzle[]} puzzles in their order
 * @param {Map<string, boolean>} done whether those that were tried were solved
 * @param {Puzzle | null} shown
 */
export function next(puzzles, done, shown = null) {
  const at = puzzles.findIndex(({ id }) => id === shown?.id);
  const others = [...puzzles.slice(at + 1), ...puzzles.slice(0, Math.max(at, 0))];
  return (
    others.find(({ id }) => !done.has(id)) ?? others.find(({ id }) => !done.get(id)) ?? others[0] ?? puzzles[at] ?? null
  );
}
