// How sides, players, clocks, scores, moves and numbers are written.

import { language } from "./prefs.js";
import { has, named, t } from "./texts.js";

export const SIDES = ["b", "w"];

/** Whether the game shown began with a handicap: its sides have names of their own in Japanese. */
let odds = false;

/** Says with which handicap the game shown began, if with one. */
export const nameSides = (handicap) => (odds = Boolean(handicap));

/** What a side is called. */
export const sideName = (side) => (odds ? t(`odds.${side}`) : t(`side.${side}`));

/** What an engine is called at a level, which another version may have known. */
export const engineName = (level, levels) =>
  [t("player.engine", { level }), named(levels[level - 1]?.name ?? "")].filter(Boolean).join(" · ");

/** A level among others of a game: its number, name and Elo, and whether somebody plays about as well. */
export const levelName = ({ name, elo }, number, own) =>
  [number, named(name), elo !== null && `${elo} Elo`, number === own && t("level.own")].filter(Boolean).join(" · ");

/** What a player is called. */
export const playerName = (player, levels) => (player.kind === "human" ? t("player.human") : engineName(player.level, levels));

/**
 * A kind of piece with the letters on its tile, which whoever speaks to the page sees.
 * @param {{ name: string, written: string }} kind
 */
export const kindName = ({ name, written }) => t("piece.named", { name: named(name), written });

/** The names of the pieces that a handicap takes away, as one. */
export const handicapName = ({ name }) => name.split(", ").map(named).join(language() === "ja" ? "・" : ", ");

const two = (number) => String(number).padStart(2, "0");

/** Time left, tenths of seconds below ten. */
export function clockText(ms) {
  const seconds = Math.max(0, ms) / 1000;
  const whole = ms < 10000 ? seconds : Math.ceil(seconds);
  const minutes = Math.floor(whole / 60);
  const hours = Math.floor(minutes / 60);
  const rest = ms < 10000 ? (whole % 60).toFixed(1).padStart(4, "0") : two(Math.floor(whole % 60));
  return hours > 0 ? `${hours}:${two(minutes % 60)}:${rest}` : `${minutes}:${rest}`;
}

/** The number of a move: pairs are Black's and White's, so that White's first of a handicap game is 1. */
export const moveNumber = (ply, black) => (black ? Math.floor(ply / 2) + 1 : Math.ceil(ply / 2));

/** The squares that a move in USI names. */
export function squaresOf(usi) {
  if (!usi) return { way: [] };
  const list = usi.replace(/^.*\*/, "").match(/\d+[a-z]/g) ?? [];
  if (usi.includes("*")) return { drop: usi.split("*")[0], to: list[0], way: [] };
  return { from: list[0], to: list.at(-1), way: list.slice(1, -1) };
}

/** A count of positions. */
export function countText(number) {
  if (number === null || number === undefined) return "–";
  if (number >= 1e9) return `${(number / 1e9).toFixed(2)} G`;
  if (number >= 1e6) return `${(number / 1e6).toFixed(2)} M`;
  if (number >= 1e3) return `${(number / 1e3).toFixed(0)} k`;
  return String(number);
}

/** So many of something: "1 move", "2 moves". */
export const counted = (number, what) => t(`count.${what}${number === 1 ? "" : "s"}`, { number });

/** What a theme of puzzles is called. */
export const themeName = (theme) => (has(`theme.${theme}`) ? t(`theme.${theme}`) : theme);

/** A move in words: where it begins, if it is no drop, and ends, the name of its kind, and those of what it captures. */
export function moveText(from, to, kind, taken, promotes) {
  if (!from) return t("move.drop", { kind, to });
  const stays = taken.length > 0 ? "move.stays" : "move.passes";
  return [
    t(from === to ? stays : "move.goes", { kind, from, to }),
    taken.length > 0 && t("move.captures", { kinds: taken.join(t("list.and")) }),
    promotes && t("move.promotes"),
  ]
    .filter(Boolean)
    .join(t("list.comma"));
}

/**
 * How a game ended, as a sentence.
 * @param {Wire.Ending} ending
 */
export function endingText({ winner, reason }) {
  const why = t(`ending.${reason}`);
  return winner ? t("ending.wins", { side: sideName(winner), reason: why }) : t("ending.draw", { reason: why });
}

/** Today as PGN writes it, YYYY.MM.DD. */
export function today() {
  const now = new Date();
  return `${now.getFullYear()}.${two(now.getMonth() + 1)}.${two(now.getDate())}`;
}

/** How long ago a time in seconds since 1970 was. */
export function ago(seconds) {
  const gone = Date.now() / 1000 - seconds;
  if (gone < 90) return t("ago.now");
  if (gone < 5400) return t("ago.minutes", { number: Math.round(gone / 60) });
  if (gone < 129600) return t("ago.hours", { number: Math.round(gone / 3600) });
  return new Date(seconds * 1000).toLocaleDateString(language() === "ja" ? "ja" : undefined);
}
