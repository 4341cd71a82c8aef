// How far somebody has come with the course of a game: the most stars of each step.

import { isCount, isObject, keepValues, recallValues } from "../storage.js";

const name = (game) => `kujira-learn-${game}`;

const NOTHING = { stars: {}, steps: 0 };
const FITS = { stars: isObject, steps: isCount };

/** What is kept of a game: stars by the names of steps, and how many steps its course has, 0 if nobody has opened it. */
export function recallCourse(game) {
  const { stars, steps } = recallValues(name(game), NOTHING, FITS);
  const good = Object.entries(stars).filter(([, count]) => [1, 2, 3].includes(count));
  return { stars: new Map(good), steps };
}

/** Keeps how many steps a course has. */
export function keepSteps(game, steps) {
  const { stars } = recallCourse(game);
  keepValues(name(game), { stars: Object.fromEntries(stars), steps });
}

/** Keeps that a step was done; the best counts. */
export function keepStars(game, step, count) {
  const { stars, steps } = recallCourse(game);
  stars.set(step, Math.max(count, stars.get(step) ?? 0));
  keepValues(name(game), { stars: Object.fromEntries(stars), steps });
}

/** Stars for so many moves where `fewest` would do. */
export const starsFor = (used, fewest) => (used <= fewest ? 3 : used === fewest + 1 ? 2 : 1);
