// How strong somebody plays, told by results against levels whose Elo is known. Kept in this browser alone.

import { keepValues, recallValues } from "./storage.js";

/** The last games that count: people get better. */
const LAST = 12;

const place = (variant) => `kujira-strength-${variant}`;

const isResult = (result) => Array.isArray(result) && result.length === 3 && result.slice(1).every(Number.isFinite);

/** Results in a game, the last one last: the game's name, the Elo of the level, and the points, from 0 to 1. */
const results = (variant) =>
  recallValues(place(variant), { games: [] }, { games: (games) => Array.isArray(games) && games.every(isResult) }).games;

/** Notes the result of a game against a level of so many Elo. A game counts once: with the result it had last. */
export function played({ variant, id }, elo, points) {
  const others = results(variant).filter(([other]) => other !== id);
  keepValues(place(variant), { games: [...others, [id, elo, points]].slice(-LAST) });
}

const mean = (numbers) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length;

/**
 * The number of the level about as strong as somebody in a game; null where no result says. The performance is linear
 * in the score (400 Elo to either side), with a draw added, so that one game says little.
 * @param {Wire.Game} game
 */
export function ownLevel({ id, levels }) {
  const games = results(id);
  if (games.length === 0) return null;
  const score = mean([0.5, ...games.map(([, , points]) => points)]);
  const own = mean(games.map(([, elo]) => elo)) + 800 * (score - 0.5);
  const far = ({ elo }) => Math.abs((elo ?? Infinity) - own);
  const nearest = levels.reduce((best, level) => (far(level) < far(best) ? level : best));
  return levels.indexOf(nearest) + 1;
}
