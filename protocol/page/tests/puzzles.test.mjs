// Puzzles: solved by clicks, helped with, chosen, counted, found again; and what the page makes of a file that is none.
// Where PUZZLE_PICTURES names a folder the cards on all screens are drawn there.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { movesToFind, next, ofTheDay, ordered, read, toFind, today, wanted } from "../src/puzzles/choice.js";
import { rated } from "../src/puzzles/progress.js";
import {
  appears,
  begin,
  box,
  click,
  count,
  exists,
  kept,
  launch,
  leave,
  openPage,
  placeAndBrowser,
  played,
  press,
  reads,
  reload,
  said,
  serveFiles,
  startServer,
  text,
  until,
  vanishes,
  withBoard,
  withStatic,
} from "./harness.mjs";

const GAMES = ["whale", "paulowich", "great"];

/** The puzzles of the tests: one of three plies, one of one that several moves solve, White's, and a good move. */
const FILE = {
  game: "whale",
  puzzles: [
    {
      id: "three",
      sfen: "b3g1/wd3n/1dK3/DD3D/1W1DBh/5P b N4Dhg2d 69",
      moves: ["D*6c", "6b5a", "N*4a"],
      kind: "mate",
      rating: 1500,
      themes: ["drop"],
    },
    { id: "one", sfen: "w5/6/1W4/6/6/6 b K 1", moves: ["K*5b"], kind: "mate", rating: 900, themes: ["drop"] },
    { id: "white", sfen: "6/6/6/4w1/6/5W w k 1", moves: ["K*2e"], kind: "mate", rating: 990, themes: ["drop", "edge"] },
    { id: "good", sfen: "w5/6/6/6/3N2/1W4 b - 1", moves: ["3e3c"], kind: "best", rating: 1250, themes: ["quiet"] },
  ],
};

/** Runs in the page: has `answer` in place of every file of puzzles. */
const served = (answer) => `{
  const real = window.fetch;
  window.fetch = (url, ...rest) =>
    String(url).includes("puzzles/") ? Promise.resolve(${answer}) : real(url, ...rest);
}`;

const OURS = served(`new Response(${JSON.stringify(JSON.stringify(FILE))})`);

const at = placeAndBrowser();

/** A page, at first with a puzzle of the tests on the board. */
const visit = (puzzle, { prepare = [OURS], ...options } = {}) =>
  openPage(at.browser, at.place, { welcome: true, prepare, ...options }, puzzle ? `#puzzle=${puzzle}` : "");

const now = (page) => page.evaluate(() => window.kujira.puzzles.now());
const progress = (page, game = "whale") =>
  page.evaluate((game) => {
    const { rating, streak, best, done } = window.kujira.puzzles.progress(game);
    return { rating, streak, best, done: Object.fromEntries(done) };
  }, game);
const listed = (page) => page.evaluate(async () => (await window.kujira.link.list()).map(({ id }) => id));
const nodes = (page) => page.evaluate(() => window.kujira.store.state().nodes.length);

/** Waits until it is the solver's turn. */
const turn = (page) => until(page, () => window.kujira.store.state()?.movable);

/** Opens the next puzzle. */
async function another(page, act = () => press(page, "#puzzle-next")) {
  const { id } = await now(page);
  await act();
  await until(page, (id) => ![undefined, id].includes(window.kujira.puzzles.now()?.id), id);
  await turn(page);
}

/** Enters a move as a person does. */
async function enter(page, usi) {
  await turn(page);
  const { places, choice } = await page.evaluate((usi) => {
    const { legal } = window.kujira.store.state().position;
    const move = legal.find((move) => move.usi === usi);
    const way = [...(move.way ?? []), move.to];
    const same = legal.filter(
      ({ from, way: other = [], to }) => from && from === move.from && `${[...other, to]}` === `${way}`,
    );
    // A move that goes on from where others end: the same square again.
    const longer = legal.some(
      ({ from, way: other = [] }) => from && from === move.from && `${other.slice(0, way.length)}` === `${way}`,
    );
    const places = [move.drop ? `${move.drop}*` : move.from, ...way, ...(longer ? [move.to] : [])];
    return { places, choice: same.length > 1 ? (move.promotes ? "Promote" : "Keep") : null };
  }, usi);
  await click(page, ...places);
  if (choice && (await page.$(".choices"))) await press(page, ".choice", { text: choice });
}

/** Solves the puzzle shown without help. */
async function solve(page) {
  await turn(page);
  const { puzzle } = await now(page);
  for (let ply = 0; ply < toFind(puzzle); ply += 2) {
    await enter(page, puzzle.moves[ply]);
    await until(
      page,
      (ply) => window.kujira.puzzles.now().phase !== "solve" || window.kujira.store.at() === ply + 2,
      ply,
    );
  }
  await reads(page, "#puzzle h2", /^Solved$/);
}

test("a mate is solved by clicks: the defender answers by itself, and the rating rises", async () => {
  const page = await visit("whale/three");
  const { moves } = FILE.puzzles[0];
  await reads(page, "#puzzle .task", /^Black mates: 2 moves to find\.$/);
  await vanishes(page, "#analysis");
  await enter(page, moves[0]);
  await reads(page, "#puzzle .said", /^Right\.$/);
  await played(page, moves[1]);
  await enter(page, moves[2]);
  await reads(page, "#puzzle h2", /^Solved$/);
  await vanishes(page, "#ending");
  const gained = rated(1200, 1500, true) - 1200;
  assert.ok(gained > 16, `${gained}`);
  await reads(page, "#puzzle .said", new RegExp(`^Your rating: \\+${gained}$`));
  assert.deepEqual(await progress(page), { rating: 1200 + gained, streak: 1, best: 1, done: { three: true } });
  assert.ok(!(await listed(page)).includes((await now(page)).id), "nothing is kept of it");
  assert.deepEqual(page.problems, []);
  await leave(page);
});

test("where other moves mate, too, the rest is played", async () => {
  const [three] = FILE.puzzles;
  const file = { ...FILE, puzzles: [{ ...three, only: 1 }] };
  const page = await visit("whale/three", { prepare: [served(`new Response(${JSON.stringify(JSON.stringify(file))})`)] });
  await reads(page, "#puzzle .task", /^Black mates: 1 move to find\.$/);
  await vanishes(page, "#moves .branches");
  await enter(page, three.moves[0]);
  await reads(page, "#puzzle .said", /^The rest is played\. Your rating: \+\d+$/);
  await reads(page, "#puzzle h2", /^Solved$/);
  for (const move of three.moves.slice(1)) await played(page, move);
  await until(page, () => window.kujira.puzzles.now().phase === "solved");
  assert.equal((await progress(page)).done.three, true);
  assert.deepEqual(page.problems, []);
  await leave(page);
});

test("any last move that mates will do", async () => {
  const page = await visit("whale/one");
  await turn(page);
  await enter(page, "K*6b");
  await reads(page, "#puzzle h2", /^Solved$/);
  assert.deepEqual(page.problems, []);
  await leave(page);
});

test("a wrong move is told and refuted, taken back, and counted once", async () => {
  const page = await visit("whale/good");
  await reads(page, "#puzzle .task", /^Find the one good move for Black\.$/);
  const lost = rated(1200, 1250, false);
  for (const usi of ["5f5e", "5f6e"]) {
    await enter(page, usi);
    await played(page, usi);
    // The engine answers it: that is drawn while the move stands, and said after it is taken back.
    await reads(page, "#puzzle .said.wrong", /^Not this one: White answers .+ to \w\w.*\.$/);
    assert.ok((await count(page, ".arrows .threat")) > 0);
    await turn(page);
    assert.match(await text(page, "#puzzle .said.wrong"), /White answers/);
    assert.equal(await nodes(page), 1, "it is taken back");
    assert.deepEqual(await progress(page), { rating: lost, streak: 0, best: 0, done: { good: false } });
  }
  await enter(page, "3e3c");
  await reads(page, "#puzzle h2", /^Solved, with help$/);
  assert.deepEqual(await progress(page), { rating: lost, streak: 0, best: 0, done: { good: false } });
  assert.deepEqual(page.problems, []);
  await leave(page);
});

test("hints come in steps: the piece, the square, the move", async () => {
  const page = await visit("whale/good");
  await turn(page);
  await press(page, "#puzzle-hint");
  await reads(page, "#puzzle .said", /^Hint: the narwhal on 3e\.$/);
  await appears(page, '#board [data-square="3e"].selected');
  assert.equal(await count(page, ".arrows .hint"), 0);
  await page.keyboard.press("h");
  await reads(page, "#puzzle .said", /^Hint: narwhal 3e to 3c\.$/);
  await exists(page, ".arrows .head.hint");
  assert.equal(await nodes(page), 1);
  await press(page, "#puzzle-hint");
  await played(page, "3e3c");
  await reads(page, "#puzzle h2", /^Solved, with help$/);
  // A piece in hand is named, not its square.
  await another(page, () => page.evaluate(() => window.kujira.puzzles.open("whale", "one")));
  await press(page, "#puzzle-hint");
  await reads(page, "#puzzle .said", /^Hint: drop the killer whale\.$/);
  await exists(page, ".side.turn .held.chosen");
  // The engine, which would tell the solution, is not asked.
  await page.keyboard.press("a");
  await press(page, "#puzzle-hint");
  assert.equal(await page.evaluate(() => window.kujira.store.state().analysis), null);
  assert.equal((await progress(page)).streak, 0);
  assert.deepEqual(page.problems, []);
  await leave(page);
});

test("the solution plays by itself, and again; then the engine may look at it", async () => {
  const page = await visit("whale/three");
  const { moves } = FILE.puzzles[0];
  await turn(page);
  await press(page, "#puzzle-solution");
  await exists(page, ".arrows .hint");
  for (const usi of moves) {
    assert.equal(await page.evaluate(() => window.kujira.store.state().movable), false);
    await played(page, usi);
  }
  await reads(page, "#puzzle h2", /^That was the solution$/);
  await press(page, "#puzzle-watch");
  await until(page, () => window.kujira.store.state().current === 0);
  for (const usi of moves) await played(page, usi);
  await press(page, "#puzzle-look");
  await until(page, () => window.kujira.store.state().current === 0 && window.kujira.store.state().analysis === 3);
  await appears(page, "#analysis");
  await turn(page);
  assert.ok(!(await page.$("#do-resume")), "it is no game to go on with");
  assert.deepEqual(await progress(page), {
    rating: rated(1200, 1500, false),
    streak: 0,
    best: 0,
    done: { three: false },
  });
  assert.deepEqual(page.problems, []);
  await leave(page);
});

test("White's puzzle has White at the bottom", async () => {
  const page = await visit("whale/white");
  await reads(page, "#puzzle .task", /^White mates: 1 move to find\.$/);
  await turn(page);
  const [own, other] = [await box(page, '[data-square="2d"]'), await box(page, '[data-square="1f"]')];
  assert.ok(own.y > other.y, "White's whale stands below");
  await solve(page);
  assert.deepEqual(page.problems, []);
  await leave(page);
});

test("a streak grows, is kept, ends with a mistake; what is solved comes last", async () => {
  const page = await visit();
  await press(page, '.welcome-card[data-game="whale"] button', { text: "Puzzles" });
  await turn(page);
  const shown = async () => (await now(page)).puzzle.id;
  assert.equal(await shown(), "one", "the easiest mate in one move comes first");
  assert.equal(await page.evaluate(() => location.hash), "#puzzle=whale/one");
  await solve(page);
  await another(page);
  assert.equal(await shown(), "good", "it is about as hard as one is strong");
  await solve(page);
  await reads(page, "#puzzle .progress", /streak 2, best 2 · 2 solved/);
  await reload(page);
  await turn(page);
  assert.equal(await shown(), "good", "the address names it");
  const { rating } = await progress(page);
  await reads(page, "#puzzle .progress", new RegExp(`^You: ${rating} · streak 2, best 2 · 2 solved`));
  // Once more, it counts no more.
  await solve(page);
  assert.equal((await progress(page)).streak, 2);
  await another(page);
  assert.equal(await shown(), "white", "it comes nearest");
  await press(page, "#puzzle-solution");
  await reads(page, "#puzzle .progress", /streak 0, best 2/);
  await another(page);
  assert.equal(await shown(), "three");
  await solve(page);
  await another(page);
  assert.equal(await shown(), "white", "what was not solved comes again first");
  assert.deepEqual(page.problems, []);
  await leave(page);
});

test("who knows puzzles begins with that of the day", async () => {
  const prepare = [OURS, `localStorage.setItem("kujira-puzzles-whale", '{"done":{"other":true}}')`];
  const page = await visit("", { prepare });
  await press(page, '.welcome-card[data-game="whale"] button', { text: "Puzzles" });
  await turn(page);
  assert.equal((await now(page)).puzzle.id, ofTheDay(FILE.puzzles, "whale", today()).id);
  await reads(page, "#puzzle h2", /^The puzzle of the day$/);
  assert.deepEqual(page.problems, []);
  await leave(page);
});

test("puzzles are chosen by kind, length, theme and strength, and the choice is kept", async () => {
  const page = await visit("whale/one");
  await turn(page);
  await press(page, "#puzzle-choose");
  await reads(page, "dialog .puzzle-choice ~ .note", /^4 of 4 puzzles fit; 0 of them are solved\.$/);
  await page.select("dialog [name=toFind]", "1");
  await reads(page, "dialog .puzzle-choice ~ .note", /^3 of 4/);
  await page.select("dialog [name=kind]", "mate");
  await page.select("dialog [name=theme]", "edge");
  await reads(page, "dialog .puzzle-choice ~ .note", /^1 of 4/);
  await page.select("dialog [name=strength]", "harder");
  await reads(page, "dialog .puzzle-choice ~ .note", /^0 of 4/);
  assert.ok(await page.$("dialog .primary:disabled"));
  await page.select("dialog [name=strength]", "easier");
  await another(page, () => press(page, "dialog .primary"));
  assert.equal((await now(page)).puzzle.id, "white");
  await reload(page);
  await turn(page);
  await another(page, () => press(page, "#puzzle-next"));
  assert.equal((await now(page)).puzzle.id, "white", "no other fits");
  await press(page, "#puzzle-choose");
  assert.equal(await page.$eval("dialog [name=theme]", ({ value }) => value), "edge");
  assert.ok(!(await page.$("dialog .puzzle-history")), "nothing was tried yet");
  await press(page, "dialog .buttons button", { text: "Cancel" });
  await solve(page);
  await press(page, "#puzzle-choose");
  await press(page, "dialog .puzzle-history summary");
  assert.match(await text(page, "dialog .puzzle-history"), /^History: 1 of 1 solved.*Solved: rated/s);
  await another(page, () => press(page, "dialog .puzzle-history button"));
  assert.equal((await now(page)).puzzle.id, "white");
  assert.deepEqual(page.problems, []);
  await leave(page);
});

test("what is kept and damaged counts as never kept", async () => {
  for (const kept of ["{", "null", "7", '{"rating":"x","streak":-1,"done":5,"wishes":[]}', '{"done":{"one":3}}']) {
    const page = await visit("whale/one", {
      prepare: [OURS, `localStorage.setItem("kujira-puzzles-whale", ${JSON.stringify(kept)})`],
    });
    await turn(page);
    assert.deepEqual(await progress(page), { rating: 1200, streak: 0, best: 0, done: {} }, kept);
    await solve(page);
    assert.equal((await progress(page)).streak, 1);
    assert.deepEqual(page.problems, []);
    await leave(page);
  }
});

test("leaving a puzzle leaves nothing: the page's name, Back, another game", async () => {
  const page = await visit();
  await press(page, '.welcome-card[data-game="whale"] button', { text: "Puzzles" });
  await turn(page);
  const { id } = await now(page);
  await page.evaluate(() => history.back());
  await appears(page, ".welcome-card");
  await vanishes(page, "#board");
  await page.evaluate(() => history.forward());
  await appears(page, "#puzzle");
  await turn(page);
  await begin(page, {});
  await vanishes(page, "#puzzle");
  await appears(page, "#analysis");
  await click(page, "2e", "2d");
  await played(page, "2e2d");
  const games = await listed(page);
  assert.ok(games.includes(await page.evaluate(() => window.kujira.store.state().id)), "the game is kept");
  assert.ok(!games.includes(id), "the puzzle is not");
  assert.deepEqual(page.problems, []);
  await leave(page);
});

test("a link that leads to no puzzle is told, and the page goes on", async () => {
  for (const link of ["whale/none", "chess/one", "chess"]) {
    const page = await visit(link);
    await appears(page, ".welcome-card");
    assert.match(await said(page), /^No puzzle can be shown: there is (none of the name none|no game chess)$/);
    assert.deepEqual(page.problems, []);
    await leave(page);
  }
});

test("a file that cannot be had, or is none, is told in one message, and the page goes on", async () => {
  for (const [answer, pattern] of [
    ['new Response("{", { status: 200 })', /^No puzzle can be shown: /],
    ['new Response("[]")', /^No puzzle can be shown: expected a file of puzzles, found another$/],
    ['new Response("gone", { status: 404 })', /^No puzzle can be shown: The server answered 404\.$/],
  ]) {
    const page = await visit("", { prepare: [served(answer)] });
    await press(page, '.welcome-card[data-game="great"] button', { text: "Puzzles" });
    await reads(page, "#toast", pattern);
    await press(page, '.welcome-card[data-game="whale"] .primary');
    await until(page, () => window.kujira.store.state()?.variant === "whale");
    await vanishes(page, "#puzzle");
    assert.deepEqual(page.problems, []);
    await leave(page);
  }
});

test("a puzzle that its server has forgotten begins anew", withBoard, async (t) => {
  let server = await startServer();
  t.after(() => server.stop());
  const page = await openPage(at.browser, server, { prepare: [OURS] }, "#puzzle=whale/three");
  const [first, answer] = FILE.puzzles[0].moves;
  await enter(page, first);
  await played(page, answer);
  const { id } = await now(page);
  await server.kill();
  server = await startServer({ state: server.folder, port: server.port });
  await until(page, (id) => ![undefined, id].includes(window.kujira.puzzles.now()?.id), id);
  await turn(page);
  assert.deepEqual([(await now(page)).puzzle.id, await nodes(page)], ["three", 1]);
  await leave(page);
});

test("puzzles that were fetched once are there without a network", withStatic, async (t) => {
  const place = await serveFiles();
  t.after(() => place.stop());
  const page = await openPage(at.browser, place, {}, "#puzzle=whale");
  await turn(page);
  await kept(page);
  await until(page, async () => Boolean(await caches.match(new URL("puzzles/whale.json", document.baseURI).href)));
  const fetched = place.served.filter(({ name }) => name.endsWith(".json")).map(({ name }) => name);
  assert.deepEqual([...new Set(fetched)], ["puzzles/whale.json"], "no other game's");
  await place.down();
  await reload(page);
  await solve(page);
  await leave(page);
});

for (const game of GAMES) {
  test(`${game}: the first puzzle of its file is solved by clicks`, async () => {
    const page = await visit("", { prepare: [] });
    await press(page, `.welcome-card[data-game="${game}"] button`, { text: "Puzzles" });
    await turn(page);
    assert.equal(await page.evaluate(() => window.kujira.store.state().variant), game);
    await solve(page);
    assert.ok(!(await listed(page)).includes((await now(page)).id));
    assert.deepEqual(page.problems, []);
    await leave(page);
  });

  test(`${game}: the file of puzzles holds what the page reads, in at most 100 KB`, async () => {
    const file = await readFile(new URL(`../src/puzzles/${game}.json`, import.meta.url));
    const { length } = gzipSync(file, { level: 9 });
    assert.ok(length <= 100 * 1024, `${length} bytes`);
    const found = JSON.parse(file.toString());
    assert.deepEqual(read(found, game), found.puzzles);
  });
}

const SCREENS = [
  [1440, 900],
  [1280, 720],
  [390, 844],
  [844, 390],
];

for (const dark of [false, true]) {
  test(`a puzzle fits its screen, ${dark ? "dark" : "light"}`, async (t) => {
    const browser = dark ? await launch({ dark }) : at.browser;
    if (dark) t.after(() => browser.close());
    for (const [width, height] of SCREENS) {
      for (const game of dark ? ["great"] : GAMES) {
        const touch = width < 1000;
        // Not that of the day: it may have dozens of moves, and its solution is played below.
        const { puzzles } = JSON.parse(await readFile(new URL(`../src/puzzles/${game}.json`, import.meta.url), "utf8"));
        const short = puzzles.find(({ moves }) => moves.length === 3);
        const hash = `#puzzle=${game}/${short.id}`;
        const page = await openPage(browser, at.place, { welcome: true, width, height, touch }, hash);
        await turn(page);
        const where = `${game}, ${width}×${height}`;
        const fits = async (what) => {
          const [wide, tall] = await page.evaluate(() => {
            const { scrollWidth, scrollHeight } = document.documentElement;
            return [scrollWidth - innerWidth, scrollHeight - innerHeight];
          });
          assert.ok(wide <= 0 && (touch || tall <= 0), `${where}, ${what}: sticks out by ${wide}×${tall}px`);
          const { covered, cut } = await page.evaluate(cards);
          assert.deepEqual([covered, cut], [[], []], `${where}, ${what}`);
          const board = await box(page, "#board");
          assert.ok(board.y + board.height <= height, `${where}, ${what}: the whole board is in sight`);
          const folder = process.env.PUZZLE_PICTURES;
          const name = `${game}-${width}-${dark ? "dark" : "light"}-${what}.png`;
          if (folder) await page.screenshot({ path: `${folder}/${name}` });
        };
        await fits("begins");
        await press(page, "#puzzle-hint", { touch });
        await press(page, "#puzzle-hint", { touch });
        await fits("hint");
        await press(page, "#puzzle-solution", { touch });
        await reads(page, "#puzzle h2", /^That was the solution$/);
        await fits("solved");
        await leave(page);
      }
    }
  });
}

/** Runs in the page: which cards lie over each other, and what does not find room in its own. */
function cards() {
  const seen = [...document.querySelectorAll("#table .card, #play")].filter((node) => node.getClientRects().length);
  const name = (node) => node.id || node.className;
  const covered = [];
  for (const [index, one] of seen.entries()) {
    for (const other of seen.slice(index + 1)) {
      const [a, b] = [one.getBoundingClientRect(), other.getBoundingClientRect()];
      const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      if (wide > 0.5 && high > 0.5) covered.push(`${name(one)} and ${name(other)}`);
    }
  }
  const cut = [...document.querySelectorAll("#puzzle, #puzzle *")]
    .filter((node) => node.scrollWidth > node.clientWidth + 1 && node.clientWidth > 0)
    .map(name);
  return { covered, cut };
}

test("the order of a day is everybody's, and another one the next day", () => {
  const puzzles = Array.from({ length: 40 }, (_, index) => ({ id: `p${index}` }));
  const day = (text, list = puzzles) => ordered(list, "whale", text).map(({ id }) => id);
  assert.deepEqual(day("2026-11-26"), day("2026-11-26", [...puzzles].reverse()), "whatever the file's order is");
  assert.notDeepEqual(day("2026-11-26"), day("2026-11-27"));
  assert.notDeepEqual(day("2026-11-26"), ordered(puzzles, "great", "2026-11-26").map(({ id }) => id));
  assert.deepEqual([...day("2026-11-26")].sort(), puzzles.map(({ id }) => id).sort());
  // Each is first on some day, none on most of them.
  const first = new Map();
  for (let number = 0; number < 2000; number++) {
    const [id] = day(`day ${number}`);
    first.set(id, (first.get(id) ?? 0) + 1);
  }
  assert.equal(first.size, puzzles.length);
  assert.ok(Math.max(...first.values()) < 100, `${[...first.values()]}`);
  assert.equal(today(new Date("2026-11-26T23:59:59Z")), "2026-11-26");
});

test("the next puzzle is one never tried, else one not solved, else any, and about as hard as one is strong", () => {
  const [a, b, c] = [1200, 1250, 1500].map((rating, index) => ({ id: "abc"[index], rating, kind: "best", moves: ["x"] }));
  const of = (done, shown, rating = 1200, list = [a, b, c]) =>
    next(list, { rating, done: new Map(Object.entries(done)) }, false, shown);
  assert.equal(of({}), a);
  assert.equal(of({}, a), b);
  assert.equal(of({}, a, 1450), c, "the first that is not too hard, nor too easy");
  assert.equal(of({}, null, 3000), c, "the one that comes nearest");
  assert.equal(of({ a: true, b: true }), c);
  assert.equal(of({ a: false, b: true }), c);
  assert.equal(of({ a: false, b: true, c: true }), a);
  assert.equal(of({ a: false, b: true, c: false }, a), c);
  assert.equal(of({ a: true, b: true, c: true }, a), b);
  assert.equal(of({}, a, 1200, [a]), a, "there is no other");
  assert.equal(of({}, null, 1200, []), null);
  // Whoever passes on sees all of them before one comes again.
  const passed = new Set();
  const way = [a];
  for (let step = 0; step < 4; step++) {
    passed.add(way.at(-1).id);
    const puzzle = next([a, b, c], { rating: 1200, done: new Map() }, false, way.at(-1), passed);
    if (passed.has(puzzle.id)) passed.clear();
    way.push(puzzle);
  }
  assert.deepEqual(way, [a, b, c, a, b]);
  // The very first is the easiest mate in one, whatever comes first today.
  const mate = (id, rating, moves) => ({ id, rating, kind: "mate", moves });
  const [hard, easy, long] = [mate("d", 1190, ["x"]), mate("e", 700, ["x"]), mate("f", 600, ["x", "y", "z"])];
  assert.equal(of({}, null, 1200, [a, hard, long, easy]), easy);
  assert.equal(of({ e: true }, null, 1200, [a, hard, long, easy]), a);
});

test("what is to be found is told in moves of one's own", () => {
  const puzzle = (moves, only = moves) => ({ kind: "mate", moves: Array(moves).fill("x"), only });
  const found = (...words) => [false, true].map((capture) => movesToFind(puzzle(...words), capture));
  assert.deepEqual(found(1), [1, 1]);
  assert.deepEqual(found(3), [2, 1], "a capture of the whale is no move to find");
  assert.deepEqual(found(5), [3, 2]);
  assert.deepEqual(found(5, 3), [2, 2], "what several moves would do is not asked for");
  assert.equal(movesToFind({ kind: "best", moves: ["x"] }, true), 1);
});

test("the puzzle of the day is everybody's, and harder from Monday to Sunday", () => {
  const puzzles = Array.from({ length: 70 }, (_, index) => ({ id: `p${index}`, rating: 3000 - index }));
  const days = Array.from({ length: 7 }, (_, index) => `2026-11-${23 + index}`);
  const ratings = days.map((day) => ofTheDay(puzzles, "whale", day).rating);
  assert.deepEqual(ratings, [...ratings].sort(), "23 November 2026 is a Monday");
  assert.deepEqual(ratings.map((rating) => Math.floor((rating - 2931) / 10)), [0, 1, 2, 3, 4, 5, 6]);
  assert.equal(ofTheDay([...puzzles].reverse(), "whale", days[0]).rating, ratings[0]);
  assert.notEqual(ofTheDay(puzzles, "whale", "2026-11-30"), ofTheDay(puzzles, "whale", days[0]), "another next week");
  for (const day of days) assert.equal(ofTheDay(puzzles.slice(0, 1), "whale", day), puzzles[0], "of a single one");
});

test("puzzles are told apart by what somebody wants", () => {
  const done = new Map([["one", false], ["white", true]]);
  const ids = (wishes, rating = 1200) => wanted(FILE.puzzles, wishes, { rating, done }, false).map(({ id }) => id);
  assert.deepEqual(ids({}), ["three", "one", "white", "good"]);
  assert.deepEqual(ids({ kind: "best" }), ["good"]);
  assert.deepEqual(ids({ again: "failed" }), ["one"]);
  assert.deepEqual(ids({ toFind: "2" }), ["three"]);
  assert.deepEqual(ids({ theme: "drop", toFind: "1" }), ["one", "white"]);
  assert.deepEqual(ids({ strength: "harder" }), ["three"]);
  assert.deepEqual(ids({ strength: "easier" }), ["one", "white"]);
  assert.deepEqual(ids({ strength: "even" }), ["good"]);
  assert.deepEqual(ids({ strength: "even" }, 1000), ["one", "white"]);
  assert.deepEqual(ids({ strength: "unknown" }).length, 4);
});

test("ratings move as Elo's do, by 32 at most", () => {
  assert.deepEqual([rated(1200, 1200, true), rated(1200, 1200, false)], [1216, 1184]);
  assert.deepEqual([rated(1200, 1600, true), rated(1200, 1600, false)], [1229, 1197]);
  assert.deepEqual([rated(1600, 1200, true), rated(1600, 1200, false)], [1603, 1571]);
});

test("what is no puzzle is left out, and a file without one is none", () => {
  const { puzzles } = FILE;
  const broken = [
    { ...puzzles[0], moves: ["a", "b"] },
    { ...puzzles[0], only: 2 },
    { ...puzzles[0], only: 3 },
    { ...puzzles[0], kind: "other" },
    { ...puzzles[0], themes: "drop" },
    { ...puzzles[0], rating: "1500" },
    { ...puzzles[0], sfen: undefined },
    null,
    7,
  ];
  assert.deepEqual(read({ game: "whale", puzzles: [...broken, puzzles[1]] }, "whale"), [puzzles[1]]);
  for (const found of [null, [], {}, { game: "whale" }, { game: "great", puzzles }, { game: "whale", puzzles: broken }])
    assert.throws(() => read(found, "whale"), /expected a file of puzzles, found another/);
});
