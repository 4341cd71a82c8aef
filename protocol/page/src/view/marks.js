// Whether tiles show how they move.

import { recallCourse } from "../learn/progress.js";
import { prefs } from "../prefs.js";

/** More kinds than anybody knows at once. */
const MANY = 12;

/** Whether tiles of a game show how they move: as somebody wishes, or where there is much to learn. */
export function marksShown({ id, kinds }) {
  const wish = prefs.get("marks");
  const { stars, steps } = recallCourse(id);
  return wish === "on" || (wish === "auto" && (kinds.length > MANY || steps === 0 || stars.size < steps));
}
