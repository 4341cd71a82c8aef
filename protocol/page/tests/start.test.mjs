// How the page begins: what is there before its scripts are, what it says while it loads and where it cannot.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import {
  BROWSER,
  DRIVER,
  appears,
  click,
  eventually,
  kept,
  launch,
  leave,
  moves,
  openPage,
  patient,
  playOn,
  press,
  reads,
  serveFiles,
  startPlace,
  until,
  vanishes,
  withBoard,
  withStatic,
} from "./harness.mjs";

/** The files of the page, as the driver chosen has them. */
const ROOT = DRIVER === "static" ? process.env.KUJIRA_DIST : fileURLToPath(new URL("../src/", import.meta.url));
const ENGINE = "engine/kujira_web_engine_bg.wasm";
const TABLES = "board/kujira_web_board_bg.wasm";

let browser;
before(async () => (browser = await launch()));
after(() => browser?.close());

/** A page of the test's own, at an address or that of a place, without waiting for anything in it. */
async function visit(t, address, ...prepare) {
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  t.after(() => context.close());
  for (const act of prepare) await page.evaluateOnNewDocument(act);
  // Some of it may never come.
  page.goto(address).catch(() => {});
  return page;
}

/** A place of the test's own that serves the files of the page. */
async function place(t, options = {}) {
  const place = await serveFiles({ root: ROOT, ...options });
  t.after(() => place.stop());
  return place;
}

/** A promise, and the function that keeps it. */
function gate() {
  let open;
  const opened = new Promise((resolve) => (open = resolve));
  return { opened, open };
}

/** Waits until the line at the bottom can be seen and matches, its words that come late among them. */
const says = (page, pattern) =>
  until(
    page,
    (source) => {
      for (const animation of document.getAnimations()) animation.finish();
      const line = document.querySelector("#loading");
      return line.getClientRects().length > 0 && new RegExp(source).test(line.innerText.replace(/\s+/g, " "));
    },
    pattern.source,
  );

/** Runs in the page: the buttons that can be seen and do not say that they wait. */
const ready = (buttons) =>
  buttons
    .filter((node) => node.getClientRects().length > 0)
    .filter((node) => !node.disabled || getComputedStyle(node, "::after").content !== '"…"')
    .map(({ textContent }) => textContent);

/** Runs in the page: what waits for 10 seconds or more waits for `pass`, which says how many milliseconds went by. */
function hold() {
  const { setTimeout, clearTimeout } = globalThis;
  const held = new Map();
  let last = 1e9;
  globalThis.setTimeout = (act, wait, ...values) => {
    if (wait < 10000) return setTimeout(act, wait, ...values);
    held.set(++last, { act, wait });
    return last;
  };
  globalThis.clearTimeout = (timer) => held.delete(timer) || clearTimeout(timer);
  window.pass = (time) => {
    for (const [timer, { act, wait }] of held) if (wait <= time && held.delete(timer)) act();
  };
}

// Where it cannot start

test("where a file of the page is missing, a sentence in the page itself says what to do", async (t) => {
  const missing = DRIVER === "static" ? "app.js" : "view/graph.js";
  const page = await visit(t, (await place(t, { instead: { [missing]: null } })).address);
  await says(page, /needs.*all of its files.*Load it again/);
  assert.deepEqual(await page.$$eval("button", ready), [], "no button seems to do anything");
});

test("opened as a file, it says so", async (t) => {
  const page = await visit(t, pathToFileURL(join(ROOT, "index.html")).href);
  await says(page, /from a web server, not opened as a file/);
});

test("without JavaScript it says so", { skip: BROWSER !== "chromium" && "where a test can look in" }, async (t) => {
  const context = await browser.createBrowserContext();
  t.after(() => context.close());
  const page = await context.newPage();
  await page.setJavaScriptEnabled(false);
  await page.goto((await place(t)).address);
  const sentence = await page.$eval("noscript", (node) => /** @type {any} */ (node).innerText);
  assert.match(sentence, /needs JavaScript, which is off here: allow it/);
  assert.ok(await page.$eval("#loading", (node) => node.getClientRects().length === 0), "nothing else is said");
});

/** Runs in the page: there is no WebAssembly. */
const without = () => void delete globalThis.WebAssembly;

test("a server's page needs no WebAssembly", withBoard, async (t) => {
  const server = await startPlace();
  t.after(() => server.stop());
  const page = await openPage(browser, server, { prepare: [without] });
  await playOn(page, 1);
  assert.deepEqual(page.problems, []);
  await leave(page);
});

test("without WebAssembly the page says what is missing", withStatic, async (t) => {
  const page = await visit(t, (await place(t)).address, without);
  await says(page, /this browser has no WebAssembly.*Allow it.*Try again/);
});

test("where WebAssembly is refused the page says so", withStatic, async (t) => {
  const index = await readFile(join(ROOT, "index.html"), "utf8");
  assert.match(index, / 'wasm-unsafe-eval'/);
  const instead = { "index.html": index.replace(" 'wasm-unsafe-eval'", "") };
  const page = await visit(t, (await place(t, { instead })).address);
  await says(page, /this browser refuses WebAssembly.*Allow it.*Try again/);
});

test("another file in place of the tables is told as one, and comes right", withStatic, async (t) => {
  const files = await place(t, { instead: { [TABLES]: "<!doctype html><p>Sign in first." } });
  const page = await visit(t, files.address);
  await says(page, /could not start: the server sent another file.*Try again/);
  delete files.instead[TABLES];
  await press(page, "#loading button");
  await appears(page, ".welcome-card button:enabled");
});

for (const [what, name, body] of [
  ["missing", "engine/search-worker.js", null],
  ["missing", ENGINE, null],
  ["missing", "engine/whale.net", null],
  ["another", ENGINE, "<!doctype html><p>Sign in first."],
  ["another", "engine/whale.net", "<!doctype html><p>Sign in first."],
]) {
  test(`${what} file for ${name}: a word that names the engine, and it comes right`, withStatic, async (t) => {
    const files = await place(t, { instead: { [name]: body } });
    const page = await visit(t, files.address);
    await appears(page, ".welcome-card button:enabled");
    await press(page, '.welcome-card[data-game="whale"] .primary');
    await click(page, "2e", "2d");
    // Two engines need it, and either may fail first: the second is the coach's, which who has never played is given.
    for (const role of ["player", "analyst"])
      await reads(page, `#trouble-${role}`, /expected an engine, could not load it: .+Try again/);
    delete files.instead[name];
    await press(page, "#trouble-analyst button");
    await eventually(async () => assert.equal((await moves(page)).length, 2));
    await until(page, () => window.kujira.store.state().analyst.state === "ready");
    await vanishes(page, "#trouble .trouble");
  });
}

// While it loads

test("the welcome is there before any script, and its buttons say that they wait", async (t) => {
  const { opened, open } = gate();
  const { address } = await place(t, { late: { "app.js": opened } });
  const page = await visit(t, address);
  for (const game of ["whale", "paulowich", "great"]) await appears(page, `.welcome-card[data-game="${game}"] .small-board`);
  assert.deepEqual(await page.$$eval("button", ready), []);
  open();
});

test("the cards of the welcome are what the driver tells of the games", withBoard, async (t) => {
  const server = await startPlace();
  t.after(() => server.stop());
  const page = await openPage(browser, server, { welcome: true });
  const [found, wanted] = await page.evaluate(async () => {
    const { family } = await import(new URL("view/tiles.js", document.baseURI).href);
    const { games } = window.kujira.store.spec;
    const wanted = games.map(({ id, name, files, ranks, kinds, squares, setup }) => {
      const kind = (token) => kinds.find((kind) => kind.token === token.toUpperCase());
      const tiles = setup.squares.map(([square, token]) => {
        const index = squares.findIndex(([name]) => name === square);
        const side = token === token.toUpperCase() ? "b" : "w";
        return `${index % files},${Math.floor(index / files)} f-${family(kind(token))} c-${side}`;
      });
      const begun = new Set(setup.squares.map(([, token]) => token.toUpperCase())).size;
      // A move takes a person ten seconds, and there are 2.6 for each piece.
      const minutes = Math.max(1, Math.round((setup.squares.length * 26) / 300)) * 5;
      return {
        id,
        name,
        board: `0 0 ${files} ${ranks}`,
        tiles: tiles.sort(),
        facts: [
          `${files}×${ranks} squares`,
          `${setup.squares.length / 2} pieces a side, of ${begun} kinds`,
          ...(kinds.some(({ promoted }) => promoted) ? ["most of them promote"] : []),
          `about ${minutes} minutes`,
        ],
      };
    });
    const texts = (node, selector) => [...node.querySelectorAll(selector)].map(({ textContent }) => textContent);
    const found = [...document.querySelectorAll("[data-game]")].map((card) => {
      const tiles = [...card.querySelectorAll(".small-board .tile")].map((tile) => {
        const [x, y] = ["x", "y"].map((name) => Math.floor(Number(tile.getAttribute(name))));
        return `${x},${y} ${[...tile.classList].filter((name) => /^[fc]-/.test(name)).join(" ")}`;
      });
      return {
        id: /** @type {HTMLElement} */ (card).dataset.game,
        name: texts(card, "h3")[0],
        board: card.querySelector("svg").getAttribute("viewBox"),
        tiles: tiles.sort(),
        facts: texts(card, "li"),
      };
    });
    return [found, wanted];
  });
  assert.deepEqual(found, wanted);
  await leave(page);
});

test("whoever asks for a game is not shown the welcome", async (t) => {
  const { opened, open } = gate();
  const { address } = await place(t, { late: { "app.js": opened } });
  const page = await visit(t, `${address}#game=${"0".repeat(24)}`);
  await appears(page, "#loading");
  await vanishes(page, ".welcome-card");
  open();
});

test("what is loaded is told in bytes, and what never comes is given up", withStatic, async (t) => {
  const [tables, engine] = [gate(), gate()];
  const late = { [TABLES]: tables.opened, [ENGINE]: engine.opened, "engine/search-worker.js": engine.opened };
  const { address, served } = await place(t, { late });
  const page = await visit(t, address, patient, hold);
  const pass = (time) => page.evaluate((time) => window.pass(time), time);
  await says(page, /^Loading the game… 0\.00 of \d\.\d\d MB/);
  await appears(page, ".welcome-card");
  tables.open();
  await appears(page, ".welcome-card button:enabled");
  await press(page, '.welcome-card[data-game="whale"] .primary');
  await says(page, /^Loading the engine… \d\.\d\d of \d\.\d\d MB/);
  await click(page, "2e", "2d");
  // The network has come, the engine has not.
  await until(page, () => window.kujira.store.state().player.state === "starting");
  await eventually(() => assert.ok(served.some(({ name }) => name === "engine/whale.net")));
  await pass(10000);
  await says(page, /^Loading the engine: nothing has come for 10 seconds/);
  assert.ok(!served.some(({ name }) => name === "service-worker.js"), "what can wait does");
  await pass(60000);
  await reads(page, "#trouble-player", /nothing came for 60 s.*Try again/);
  await vanishes(page, "#loading");
  engine.open();
  await press(page, "#trouble-player button");
  await eventually(async () => assert.equal((await moves(page)).length, 2));
  // As long as what can wait does.
  await pass(60000);
  await kept(page);
});

test("tables that never come are given up", withStatic, async (t) => {
  const { opened, open } = gate();
  const page = await visit(t, (await place(t, { late: { [TABLES]: opened } })).address, hold);
  await says(page, /^Loading the game… /);
  await page.evaluate(() => window.pass(10000));
  await says(page, /nothing has come for 10 seconds/);
  await page.evaluate(() => window.pass(60000));
  await says(page, /The page could not start:.*nothing came for 60 s.*Try again/);
  open();
  await press(page, "#loading button");
  await appears(page, ".welcome-card button:enabled");
});
