// The first game: on a low level, with the coach.

import { prefs } from "../prefs.js";
import { HAS_PLAYED, lastSettings, remember, request } from "../request.js";
import { LAST } from "../store.js";
import { recall } from "../storage.js";

/** The level: below everybody who has understood the moves. */
const LEVEL = "4";

/** Whether nobody has played in this browser. */
export const newcomer = () => recall(LAST) === null && recall(HAS_PLAYED) === null;

/** Begins a first game; a refusal is thrown. */
export async function firstGame(store, variant) {
  const settings = { ...lastSettings(), variant, opponent: "engine", side: "b", level: LEVEL, clock: "none" };
  await store.start(request(settings));
  prefs.set("coach", true);
  remember(settings);
}
