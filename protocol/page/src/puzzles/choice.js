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
export const ANY = { kind: "", toFind: "", theme: "", strength: "", again: "" };

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

/**
 * How many moves somebody has to find. Where whales are captured the mating move is the last of them: the capture after
 * it is a matter of course.
 */
export function movesToFind(puzzle, capture) {
  const own = (toFind(puzzle) + 1) / 2;
  return own > 1 && capture && puzzle.kind === "mate" && toFind(puzzle) === puzzle.moves.length ? own - 1 : own;
}

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
 * The puzzles of a game in the order of a day, which is everybody's.
 * @param {Puzzle[]} puzzles
 */
export function ordered(puzzles, game, day) {
  const places = new Map(puzzles.map((puzzle) => [puzzle, drawn(`${day} ${game} ${puzzle.id}`)]));
  return [...puzzles].sort((a, b) => places.get(a) - places.get(b) || (a.id < b.id ? -1 : 1));
}

/** Parts of a week of puzzles, one a day. */
const WEEK = 7;

/**
 * The puzzle of a day, which is everybody's: the easiest seventh of all on a Monday, the hardest on a Sunday.
 * @param {Puzzle[]} puzzles
 */
export function ofTheDay(puzzles, game, day) {
  const place = (new Date(day).getUTCDay() + WEEK - 1) % WEEK;
  const sorted = [...puzzles].sort((a, b) => a.rating - b.rating || (a.id < b.id ? -1 : 1));
  const bound = (part) => Math.floor((part * sorted.length) / WEEK);
  const least = Math.min(bound(place), sorted.length - 1);
  return ordered(sorted.slice(least, Math.max(bound(place + 1), least + 1)), game, day)[0] ?? null;
}

/**
 * The puzzles that somebody wants.
 * @param {Puzzle[]} puzzles
 * @param {Record<string, string>} wishes some of the words of `ANY`
 * @param {{ rating: number, done: Map<string, boolean> }} progress whose
 * @param {boolean} capture whether whales are captured
 */
export const wanted = (puzzles, { kind, toFind: moves, theme, strength, again }, { rating, done }, capture) =>
  puzzles.filter(
    (puzzle) =>
      (!kind || puzzle.kind === kind) &&
      (!moves || movesToFind(puzzle, capture) === Number(moves)) &&
      (!theme || puzzle.themes.includes(theme)) &&
      (!(strength in STRENGTHS) || STRENGTHS[strength](puzzle.rating, rating)) &&
      (again !== "failed" || done.get(puzzle.id) === false),
  );

/**
 * The next puzzle: one that was never tried, else one that was not solved yet, else any. Of these it is one about as hard
 * as somebody is strong, the first in the order of the day, or the one that comes nearest; for whoever has tried none it
 * is the easiest mate in one move.
 * @param {Puzzle[]} puzzles in their order
 * @param {{ rating: number, done: Map<string, boolean> }} progress
 * @param {boolean} capture whether whales are captured
 * @param {Puzzle | null} shown the one before
 * @param {Set<string>} passed those that were shown lately, which come again only when there is no other
 */
export function next(puzzles, { rating, done }, capture, shown = null, passed = new Set()) {
  const others = puzzles.filter(({ id }) => id !== shown?.id);
  const kinds = [({ id }) => !done.has(id), ({ id }) => !done.get(id), () => true];
  const all = kinds.map((fits) => others.filter(fits)).find((list) => list.length > 0);
  if (!all) return puzzles[0] ?? null;
  const fresh = all.filter(({ id }) => !passed.has(id));
  const fitting = fresh.length > 0 ? fresh : all;
  const inOne = fitting.filter((puzzle) => puzzle.kind === "mate" && movesToFind(puzzle, capture) === 1);
  if (done.size === 0 && !shown && inOne.length > 0) return inOne.reduce((a, b) => (b.rating < a.rating ? b : a));
  const apart = (puzzle) => Math.abs(puzzle.rating - rating);
  return fitting.find((puzzle) => apart(puzzle) <= APART) ?? fitting.reduce((a, b) => (apart(b) < apart(a) ? b : a));
}
