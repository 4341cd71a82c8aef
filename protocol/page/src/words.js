// How sides, players, clocks, scores and numbers are written.

export const SIDE_NAMES = { b: "Black", w: "White" };

export const engineName = (level, levels) => `Engine ${level} · ${levels[level - 1].name}`;

/** A level among others of a game: its number, name and Elo, and whether somebody plays about as well. */
export const levelName = ({ name, elo }, number, own) =>
  [number, name, elo !== null && `${elo} Elo`, number === own && "about your strength"].filter(Boolean).join(" · ");

/** What a player is called. */
export const playerName = (player, levels) => (player.kind === "human" ? "Human" : engineName(player.level, levels));

/**
 * A kind of piece with the letters on its tile, which whoever speaks to the page sees.
 * @param {{ name: string, written: string }} kind
 */
export const kindName = ({ name, written }) => `${name}, ${written}`;

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
export const counted = (number, what) => `${number} ${what}${number === 1 ? "" : "s"}`;

/** Themes of puzzles: what they are called, and what is seen in the solution. */
export const THEMES = {
  capture: ["Capture", "The good move takes a piece."],
  defence: ["Only defence", "The one move that answers a check and holds."],
  drop: ["Drop", "A piece is dropped from the hand."],
  igui: ["Igui", "A piece captures without moving."],
  interposition: ["Interposition", "The defender drops a piece in between."],
  lion: ["Lion move", "A piece captures on its way, and goes on."],
  porpoise: ["Captured porpoise", "A porpoise is captured and comes back as a killer whale."],
  promotion: ["Promotion", "A piece promotes."],
  quiet: ["Quiet move", "The good move takes nothing and gives no check."],
  sacrifice: ["Sacrifice", "A piece is offered and taken."],
  whale: ["Whale move", "The attacker's own white whale moves and opens a line."],
};

/** Today as PGN writes it, YYYY.MM.DD. */
export function today() {
  const now = new Date();
  return `${now.getFullYear()}.${two(now.getMonth() + 1)}.${two(now.getDate())}`;
}

/** How long ago a time in seconds since 1970 was. */
export function ago(seconds) {
  const gone = Date.now() / 1000 - seconds;
  if (gone < 90) return "just now";
  if (gone < 5400) return `${Math.round(gone / 60)} minutes ago`;
  if (gone < 129600) return `${Math.round(gone / 3600)} hours ago`;
  return new Date(seconds * 1000).toLocaleDateString();
}
