// All steps of the course of a game, with the stars that somebody has.

import { el } from "../dom.js";
import { recallCourse } from "../learn/progress.js";
import { stars, titleOf } from "../learn/words.js";
import { t, told } from "../texts.js";
import { dialog, gameTabs } from "./dialog.js";

/** Opens the list of steps of a game, one of `games` by its name. */
export function openCourse(games, id, lessons) {
  const body = el("div", { class: "course" });
  const show = async (game) => {
    const steps = await lessons.steps(game.id).catch((error) => error);
    if (steps instanceof Error) return body.replaceChildren(el("p", { class: "note" }, told(steps.message)));
    const progress = recallCourse(game.id);
    const groups = [...new Set(steps.map(({ group }) => group))];
    const row = (step) =>
      el(
        "button",
        { class: "course-step", onclick: () => (node.close(), lessons.open(game.id, steps.indexOf(step) + 1)) },
        el("span", {}, `${steps.indexOf(step) + 1}. ${titleOf(game, step)}`),
        stars(progress.stars.get(step.id) ?? 0),
      );
    body.replaceChildren(
      ...groups.map((group) =>
        el(
          "section",
          {},
          el("h3", {}, t(`group.${group}`)),
          el("div", { class: "course-steps" }, steps.filter((step) => step.group === group).map(row)),
        ),
      ),
    );
  };
  const game = games.find((game) => game.id === id);
  const tabs = gameTabs(games, game, show);
  const node = dialog(t("learn.course"), [tabs, body]);
  show(game);
}
