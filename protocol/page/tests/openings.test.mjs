// Openings: what is known of the moves of a position, shown and played; what is no file of them; the files themselves.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import {
  appears,
  attribute,
  begin,
  box,
  count,
  leave,
  listen,
  openPage,
  placeAndBrowser,
  played,
  press,
  reads,
  said,
  until,
  vanishes,
} from "./harness.mjs";

const START = "bnpwgh/dddddd/6/6/DDDDDD/HGWPNB b -";
const AFTER = "bnpwgh/dddddd/6/4D1/DDDD1D/HGWPNB w -";

/** Openings of the tests: one move is not legal, one was played and is not in the book. */
const FILE = {
  openings: "whale",
  moves: [
    ["2e2d", "D-2d"],
    ["3e3d", "D-3d"],
    ["1e1d", "D-1d"],
    ["5b5c", "D-5c"],
    ["1a1b", "H-1b"],
  ],
  names: [["2e2d", AFTER, "Narwhal's dolphin"]],
  positions: {
    [START]: [
      [0, 38, 24, 6, 1, 3],
      [4, 30, 20],
      [1, { mate: -4 }, 12],
      [2, null, 0, 0, 0, 2],
    ],
    [AFTER]: [[3, -20, 23]],
  },
};

/** Runs in the page: has `answer` in place of every file of openings, and counts how often one is asked for. */
const served = (answer) => `{
  const real = window.fetch;
  window.asked = 0;
  window.fetch = (url, ...rest) =>
    String(url).includes("openings/") ? (window.asked++, Promise.resolve(${answer})) : real(url, ...rest);
}`;

const OURS = served(`new Response(${JSON.stringify(JSON.stringify(FILE))})`);

const at = placeAndBrowser();

const visit = (options = {}) => openPage(at.browser, at.place, { prepare: [OURS], ...options });
const open = (page) => press(page, "#openings .switch");
const rows = (page) =>
  page.$$eval("#openings tbody tr", (rows) =>
    rows.map((row) => [...row.cells].map((cell) => cell.textContent || (cell.firstElementChild?.title ?? ""))),
  );

test("scores are in pawns for whoever wants it, and under the pointer for everybody", async () => {
  for (const [scores, shown] of [
    ["pawns", "+0.38"],
    ["chances", "53 %"],
  ]) {
    const kept = `localStorage.setItem("kujira-prefs", '{"scores":"${scores}"}')`;
    const page = await visit({ prepare: [OURS, kept] });
    await begin(page, { playing: false });
    await open(page);
    await reads(page, "#openings .score", new RegExp(`^${shown.replace("+", "\\+")}$`));
    assert.equal(await page.$eval("#openings .score", ({ title }) => title), "+0.38");
    await leave(page);
  }
});

test("moves of the book are shown with scores and games, and played by a click or a key", async () => {
  const page = await visit();
  await begin(page, { playing: false });
  assert.equal(await page.evaluate(() => window.asked), 0, "nothing is fetched that nobody wants");
  await open(page);
  await appears(page, "#openings tbody");
  const games = "10 games: Black won 60 %, drawn 10 %, White won 30 %";
  assert.deepEqual(await rows(page), [
    ["D-2d", "53 %", "24", "10", games],
    ["D-3d", "−M4", "12", "", ""],
    ["D-1d", "", "", "2", "2 games: Black won 0 %, drawn 0 %, White won 100 %"],
  ]);
  await page.evaluate(() => document.querySelector("#openings tbody button").focus());
  await page.keyboard.press("Enter");
  await played(page, "2e2d");
  await reads(page, "#openings .opening-name", /^Narwhal's dolphin$/);
  assert.deepEqual(await rows(page), [["D-5c", "48 %", "23", "", ""]]);
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "D-5c", "the keyboard goes on");
  await press(page, "#openings tbody tr td:nth-child(2)");
  await played(page, "5b5c");
  await reads(page, "#openings .facts", /^Out of the book\.$/);
  // The last name on the way.
  await reads(page, "#openings .opening-name", /^Narwhal's dolphin$/);
  await page.keyboard.press("Home");
  await appears(page, "#openings tbody");
  await page.keyboard.press("o");
  await vanishes(page, "#openings tbody");
  assert.equal(await attribute(page, "#openings .switch", "aria-checked"), "false");
  assert.equal(await page.evaluate(() => window.asked), 1);
  assert.deepEqual(page.problems, []);
  await leave(page);
});

test("squares are written as somebody likes, and a phone has room for it", async () => {
  const western = () =>
    localStorage.setItem("kujira-prefs", JSON.stringify({ coordinates: "western", openings: true }));
  const page = await visit({ width: 390, height: 844, prepare: [OURS, western] });
  await begin(page, { playing: false });
  await appears(page, "#openings tbody");
  assert.deepEqual(
    (await rows(page)).map(([move]) => move),
    ["D-e3", "D-d3", "D-f3"],
  );
  const [card, bar] = [await box(page, "#openings"), await box(page, "#openings .results")];
  assert.ok(card.x >= 0 && card.x + card.width <= 390 && bar.width >= 40, JSON.stringify([card, bar]));
  const [whole, seen] = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return [scrollWidth, clientWidth];
  });
  // A scroll bar takes some of the 390 in Firefox.
  assert.ok(whole === seen && whole <= 390, `${whole} of ${seen}: nothing sticks out`);
  await leave(page);
});

test("they do not help against the engine unless somebody wants that, nor with puzzles", async () => {
  const page = await visit();
  await begin(page, { players: ["human", 1] });
  await open(page);
  await reads(page, "#openings .facts", /^Not shown while you play against the engine\.$/);
  assert.equal(await count(page, "#openings tbody"), 0);
  await page.evaluate(() => window.kujira.store.send({ type: "pause" }));
  await appears(page, "#openings tbody");
  // Other rules have other openings.
  const rules = { retreat_two: false, retreat_file_limit: false, impasse: true, repetition: true };
  await begin(page, { playing: false, rules });
  await reads(page, "#openings .facts", /^The openings are those of the usual rules\.$/);
  await page.evaluate(() => window.kujira.puzzles.open("whale"));
  await until(page, () => window.kujira.puzzles.solving());
  await vanishes(page, "#openings");
  await leave(page);
});

test("what is no file of openings is said once, and the page goes on", async () => {
  for (const [answer, why] of [
    [`new Response("{}")`, "expected a file of openings, found another"],
    [`new Response("", { status: 404 })`, ""],
  ]) {
    const page = await visit({ prepare: [served(answer)] });
    await begin(page, { playing: false });
    await listen(page);
    await open(page);
    await reads(page, "#openings .facts", /^There are no openings here\.$/);
    assert.ok((await said(page)).startsWith(`No openings can be shown: ${why}`), await said(page));
    await page.evaluate(() => window.kujira.store.playLine(["2e2d", "5b5c"]));
    await played(page, "5b5c");
    assert.equal(await page.evaluate(() => window.asked), 1);
    await leave(page);
  }
});

test("every game has openings, from its start on", async () => {
  const page = await visit({ prepare: [] });
  for (const variant of ["whale", "paulowich", "great"]) {
    const text = await readFile(new URL(`../src/openings/${variant}.json`, import.meta.url));
    const packed = gzipSync(text).length;
    assert.ok(packed < 200_000, `${variant}: ${packed} bytes`);
    await begin(page, { variant, playing: false });
    if ((await attribute(page, "#openings .switch", "aria-checked")) === "false") await open(page);
    await appears(page, "#openings tbody");
    if (variant === "great") {
      assert.equal(await count(page, "#openings tbody tr"), 12);
      await press(page, "#openings .quiet", { text: "All " });
      await until(page, () => document.querySelectorAll("#openings tbody tr").length > 12);
    }
    await press(page, "#openings tbody button");
    await until(page, () => window.kujira.store.at() === 1);
    await appears(page, "#openings tbody, #openings .facts");
  }
  assert.deepEqual(page.problems, []);
  await leave(page);
});
