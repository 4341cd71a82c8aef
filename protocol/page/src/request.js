// What a new game is asked for with: game, players, rules and clock.

import { keepValues, oneOf, recallValues } from "./storage.js";

const REMEMBERED = "kujira-last-game";
/** Under which name of the storage something is kept once a game was begun. */
export const HAS_PLAYED = REMEMBERED;

/** @type {Wire.Player} */
const HUMAN = { kind: "human" };
export const HUMANS = [HUMAN, HUMAN];

/**
 * A player as the server knows it: level 0 is a human.
 * @returns {Wire.Player}
 */
export const player = (level) => (Number(level) === 0 ? HUMAN : { kind: "engine", level: Number(level) });

export const USUAL_RULES = { retreat_two: false, retreat_file_limit: false, impasse: false, repetition: true };

/** Numbers are texts, as fields of forms have them. */
const USUAL = {
  variant: "whale",
  side: "b",
  // Until the driver has told the usual one.
  level: "1",
  opponent: "engine",
  level2: "5",
  clock: "none",
  main: "10",
  increment: "5",
  byoyomi: "10",
};

const within = (least, most) => (text) => text !== "" && Number(text) >= least && Number(text) <= most;
const FITS = {
  variant: oneOf(),
  side: oneOf("b", "w", "random"),
  level: oneOf(),
  opponent: oneOf("engine", "human", "engines"),
  level2: oneOf(),
  clock: oneOf("none", "sudden", "increment", "byoyomi"),
  main: within(0, 1440),
  increment: within(0, 600),
  byoyomi: within(1, 600),
};

/** Says what there is to play: the games, the levels, and the one that a new game offers where none was chosen. */
export function setChoices({ games, levels, usual_level }) {
  USUAL.level = String(usual_level);
  FITS.variant = oneOf(...games.map(({ id }) => id));
  FITS.level = FITS.level2 = oneOf(...levels.map((_, index) => String(index + 1)));
}

/**
 * The settings of the last new game, or the usual ones.
 * @returns {any}
 */
export const lastSettings = () => recallValues(REMEMBERED, USUAL, FITS);

/** Keeps settings for the next new game, without what belongs to one game only. */
export function remember(settings) {
  keepValues(REMEMBERED, Object.fromEntries(Object.keys(USUAL).map((name) => [name, String(settings[name])])));
}

function players({ opponent, side, level, level2 }) {
  const chosen = side === "random" ? (Math.random() < 0.5 ? "b" : "w") : side;
  if (opponent === "engines") return [player(level), player(level2)];
  if (opponent === "engine") return chosen === "b" ? [HUMAN, player(level)] : [player(level), HUMAN];
  return HUMANS;
}

function time({ clock, main, increment, byoyomi }) {
  const milliseconds = (value, unit) => Math.round(Number(value) * unit);
  const whole = { main: milliseconds(main, 60000), increment: 0, byoyomi: 0 };
  return {
    none: null,
    sudden: whole,
    increment: { ...whole, increment: milliseconds(increment, 1000) },
    byoyomi: { ...whole, byoyomi: milliseconds(byoyomi, 1000) },
  }[clock];
}

/**
 * The request of a new game, from settings.
 * @returns {Wire.NewGame}
 */
export function request(settings) {
  return {
    variant: settings.variant,
    handicap: settings.handicap || null,
    sfen: settings.sfen ?? null,
    rules: settings.rules ?? USUAL_RULES,
    players: players(settings),
    time: time(settings),
  };
}
