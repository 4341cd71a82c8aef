// Which thoughts of engines are shown: not those of an opponent, and none that help against it unless asked for.

import { prefs } from "../prefs.js";

/** Whether the engine that plays is a person's opponent, in a game that goes on. */
function againstEngine({ playing, players }) {
  const engines = players.filter(({ kind }) => kind === "engine").length;
  return playing && engines > 0 && engines < players.length;
}

/** Whether what the engine that plays thinks is shown until it has moved. */
export const thoughtsShown = (state) => state.playing && (prefs.get("thoughts") || !againstEngine(state));

/** Whether the scores of moves are shown: in a game against an engine to whoever analyses it. */
export const scoresShown = (state) =>
  prefs.get("thoughts") || !againstEngine(state) || state.analysis !== null || state.sweep !== null;
