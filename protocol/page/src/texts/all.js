// Every text in the language of the page. The page of static files has a file a language in place of this one, and loads
// Japanese where it is chosen (`protocol/web/bundle.mjs`).

import { language } from "../prefs.js";
import { DIALOGS } from "./dialogs.js";
import { GAME } from "./game.js";
import { LEARN } from "./learn.js";
import { NAMES } from "./names.js";
import { RULES } from "./rules.js";
import { TOLD } from "./told.js";

/** All texts: English and Japanese. */
export const TABLE = { ...GAME, ...DIALOGS, ...LEARN, ...RULES };

const column = language() === "ja" ? 1 : 0;
export const TEXTS = Object.fromEntries(Object.entries(TABLE).map(([key, texts]) => [key, texts[column]]));
export { NAMES, TOLD };
