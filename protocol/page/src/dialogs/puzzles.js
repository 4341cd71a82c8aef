// Which puzzles somebody wants to solve: of which game, of which kind, how long, about what, how hard.

import { el } from "../dom.js";
import { ANY, movesToFind, wanted } from "../puzzles/choice.js";
import { THEMES, counted } from "../words.js";
import { button, buttons, dialog, field, gameTabs, note, primary, select } from "./dialog.js";

const KINDS = [
  ["", "any"],
  ["mate", "mates"],
  ["best", "one good move"],
];

const STRENGTHS = [
  ["", "any"],
  ["easier", "easier than my rating"],
  ["even", "about my rating"],
  ["harder", "harder than my rating"],
];

const AGAIN = [
  ["", "all"],
  ["failed", "what I failed at, again"],
];

/** How many puzzles the history tells. */
const REMEMBERED = 50;

/** What there is to choose of a property: anything, or one of the values that puzzles have, as text or number. */
function each(values, text) {
  const sorted = [...new Set(values)].sort((a, b) => (typeof a === "number" ? a - b : a.localeCompare(b)));
  return [["", "any"], ...sorted.map((value) => [String(value), text(value)])];
}

/** Opens the choice of puzzles, at first of one of the games. */
export function openChoice(games, game, puzzles) {
  const form = el("div", { class: "puzzle-choice" });
  const told = el("p", { class: "note", role: "status" });
  let wishes = { ...ANY };
  const start = primary("Show one", () => {
    node.close();
    puzzles.choose(game.id, wishes);
  });
  const tabs = gameTabs(games, game, (other) => {
    game = other;
    fill();
  });
  const node = dialog("Choose puzzles", [
    tabs,
    form,
    told,
    buttons(start, button("Cancel", () => node.close())),
    note("The next puzzle is one near your rating. Ratings of puzzles come from a model of who solves them."),
  ]);

  /** What was tried last, to be looked at again. */
  const history = (list) => {
    const { done } = puzzles.progress(game.id);
    const known = new Map(list.map((puzzle) => [puzzle.id, puzzle]));
    const tried = [...done].reverse().filter(([id]) => known.has(id));
    if (tried.length === 0) return null;
    const again = (id) => () => {
      node.close();
      puzzles.open(game.id, id);
    };
    const items = tried.slice(0, REMEMBERED).map(([id, solved]) => {
      const { rating, themes } = known.get(id);
      const named = themes.map((theme) => THEMES[theme]?.[0] ?? theme).join(", ");
      const label = `${solved ? "Solved" : "Failed"}: rated ${rating}${named && ` · ${named}`}`;
      return el("li", {}, el("button", { class: "quiet", onclick: again(id) }, label));
    });
    const share = `${tried.filter(([, solved]) => solved).length} of ${tried.length} solved`;
    return el("details", { class: "puzzle-history" }, el("summary", {}, `History: ${share}`), el("ol", {}, items));
  };

  const count = (list) => {
    const progress = puzzles.progress(game.id);
    const fitting = wanted(list, wishes, progress, game.capture);
    const solved = fitting.filter(({ id }) => progress.done.get(id)).length;
    told.textContent = `${fitting.length} of ${list.length} puzzles fit; ${solved} of them are solved.`;
    start.disabled = fitting.length === 0;
  };

  const fill = async () => {
    const shown = game;
    start.disabled = true;
    form.replaceChildren();
    told.textContent = "…";
    try {
      const list = await puzzles.file(shown.id);
      if (shown !== game) return;
      wishes = puzzles.progress(shown.id).wishes;
      const choice = (name, label, choices) => {
        const known = choices.some(([value]) => value === wishes[name]);
        if (!known) wishes[name] = "";
        const change = (event) => {
          wishes[name] = event.target.value;
          count(list);
        };
        return field(label, select({ name, onchange: change }, choices, wishes[name]));
      };
      const lengths = list.map((puzzle) => movesToFind(puzzle, game.capture));
      const themes = list.flatMap((puzzle) => puzzle.themes);
      form.append(
        choice("kind", "What", KINDS),
        choice("toFind", "How long", each(lengths, (length) => `${counted(length, "move")} to find`)),
        choice("theme", "About", each(themes, (theme) => THEMES[theme]?.[0] ?? theme)),
        choice("strength", "How hard", STRENGTHS),
        choice("again", "Which", AGAIN),
        history(list) ?? "",
      );
      count(list);
    } catch (error) {
      if (shown === game) told.textContent = `The puzzles cannot be had: ${error.message}`;
    }
  };
  fill();
}
