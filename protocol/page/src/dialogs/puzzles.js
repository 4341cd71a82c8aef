// Which puzzles somebody wants to solve: of which game, of which kind, how long, about what, how hard.

import { el } from "../dom.js";
import { ANY, movesToFind, wanted } from "../puzzles/choice.js";
import { t, told as tell } from "../texts.js";
import { counted, themeName } from "../words.js";
import { button, buttons, dialog, field, gameTabs, note, primary, select } from "./dialog.js";

/** What can be chosen of a property, by the names of their texts (`choice.…`). */
const KINDS = ["mate", "best"];
const STRENGTHS = ["easier", "even", "harder"];

const named = (names, all = "any") => [["", t(`choice.${all}`)], ...names.map((name) => [name, t(`choice.${name}`)])];

/** How many puzzles the history tells. */
const REMEMBERED = 50;

/** What there is to choose of a property: anything, or one of the values that puzzles have, as text or number. */
function each(values, text) {
  const sorted = [...new Set(values)].sort((a, b) => (typeof a === "number" ? a - b : a.localeCompare(b)));
  return [["", t("choice.any")], ...sorted.map((value) => [String(value), text(value)])];
}

/** Opens the choice of puzzles, at first of one of the games. */
export function openChoice(games, game, puzzles) {
  const form = el("div", { class: "puzzle-choice" });
  const told = el("p", { class: "note", role: "status" });
  let wishes = { ...ANY };
  const start = primary(t("choice.show"), () => {
    node.close();
    puzzles.choose(game.id, wishes);
  });
  const tabs = gameTabs(games, game, (other) => {
    game = other;
    fill();
  });
  const node = dialog(t("choice.title"), [
    tabs,
    form,
    told,
    buttons(start, button(t("cancel"), () => node.close())),
    note(t("choice.note")),
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
      const about = themes.map(themeName).join(t("list.comma"));
      const label = [t(solved ? "choice.solved" : "choice.missed", { rating }), about].filter(Boolean).join(" · ");
      return el("li", {}, el("button", { class: "quiet", onclick: again(id) }, label));
    });
    const solved = tried.filter(([, solved]) => solved).length;
    const head = t("choice.history", { solved, tried: tried.length });
    return el("details", { class: "puzzle-history" }, el("summary", {}, head), el("ol", {}, items));
  };

  const count = (list) => {
    const progress = puzzles.progress(game.id);
    const fitting = wanted(list, wishes, progress, game.capture);
    const solved = fitting.filter(({ id }) => progress.done.get(id)).length;
    told.textContent = t("choice.count", { fitting: fitting.length, all: list.length, solved });
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
        choice("kind", t("choice.kind"), named(KINDS)),
        choice("toFind", t("choice.length"), each(lengths, (length) => t("choice.moves", { moves: counted(length, "move") }))),
        choice("theme", t("choice.theme"), each(themes, themeName)),
        choice("strength", t("choice.strength"), named(STRENGTHS)),
        choice("again", t("choice.which"), named(["failed"], "all")),
        history(list) ?? "",
      );
      count(list);
    } catch (error) {
      if (shown === game) told.textContent = t("choice.refused", { why: tell(error.message) });
    }
  };
  fill();
}
