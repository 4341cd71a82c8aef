// What a score means, and how it is written: as winning chances, or in pawns.

import { prefs } from "./prefs.js";

/** Centipawns that multiply the odds of a win by e, from games of the engine against itself (`docs/strength.md`). */
const SCALES = { whale: 293, paulowich: 346, great: 736 };

/** Black's share of the prospects, from 0 to 1, of a score as Black sees it in this game. */
export function share(score, variant) {
  if (score.mate !== undefined) return score.mate > 0 ? 1 : 0;
  return 1 / (1 + Math.exp(-score.cp / SCALES[variant]));
}

/** A score as Black sees it, in pawns or plies to mate. */
export function pawnText(score) {
  if (score.mate !== undefined) return `${score.mate > 0 ? "+" : "−"}M${Math.abs(score.mate)}`;
  const pawns = score.cp / 100;
  return `${pawns >= 0 ? "+" : "−"}${Math.abs(pawns).toFixed(Math.abs(pawns) >= 10 ? 1 : 2)}`;
}

/** A score as Black sees it, as somebody wants it: Black's chances in per cent, or pawns. A mate is a mate. */
export function scoreText(score, variant) {
  if (score.mate !== undefined || prefs.get("scores") === "pawns") return pawnText(score);
  return `${Math.min(99, Math.max(1, Math.round(100 * share(score, variant))))} %`;
}
