// What a file of a game's openings says: moves of positions, with scores and with games, and names.

/**
 * A move of a position. `text` has Japanese and Western squares; `score` is Black's, `depth` the plies that it looks
 * ahead; `games` are those that Black won, that were drawn, and that White won.
 * @typedef {{
 *   usi: string, text: [string, string], score: Wire.Score | null, depth: number,
 *   games: [number, number, number] | null,
 * }} Opening
 */

/** A position as files name it: its SFEN without the number. */
const nameOf = (sfen) => sfen.replace(/ \d+$/, "");

const count = (value) => Number.isSafeInteger(value) && value >= 0;
const texts = (list, length) =>
  Array.isArray(list) && list.length === length && list.every((item) => typeof item === "string");

/** A score of a file: centipawns, or a mate. */
function scoreOf(found) {
  if (Number.isFinite(found)) return { cp: found };
  return Number.isFinite(found?.mate) ? { mate: found.mate } : null;
}

export class Openings {
  #western;
  #moves;
  #names;
  #positions;

  /**
   * Takes what a file held; what is none is thrown.
   * @param {Wire.Game} game
   */
  constructor(found, game) {
    const { openings, moves, names, positions } = Object(found);
    const whole =
      openings === game.id &&
      [moves, names].every(Array.isArray) &&
      moves.every((move) => texts(move, 2)) &&
      names.every((name) => texts(name, 3)) &&
      positions instanceof Object;
    if (!whole) throw new Error("expected a file of openings, found another");
    this.#western = new Map(game.squares);
    this.#moves = moves;
    this.#names = names.map(([line, position, name]) => ({ line, position, name }));
    this.#positions = new Map(Object.entries(positions));
  }

  /**
   * The moves known of the position shown, in the order of the file: the best first. Only legal ones are.
   * @param {Wire.Position} position
   * @returns {Opening[]}
   */
  moves({ sfen, legal }) {
    const playable = new Set(legal.map(({ usi }) => usi));
    const rows = this.#positions.get(nameOf(sfen));
    const moves = Array.isArray(rows) ? rows.filter(Array.isArray).map((row) => this.#move(row)) : [];
    return moves.filter((move) => move && playable.has(move.usi));
  }

  /**
   * @param {any} row
   * @returns {Opening | null}
   */
  #move([number, score, depth, ...games]) {
    const [usi, text] = this.#moves[number] ?? [];
    if (usi === undefined) return null;
    const western = text.replace(/\d+[a-z]/g, (square) => this.#western.get(square) ?? square);
    return {
      usi,
      text: [text, western],
      score: scoreOf(score),
      depth: count(depth) ? depth : 0,
      games: games.length === 3 && games.every(count) && games.some(Boolean) ? games : null,
    };
  }

  /**
   * The name of a position, or the last that the way there had from the usual start: moves as USI, or null if the game
   * began elsewhere.
   * @param {string[] | null} way
   */
  name(sfen, way) {
    const own = this.#names.find(({ position }) => position === nameOf(sfen));
    if (own || !way) return own?.name ?? "";
    const played = `${way.join(" ")} `;
    const passed = this.#names.filter(({ line }) => played.startsWith(`${line} `));
    return passed.sort((a, b) => b.line.length - a.line.length)[0]?.name ?? "";
  }
}
