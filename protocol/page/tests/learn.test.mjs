// The courses: each is played to its end, a lesson of each kind by mouse, touch and keys; stars, the welcome, addresses,
// languages. Where LEARN_PICTURES names a folder lessons on all screens are drawn there.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { nextStep, readCourse } from "../src/learn/course.js";
import { starsFor } from "../src/learn/progress.js";
import {
  appears,
  box,
  click,
  leave,
  openPage,
  placeAndBrowser,
  press,
  reads,
  said,
  tap,
  until,
  vanishes,
} from "./harness.mjs";

const GAMES = ["whale", "paulowich", "great"];

const at = placeAndBrowser();

const fileOf = async (game) =>
  readCourse(JSON.parse(await readFile(new URL(`../src/learn/${game}.json`, import.meta.url), "utf8")), game);

/** Engines answer at once. What somebody chooses later stays. */
const prefer = (values) => `try {
  localStorage.getItem("kujira-prefs") ?? localStorage.setItem("kujira-prefs", ${JSON.stringify(JSON.stringify(values))});
} catch {
  // Nothing is kept for the blank page before.
}`;
const QUICK = prefer({ pace: "0", animate: false });

const visit = (lesson, { prepare = [QUICK], ...options } = {}) =>
  openPage(at.browser, at.place, { welcome: true, prepare, ...options }, lesson ? `#learn=${lesson}` : "");

const now = (page) => page.evaluate(() => window.kujira.lessons.now());
const stars = (page, game) =>
  page.evaluate((game) => JSON.parse(localStorage.getItem(`kujira-learn-${game}`) ?? "{}").stars ?? {}, game);

/** Waits until a step is shown, and the learner may move or nothing is to be moved. */
const shown = (page, number) =>
  until(
    page,
    (number) => {
      const now = window.kujira.lessons.now();
      return (
        now?.number === number && (window.kujira.store.state().movable || ["watch", "game"].includes(now.step.task))
      );
    },
    number,
  );

const phase = (page, wanted) => until(page, (wanted) => window.kujira.lessons.now()?.phase === wanted, wanted);

/** The places to press for a move: a piece in hand or a square, squares on the way, and where it ends. */
async function places(page, usi) {
  await until(
    page,
    (usi) =>
      window.kujira.store.state().movable &&
      window.kujira.store.state().position.legal.some((move) => move.usi === usi),
    usi,
  );
  const {
    from,
    drop,
    way = [],
    to,
  } = await page.evaluate((usi) => window.kujira.store.state().position.legal.find((move) => move.usi === usi), usi);
  return [drop ? `${drop}*` : from, ...way, to];
}

/** Plays the line of a step, by clicks or as `act` does. */
async function solve(page, { line }, act = click) {
  for (const usi of line) {
    const { used } = await now(page);
    await act(page, ...(await places(page, usi)));
    const choice = await page.$(".choices");
    if (choice) await press(page, ".choices .choice", { text: usi.endsWith("+") ? "Promote" : "" });
    // What is clicked before the answer has come would be a move from the position before.
    await until(page, (used) => window.kujira.lessons.now().used > used, used);
  }
}

/** Chooses squares and pieces in hand by keys alone. */
async function byKeys(page, ...list) {
  for (const place of list) {
    if (place.endsWith("*")) await page.focus(`.side.turn .held[data-token="${place.slice(0, -1)}"]`);
    else await page.evaluate((square) => window.kujira.table.board.moveCursor(square, true), place);
    await page.keyboard.press("Enter");
  }
}

/** Wins a battle in one move: what the engine makes of it is another test's. */
const win = (page) => page.evaluate(() => window.kujira.store.send({ type: "resign", side: "w" }));

for (const game of GAMES) {
  test(`${game}: the whole course is played, and the welcome shows how far it is`, async () => {
    const steps = await fileOf(game);
    const page = await visit(`${game}/1`);
    for (const [index, step] of steps.entries()) {
      await shown(page, index + 1);
      if (step.task === "game") break;
      if (step.task === "battle") await win(page);
      else if (step.task !== "watch") await solve(page, step);
      await phase(page, "done").catch((error) => assert.fail(`${step.id}: ${error.message}`));
      assert.equal((await now(page)).stars, 3, step.id);
      await press(page, "#lesson-next");
    }
    await press(page, "#lesson-play");
    await until(
      page,
      (game) => window.kujira.store.state()?.playing && window.kujira.store.state().variant === game,
      game,
    );
    await vanishes(page, "#lesson");
    const all = Object.fromEntries(steps.map(({ id }) => [id, 3]));
    assert.deepEqual(await stars(page, game), all);
    await press(page, ".brand a");
    await reads(page, `[data-game="${game}"] .learnt`, new RegExp(`^${steps.length} of ${steps.length} lessons done$`));
    assert.deepEqual(page.problems, []);
    await leave(page);
  });
}

test("a lesson of each kind is played by touch and by keys", async () => {
  for (const [game, act, options] of [
    ["whale", tap, { touch: true, width: 390, height: 844 }],
    ["great", tap, { touch: true, width: 390, height: 844 }],
    ["whale", byKeys, {}],
    ["great", byKeys, {}],
  ]) {
    const steps = await fileOf(game);
    const kinds = new Map(steps.map((step) => [`${step.task} ${step.text}`, step]));
    const page = await visit(`${game}/1`, options);
    for (const step of kinds.values()) {
      if (!["reach", "capture", "find"].includes(step.task)) continue;
      await page.evaluate((game, number) => window.kujira.lessons.open(game, number), game, steps.indexOf(step) + 1);
      await shown(page, steps.indexOf(step) + 1);
      await solve(page, step, act).catch((error) => assert.fail(`${step.id}: ${error.message}`));
      await phase(page, "done");
    }
    assert.deepEqual(page.problems, []);
    await leave(page);
  }
});

test("a newcomer is offered the course first, then its next step", async () => {
  const page = await visit();
  await press(page, ".welcome-learn button");
  await shown(page, 1);
  const [first] = await fileOf("whale");
  await solve(page, first);
  await phase(page, "done");
  await page.evaluate(() => history.back());
  await appears(page, ".welcome-learn");
  await reads(page, ".welcome-learn p", /Whale Shogi: 1 of \d+ lessons done/);
  await press(page, ".welcome-learn button");
  await shown(page, 2);
  await leave(page);
});

test("a careless move is shown to fail, costs a star, and the best count is kept", async () => {
  const steps = await fileOf("whale");
  const step = steps.find(({ id }) => id === "safe");
  const number = steps.indexOf(step) + 1;
  const page = await visit(`whale/${number}`);
  await shown(page, number);
  const [wrong, reply] = Object.entries(step.replies)[0];
  await click(page, ...(await places(page, wrong)));
  await until(page, (reply) => window.kujira.store.state().nodes.some(({ usi }) => usi === reply), reply);
  await reads(page, "#lesson .said", /answers like this/);
  await shown(page, number);
  await solve(page, step);
  await phase(page, "done");
  assert.deepEqual(await stars(page, "whale"), { safe: 2 });
  await press(page, "#lesson-again");
  await shown(page, number);
  await solve(page, step);
  await phase(page, "done");
  assert.deepEqual(await stars(page, "whale"), { safe: 3 });
  assert.deepEqual(page.problems, []);
  await leave(page);
});

test("illegal moves are explained, help shows the move, the list leads to every step", async () => {
  const page = await visit("whale/1");
  await shown(page, 1);
  const [step] = await fileOf("whale");
  const [from] = await places(page, step.line[0]);
  await click(page, from, "1a");
  await reads(page, "#advice", /white whale does not move from/);
  await page.keyboard.press("h");
  await appears(page, "#board .shaft.hint");
  await press(page, "#lesson-all");
  await press(page, ".course-step", { nth: 3 });
  await shown(page, 4);
  assert.match(await page.evaluate(() => location.hash), /^#learn=whale\/4$/);
  await leave(page);
});

test("from a lesson of a piece one goes to it on the full board, and back", async () => {
  const page = await visit("whale/4");
  await shown(page, 4);
  await press(page, "#lesson-real");
  await phase(page, "look");
  await until(page, () => window.kujira.table.input.piece?.from === "5f");
  await click(page, "5e", "5d", "5b", "5c");
  await until(page, () => window.kujira.store.state().nodes.length === 3);
  await press(page, "#lesson-back");
  await shown(page, 4);
  await phase(page, "do");
  assert.deepEqual(page.problems, []);
  await leave(page);
});

test("Japanese is chosen by the browser or by the settings", async () => {
  const page = await visit("great/6");
  await shown(page, 6);
  await reads(page, "#lesson .task", /^Go to all marked squares with minke whale and fin whale\.$/);
  await press(page, "#open-prefs");
  await page.select("dialog [name=language]", "ja");
  await reads(page, "#lesson .task", /^ミンククジラとナガスクジラで/);
  assert.equal(await page.$eval("html", ({ lang }) => lang), "ja");
  await shown(page, 6);
  const step = (await fileOf("great"))[5];
  const [from] = await places(page, step.line[0]);
  await click(page, from, "1a");
  await reads(page, "#advice", /^ミンククジラは1aへ動けません。$|^ナガスクジラは1aへ動けません。$/);
  await leave(page);
});

test("a link that leads to no lesson is told", async () => {
  for (const [link, text] of [
    ["whale/999", /^No lesson can be shown: there is none of the number 999$/],
    ["chess", /^No lesson can be shown: there is no game chess$/],
  ]) {
    const page = await visit(link);
    await appears(page, ".welcome-card");
    assert.match(await said(page), text);
    await leave(page);
  }
});

const SCREENS = [
  [360, 640],
  [390, 844],
  [844, 390],
  [820, 1180],
  [1280, 720],
  [1920, 1080],
];

const LESSONS = [
  ["whale/6", "en"],
  ["great/22", "en"],
  ["great/10", "ja"],
];

test("a lesson fits its screen, in both languages", async () => {
  for (const [width, height] of SCREENS) {
    for (const [lesson, language] of LESSONS) {
      const prepare = [prefer({ language })];
      const page = await visit(lesson, { width, height, touch: width < 1000, prepare });
      await shown(page, Number(lesson.split("/")[1]));
      const [wide, tall] = await page.evaluate(() => {
        const { scrollWidth, scrollHeight } = document.documentElement;
        return [scrollWidth - innerWidth, scrollHeight - innerHeight];
      });
      const folder = process.env.LEARN_PICTURES;
      if (folder) await page.screenshot({ path: `${folder}/${width}-${lesson.replace("/", "-")}-${language}.png` });
      else assert.ok(wide <= 0 && tall <= 0, `${lesson}, ${width}×${height}: sticks out by ${wide}×${tall}`);
      const board = await box(page, "#board");
      if (!folder)
        assert.ok(board.width >= Math.min(width, height) * 0.6, `${lesson}, ${width}×${height}: ${board.width}`);
      await leave(page);
    }
  }
});

test("stars and the next step", () => {
  assert.deepEqual(
    [3, 4, 5, 9].map((used) => starsFor(used, 3)),
    [3, 2, 1, 1],
  );
  const steps = [{ id: "a" }, { id: "b" }];
  assert.deepEqual(
    [
      new Map(),
      new Map([["a", 1]]),
      new Map([
        ["a", 1],
        ["b", 3],
      ]),
    ].map((done) => nextStep(steps, done)),
    [1, 2, 1],
  );
});

test("a file that is none is refused", async () => {
  const { steps } = JSON.parse(await readFile(new URL("../src/learn/whale.json", import.meta.url), "utf8"));
  for (const found of [
    null,
    [],
    {},
    { game: "great", steps },
    { game: "whale", steps: [] },
    { game: "whale", steps: [{ ...steps[0], task: "x" }] },
  ])
    assert.throws(() => readCourse(found, "whale"), /expected a file of lessons, found another/);
});
