// The course of a game as its file has it.

/**
 * A step: the position, what is to be done (`reach` or `capture` what is marked while the other side does not move,
 * `find` one of the moves that are `right`, `watch` a line, win a `battle`, begin a `game`), the fewest `moves`, a `line`
 * that does it, and how the other side `replies` to some moves that are not right.
 *
 * @typedef {{
 *   id: string, group: string, text: string, kinds: string[], sfen: string, task: string, marks: string[], moves: number,
 *   line: string[], right: string[], replies: Record<string, string>,
 * }} Step
 */

const TASKS = ["reach", "capture", "find", "watch", "battle", "game"];

const words = (list) => Array.isArray(list) && list.every((word) => typeof word === "string");

/** @returns {Step | null} */
function step(found) {
  const { marks = [], line = [], right = [], replies = {}, ...rest } = Object(found);
  const { id, group, text, kinds, sfen, task, moves } = rest;
  const fits =
    [id, group, text, sfen].every((word) => typeof word === "string") &&
    [kinds, marks, line, right, Object.values(replies)].every(words) &&
    TASKS.includes(task) &&
    moves > 0;
  return fits ? { id, group, text, kinds, sfen, task, moves, marks, line, right, replies } : null;
}

/**
 * The steps of a file. What is no such file is thrown.
 * @returns {Step[]}
 */
export function readCourse(found, game) {
  const list = found?.game === game && Array.isArray(found.steps) ? found.steps.map(step) : [];
  if (list.length === 0 || list.includes(null)) throw new Error("expected a file of lessons, found another");
  return list;
}

/** The number of the step to go on with: the first that was not done. */
export function nextStep(steps, stars) {
  const index = steps.findIndex(({ id }) => !stars.has(id));
  return index < 0 ? 1 : index + 1;
}

/** Whether the other side does not move in a step. */
export const isAlone = ({ task }) => task === "reach" || task === "capture";
