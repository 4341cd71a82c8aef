// The first game: on the lowest level, with the coach.

import { prefs } from "../prefs.js";
import { HAS_PLAYED, lastSettings, remember, request } from "../request.js";
import { LAST } from "../store.js";
import { recall } from "../storage.js";

/** Whether nobody has played in this browser. */
export const newcomer = () => recall(LAST) === null && recall(HAS_PLAYED) === null;

/** Begins a first game; a refusal is thrown. */
export async function firstGame(store, variant) {
  const settings = { ...lastSettings(), variant, opponent: "engine", side: "b", level: "1", clock: "none" };
  await store.start(request(settings));
  prefs.set("coach", true);
  remember(settings);
}
