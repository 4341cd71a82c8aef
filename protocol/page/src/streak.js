// How somebody fares against the engine: two games won or lost in a row are a reason to offer another level.

import { isCount, keepValues, recallValues } from "./storage.js";

const KEPT = "kujira-streak";

/** The games of one outcome in a row, by their names, and what they have in common. */
const recalled = () =>
  recallValues(KEPT, { variant: "", level: 0, won: false, games: [] }, { level: isCount, games: Array.isArray });

/** Games of one outcome after which another level is offered. */
const ENOUGH = 2;

/** What a game that is over was for the one person who played it against an engine; nothing if it was another. */
export function outcome({ variant, players }, { result }) {
  const person = players.findIndex(({ kind }) => kind === "human");
  const engine = players[1 - person];
  if (person < 0 || engine.kind !== "engine") return null;
  const won = { "1-0": person === 0, "0-1": person === 1 }[result];
  return { variant, level: engine.level, won };
}

/**
 * Notes that the game of a state has ended with a node. A game counts once: with the end it had last.
 * @param {Wire.State} state
 */
export function ended(state, end) {
  const now = outcome(state, end);
  if (!now) return;
  const { games, ...before } = recalled();
  const same = ["variant", "level", "won"].every((name) => before[name] === now[name]);
  const others = same ? games.filter((id) => id !== state.id) : [];
  keepValues(KEPT, { ...now, games: now.won === undefined ? [] : [...others, state.id] });
}

/**
 * The level offered after a game, of so many; null if it is the right one.
 * @param {Wire.State} state
 */
export function offered({ id }, most) {
  const { games, level, won } = recalled();
  if (games.length < ENOUGH || games.at(-1) !== id) return null;
  const other = level + (won ? 1 : -1);
  return other >= 1 && other <= most ? other : null;
}
