// How far somebody has come with the puzzles of a game: rating, streak, what was tried and solved, what is wanted.

import { keepValues, recallValues } from "../storage.js";
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

const count = (value) => (Number.isSafeInteger(value) && value >= 0 ? value : 0);

/** What is kept of a game; what is damaged there counts as never kept. */
export function recallProgress(game) {
  const kept = Object(recallValues(name(game)));
  const streak = count(kept.streak);
  const tried = Object.entries(Object(kept.done)).filter(([, solved]) => typeof solved === "boolean");
  const wishes = Object.keys(ANY).filter((about) => typeof kept.wishes?.[about] === "string");
  return {
    rating: Number.isFinite(kept.rating) && kept.rating > 0 && kept.rating < 4000 ? kept.rating : BEGINNER,
    streak,
    best: Math.max(count(kept.best), streak),
    done: new Map(tried),
    wishes: { ...ANY, ...Object.fromEntries(wishes.map((about) => [about, kept.wishes[about]])) },
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
  const streak = solved ? before.streak + 1 : 0;
  keep(game, {
    ...before,
    rating,
    streak,
    best: Math.max(before.best, streak),
    done: new Map(done).set(id, solved),
  });
  return rating - before.rating;
}
