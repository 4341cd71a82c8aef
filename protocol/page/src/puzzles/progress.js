// How far somebody has come with the puzzles of a game: rating, streak, what was tried and solved, what is wanted.

import { isCount, isObject, keepValues, recallValues } from "../storage.js";
import { ANY } from "./choice.js";

/** The rating of who has solved nothing yet, and how much one result moves it. */
const BEGINNER = 1200;
const STEP = 32;

const name = (game) => `kujira-puzzles-${game}`;

/** Elo's rating of a player after a puzzle. */
export function rated(player, puzzle, solved) {
  const expected = 1 / (1 + 10 ** ((puzzle - player) / 400));
  return Math.round(player + STEP * (Number(solved) - expected));
}

const NOTHING = { rating: BEGINNER, streak: 0, best: 0, done: {}, wishes: {} };
const FITS = {
  rating: (value) => value > 0 && value < 4000,
  streak: isCount,
  best: isCount,
  done: isObject,
  wishes: isObject,
};

/** What is kept of a game. */
export function recallProgress(game) {
  const { rating, streak, best, done, wishes } = recallValues(name(game), NOTHING, FITS);
  const tried = Object.entries(done).filter(([, solved]) => typeof solved === "boolean");
  const wanted = Object.keys(ANY).filter((about) => typeof wishes[about] === "string");
  return {
    rating,
    streak,
    best: Math.max(best, streak),
    done: new Map(tried),
    wishes: { ...ANY, ...Object.fromEntries(wanted.map((about) => [about, wishes[about]])) },
  };
}

function keep(game, { done, ...rest }) {
  keepValues(name(game), { ...rest, done: Object.fromEntries(done) });
}

/** Keeps what somebody wants to solve of a game. */
export function keepWishes(game, wishes) {
  keep(game, { ...recallProgress(game), wishes });
}

/**
 * Keeps that a puzzle was solved by somebody alone, or not; returns by how much the rating moved. One that was solved
 * before counts no more, and only the first try is rated.
 */
export function settle(game, { id, rating: difficulty }, solved) {
  const { done, ...before } = recallProgress(game);
  if (done.get(id)) return 0;
  const rating = done.has(id) ? before.rating : rated(before.rating, difficulty, solved);
  // The one tried last is the last.
  const others = [...done].filter(([other]) => other !== id);
  const streak = solved ? before.streak + 1 : 0;
  keep(game, {
    ...before,
    rating,
    streak,
    best: Math.max(before.best, streak),
    done: new Map([...others, [id, solved]]),
  });
  return rating - before.rating;
}
