// What a new game is asked for with: game, players, rules and clock.

import { isCount, keepValues, oneOf, recallValues } from "./storage.js";

const REMEMBERED = "kujira-last-game";
const LEVELS = "kujira-levels";
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
  opponent: "engine",
  clock: "none",
  main: "10",
  increment: "5",
  byoyomi: "10",
};

const within = (least, most) => (text) => text !== "" && Number(text) >= least && Number(text) <= most;
const FITS = {
  variant: oneOf(),
  side: oneOf("b", "w", "random"),
  opponent: oneOf("engine", "human", "engines"),
  clock: oneOf("none", "sudden", "increment", "byoyomi"),
  main: within(0, 1440),
  increment: within(0, 600),
  byoyomi: within(1, 600),
};

/** The level of each game that a new one offers where none was chosen, and those that there are. */
let usualLevels = {};
let fitLevels = {};

/** Says what there is to play: the games with their levels. */
export function setChoices({ games }) {
  FITS.variant = oneOf(...games.map(({ id }) => id));
  usualLevels = Object.fromEntries(games.map(({ id, usual_level }) => [id, usual_level]));
  fitLevels = Object.fromEntries(
    games.map(({ id, levels }) => [id, (level) => isCount(level) && level >= 1 && level <= levels.length]),
  );
}

/** The level last chosen in a game, or the usual one. */
export const lastLevel = (variant) => recallValues(LEVELS, usualLevels, fitLevels)[variant];

/**
 * The settings of the last new game, or the usual ones.
 * @returns {any}
 */
export const lastSettings = () => recallValues(REMEMBERED, USUAL, FITS);

/** Keeps settings for the next new game, without what belongs to one game only. */
export function remember(settings) {
  keepValues(REMEMBERED, Object.fromEntries(Object.keys(USUAL).map((name) => [name, String(settings[name])])));
  const { variant, level = lastLevel(variant) } = settings;
  keepValues(LEVELS, { ...recallValues(LEVELS, usualLevels, fitLevels), [variant]: Number(level) });
}

function players({ variant, opponent, side, level = lastLevel(variant), level2 = level }) {
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
