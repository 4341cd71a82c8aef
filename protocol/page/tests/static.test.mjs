// The page without a server of its own: engines in workers, games in the browser, a service worker that keeps the page
// for when there is no network and isolates it.

import assert from "node:assert/strict";
import { mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { brotliCompressSync } from "node:zlib";
import {
  BROWSER,
  again,
  appears,
  begin,
  click,
  eventually,
  exists,
  launch,
  kept,
  leave,
  listen,
  moves,
  openPage,
  patient,
  playOn,
  played,
  press,
  reads,
  reload,
  said,
  serveFiles,
  text,
  until,
  withStatic,
  workerOf,
} from "./harness.mjs";

const GAMES = ["whale", "paulowich", "great"];
const ROOT = process.env.KUJIRA_DIST;

const shown = (page) => page.evaluate(() => window.kujira.store.state().id);

/** The script of the worker that searches, with something done first to whatever it says. */
const worker = async (act) =>
  `const post = self.postMessage.bind(self);
  self.postMessage = (message) => {
    if (message.type === "line") (${act})(message.line);
    post(message);
  };
  ${await readFile(join(ROOT, WORKER), "utf8")}`;
const WORKER = "engine/search-worker.js";

let browser;

/** A place of the test's own, so that it can be stopped or changed, and a page there; `more` its service worker does. */
async function visit(t, { prepare, instead = {}, more = "", ...options } = {}) {
  const worker = (await workerOf(instead, "tested")) + more;
  const place = await serveFiles({ instead: { "service-worker.js": worker, ...instead }, ...options });
  const page = await openPage(browser, place, { prepare });
  const context = page.browserContext();
  t.after(async () => {
    await context.close();
    await place.stop();
  });
  return { place, page, context };
}

/** Puts the next version in a place, which is known by its title. */
async function publish(place) {
  const index = await readFile(join(ROOT, "index.html"), "utf8");
  const next = { "index.html": index.replace(/<title>.*<\/title>/, "<title>The next version</title>") };
  assert.notEqual(next["index.html"], index);
  place.instead = { ...next, "service-worker.js": await workerOf(next, "next") };
}

/** Waits until the caches are those of the next version, and returns their names. */
const onlyNext = (page) =>
  until(page, async () => {
    const names = await caches.keys();
    return names.length === 1 && names[0].endsWith("-next") && names;
  });

/** What must hold at the end of every visit. */
function clean(place, ...pages) {
  assert.deepEqual(
    pages.flatMap(({ problems }) => problems),
    [],
  );
  assert.deepEqual(place.outside, [], "nothing outside its folder is asked for");
  assert.deepEqual(
    place.served.filter(({ status }) => status === 404),
    [],
    "nothing is missing",
  );
}

/** Runs in the page, or a worker: lets its module's memory be weighed. */
function note() {
  const { instantiate } = WebAssembly;
  WebAssembly.instantiate = async (...values) => {
    const made = await instantiate(...values);
    globalThis.moduleBytes = () => (made.instance ?? made).exports.memory.buffer.byteLength;
    return made;
  };
}

/** Runs in the page: notes what engines tell of their memories, in bytes. */
function weigh() {
  window.engines = new Map();
  new BroadcastChannel("memory").onmessage = ({ data: [engine, bytes] }) => window.engines.set(engine, bytes);
}

/** Analyses and stops that, three times; prints how long stopping took. */
async function stops(page) {
  await begin(page, { variant: "great" });
  const times = [];
  for (let turn = 0; turn < 3; turn++) {
    await press(page, ".switch");
    await until(page, () => document.querySelectorAll(".lines li").length === 3);
    times.push(
      await page.evaluate(
        () =>
          new Promise((resolve) => {
            const { store } = window.kujira;
            const start = performance.now();
            store.on("state", ({ state }) => state.analyst.state === "ready" && resolve(performance.now() - start));
            store.send({ type: "analysis", on: false, lines: 3 });
          }),
      ),
    );
  }
  console.log(`  an analysis stops in ${times.map((time) => time.toFixed(1)).join(", ")} ms`);
}

describe("without a server", withStatic, () => {
  before(async () => (browser = await launch()));
  after(() => browser?.close());

  test("the first visit: each game is played against the engine", async (t) => {
    const { place, page } = await visit(t);
    for (const variant of GAMES) {
      await begin(page, { variant, players: ["human", 3] });
      await playOn(page, 3);
      assert.equal((await moves(page)).length, 6);
    }
    await stops(page);
    clean(place, page);
  });

  test("the second visit: the page is isolated, each game is played, an analysis stops", async (t) => {
    const { place, page } = await visit(t);
    await again(page);
    assert.equal(await page.evaluate(() => crossOriginIsolated), true);
    for (const variant of GAMES) {
      await begin(page, { variant, players: [3, "human"] });
      await playOn(page, 2);
      assert.equal((await moves(page)).length, 5);
    }
    await stops(page);
    clean(place, page);
  });

  test("without a network the page opens, games are there, and games played before are played", async (t) => {
    const { place, page } = await visit(t);
    await again(page);
    for (const variant of ["whale", "great"]) {
      await begin(page, { variant, players: ["human", 3] });
      await playOn(page, 1);
    }
    const [id, before] = [await shown(page), await moves(page)];
    clean(place, page);
    await place.down();
    await reload(page);
    assert.equal(await shown(page), id);
    assert.deepEqual(await moves(page), before);
    await playOn(page, 1);
    await begin(page, { variant: "whale", players: ["human", 3] });
    await playOn(page, 2);
    assert.equal((await moves(page)).length, 4);
    await press(page, "#open-games");
    await appears(page, `.game-item[data-game="${id}"]`);
    await page.keyboard.press("Escape");
    // The network of this one was never fetched: people play it, the engine says what it lacks.
    await begin(page, { variant: "paulowich", players: ["human", 3] });
    await click(page, "6f", "6e");
    await played(page, "6f6e");
    await reads(page, "#trouble", /needs one visit online/);
    await place.up();
    await press(page, "#trouble button");
    await until(page, () => window.kujira.store.state().nodes.length === 3);
    await place.down();
    await playOn(page, 2);
    assert.equal((await moves(page)).length, 6);
  });

  test("what the first visit has played with is there without a network", async (t) => {
    let release;
    // Long before there is a service worker, as where the network is slow.
    const late = { "service-worker.js": new Promise((resolve) => (release = resolve)) };
    const { place, page } = await visit(t, { late });
    await begin(page, { players: ["human", 3] });
    await playOn(page, 1);
    release();
    await until(page, () => caches.match(new URL("engine/whale.net", document.baseURI)).then(Boolean));
    clean(place, page);
    await place.down();
    await reload(page);
    await playOn(page, 1);
    assert.equal((await moves(page)).length, 4);
  });

  test("a new version is offered, and comes when its button is pressed", async (t) => {
    const { place, page } = await visit(t);
    await again(page);
    await begin(page, { players: ["human", 3] });
    await playOn(page, 1);
    await begin(page, {});
    await click(page, "2e", "2d");
    await played(page, "2e2d");
    const title = await page.title();
    await publish(place);
    // Twice: who does not want it now is not made to.
    for (const usi of ["3b3c", "2d2c"]) {
      await reload(page);
      await appears(page, "#update");
      assert.equal(await page.title(), title);
      await click(page, ...usi.match(/\d[a-f]/g));
      await played(page, usi);
    }
    await press(page, "#update button");
    await until(page, () => document.title === "The next version" && window.kujira?.store.state());
    assert.deepEqual(await moves(page), ["2e2d", "3b3c", "2d2c"]);
    assert.equal(await page.$("#update"), null);
    const [name] = await onlyNext(page);
    const networks = (name) =>
      caches
        .open(name)
        .then((cache) => cache.keys())
        .then((keys) => keys.map(({ url }) => url.split("/").at(-1)).filter((name) => name.endsWith(".net")));
    assert.deepEqual(await page.evaluate(networks, name), ["whale.net"], "what was fetched before is fetched anew");
    clean(place, page);
  });

  test("a new version comes although the old one hangs, but not beside other tabs, nor without a server", async (t) => {
    const { place, page } = await visit(t, { more: "self.onmessage = ({ data }) => { while (data === \"hang\"); };" });
    await again(page);
    await publish(place);
    await begin(page, {});
    await reload(page);
    await appears(page, "#update");
    // Nothing is fetched while the old one hangs: Firefox tells as trouble what is broken off.
    await exists(page, 'link[rel="apple-touch-icon"]');
    await page.evaluate(() => fetch("icon-192.png").then((answer) => answer.blob()));
    await click(page, "2e", "2d");
    await played(page, "2e2d");
    const context = page.browserContext();
    const other = await openPage(browser, place, { context, prepare: [patient], welcome: true });
    await page.bringToFront();
    await page.evaluate(() => navigator.serviceWorker.controller.postMessage("hang"));
    await press(page, "#update button");
    await reads(page, "#update span", /Close the other tabs/);
    await other.close();
    await place.down();
    // A browser counts a tab for a moment longer.
    await eventually(async () => {
      await press(page, "#update button");
      await reads(page, "#update span", /^(?! Loading)/);
      assert.match(await text(page, "#update span"), /server cannot be reached/);
    });
    await place.up();
    await press(page, "#update button");
    await until(page, () => document.title === "The next version" && window.kujira?.store.state());
    assert.deepEqual(await moves(page), ["2e2d"]);
    await kept(page);
    await onlyNext(page);
    clean(place, page);
  });

  test("a game that is open in another tab is told of, and opens when that is closed", async (t) => {
    const { place, page, context } = await visit(t);
    await begin(page, {});
    await click(page, "2e", "2d");
    await played(page, "2e2d");
    const id = await shown(page);
    const other = await openPage(browser, place, { context }, `#game=${id}`);
    assert.match(await said(other), /open in another tab/);
    assert.notEqual(await shown(other), id);
    await page.bringToFront();
    await click(page, "3b", "3c");
    await played(page, "3b3c");
    await page.close();
    await other.bringToFront();
    await other.evaluate((id) => (location.hash = `game=${id}`), id);
    await until(other, (id) => window.kujira.store.state()?.id === id, id);
    assert.deepEqual(await moves(other), ["2e2d", "3b3c"]);
    clean(place, page, other);
  });

  test("the engine in a worker has the signatures and perft counts of every other build", async (t) => {
    const { place, page } = await visit(t);
    const known = { whale: [608442, 3, 398], paulowich: [742043, 3, 584], great: [543881, 2, 1764] };
    for (const [game, [signature, depth, count]] of Object.entries(known)) {
      const said = await page.evaluate(
        (game, depth) =>
          new Promise((resolve) => {
            const engine = new Worker(`npm/engine/kujira.js#${game}`, { type: "module" });
            const said = [];
            engine.onmessage = ({ data }) => {
              said.push(data);
              if (data.startsWith("total")) resolve(said.join("\n")), engine.terminate();
            };
            engine.postMessage("bench");
            engine.postMessage(`perft ${depth}`);
          }),
        game,
        depth,
      );
      assert.match(said, new RegExp(`^bench ${game} .* signature ${signature}$`, "m"));
      assert.match(said, new RegExp(`^total ${count}$`, "m"));
    }
    clean(place, page);
  });

  test("a worker that traps is started anew, says so, and the game goes on", async (t) => {
    const trap = (line) => {
      if (/^info .*\bdepth [2-9]\b/.test(line)) throw new WebAssembly.RuntimeError("unreachable");
    };
    const { place, page } = await visit(t, { instead: { [WORKER]: await worker(trap) } });
    for (const isolated of [false, true]) {
      if (isolated) await again(page);
      await begin(page, { players: ["human", 23] });
      await playOn(page, 2);
      assert.equal((await moves(page)).length, 4);
      assert.match(await text(page, "#trouble"), /failed and was started anew/);
    }
    clean(place, page);
  });

  test("all games go to a file and into another browser, all or none", async (t) => {
    const folder = await mkdtemp(join(tmpdir(), "kujira-games-"));
    t.after(() => rm(folder, { recursive: true }));
    const { place, page } = await visit(t);
    for (const variant of GAMES) {
      await begin(page, { variant });
      const move = await page.evaluate(() => {
        const { from, to } = window.kujira.store.state().position.legal.find(({ from, way }) => from && !way);
        return [from, to];
      });
      await click(page, ...move);
      await until(page, () => window.kujira.store.state().nodes.length === 2);
    }
    const file = join(folder, "games.json");
    await writeFile(file, await page.evaluate(() => window.kujira.store.exportGames()));
    const other = await openPage(browser, place);
    await press(other, "#open-games");
    const take = async (path) => {
      await listen(other);
      await (await other.$("dialog input[type=file]")).uploadFile(path);
      await until(other, () => document.querySelector("#toast").textContent);
      return said(other);
    };
    const broken = join(folder, "broken.json");
    await writeFile(broken, (await readFile(file, "utf8")).replace(/"saved": "/, '"saved": "x'));
    assert.match(await take(broken), /^game 1: /);
    await writeFile(broken, "{}");
    assert.match(await take(broken), /expected a file of saved games/);
    assert.equal(await other.$(".game-item .game-text:not(.now *)"), null);
    assert.equal(await take(file), "3 games taken in");
    await until(other, () => document.querySelectorAll(".game-item:not(.now)").length === 3);
    assert.equal(await take(file), "0 games taken in, 3 were here already");
    clean(place, page, other);
    await leave(other);
  });

  test("two engines leave a tab its memory", { skip: BROWSER !== "chromium" && "Chromium's to measure" }, async (t) => {
    // What some browsers measure leaves out the memories of modules: these tell of them themselves, an engine with
    // each of its lines, for between searches it hears nothing but its mailbox.
    const told = `(${note})();
      const [scales, name] = [new BroadcastChannel("memory"), Math.random()];
      ${await worker(() => scales.postMessage([name, globalThis.moduleBytes()]))}`;
    const instead = { [WORKER]: told };
    for (const [variant, most] of [
      ["whale", 150],
      ["paulowich", 150],
      ["great", 350],
    ]) {
      const { place, page } = await visit(t, { instead, prepare: [weigh, note] });
      await again(page);
      // The one that plays, and the one that analyses.
      await begin(page, { variant, players: ["human", 23] });
      await playOn(page, 2);
      await press(page, ".switch");
      await until(page, () => document.querySelectorAll(".lines li").length === 3 && window.engines.size === 2);
      // A worker that searches is not measured.
      await press(page, ".switch");
      await until(page, () => window.kujira.store.state().analyst.state === "ready");
      const { bytes } = await page.evaluate(() => performance.measureUserAgentSpecificMemory());
      const modules = await page.evaluate(() => [window.moduleBytes(), ...window.engines.values()]);
      const theirs = modules.reduce((sum, bytes) => sum + bytes, 0);
      // Newer ones measure them, too: nothing else here is as large.
      const sum = bytes > theirs ? bytes : bytes + theirs;
      const [all, ...parts] = [sum, bytes, ...modules].map((bytes) => (bytes / 1e6).toFixed(0));
      console.log(`  ${variant}: ${all} MB (${parts.join(" + ")})`);
      assert.ok(sum <= most * 1e6, `${variant}: ${sum} bytes`);
      clean(place, page);
      await leave(page);
    }
  });

  test("a page of somebody else's has the engine in ten lines", async (t) => {
    const documents = await readFile(new URL("../../../docs/web.md", import.meta.url), "utf8");
    const [script] = /<script type="module">[^]*?<\/script>/.exec(documents);
    assert.ok(script.split("\n").length <= 10, script);
    const index = `<!doctype html><title>Elsewhere</title>\n${script}`;
    const names = await readdir(join(ROOT, "npm", "engine"));
    const files = await Promise.all(
      names.map(async (name) => [`whaleshogi/engine/${name}`, await readFile(join(ROOT, "npm", "engine", name))]),
    );
    const place = await serveFiles({ instead: { "index.html": index, ...Object.fromEntries(files) } });
    t.after(() => place.stop());
    const page = await (await browser.createBrowserContext()).newPage();
    // Kept in the page itself: what a browser tells of its console may come late.
    await page.evaluateOnNewDocument(() => {
      const { log } = console;
      window.said = [];
      console.log = (...words) => log(window.said[window.said.push(words.join(" ")) - 1]);
    });
    await page.goto(place.address);
    await until(page, () => /^bestmove \d[a-f]\d[a-f]/.test(window.said.at(-1) ?? ""));
    const said = await page.evaluate(() => window.said);
    assert.ok(said.some((line) => /^info depth 10 .* pv \d/.test(line)), said.join("\n"));
    await leave(page);
  });

  test("until the first answered move little is fetched, and after that the page is kept", async (t) => {
    const { place, page } = await visit(t, { prepare: [patient] });
    await click(page, "2e", "2d");
    await until(page, () => window.kujira.store.state().nodes.length === 3);
    const names = [...new Set(place.served.map(({ name }) => name))];
    const sizes = names.map(async (name) => brotliCompressSync(await readFile(join(ROOT, name))).length);
    const weight = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
    console.log(`  ${names.length} files, ${(weight / 1e6).toFixed(2)} MB`);
    assert.ok(weight <= 0.92e6, `${weight} bytes`);
    assert.ok(!names.includes("service-worker.js"), "what can wait does");
    await page.evaluate(() => dispatchEvent(new Event("quiet")));
    await kept(page);
    clean(place, page);
  });
});
