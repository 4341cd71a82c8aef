// A page of static files that heals: what its browser refuses, loses or mixes up, and what its server sends in place of
// a file.

import assert from "node:assert/strict";
import { mkdtemp, readFile, readdir, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import {
  BROWSER,
  again,
  appears,
  begin,
  click,
  count,
  eventually,
  kept,
  launch,
  listen,
  moves,
  openPage,
  playOn,
  played,
  press,
  reads,
  reload,
  said,
  serveFiles,
  shelf,
  text,
  until,
  withStatic,
  workerOf,
} from "./harness.mjs";

const ROOT = process.env.KUJIRA_DIST;
const WHALE = '.welcome-card[data-game="whale"]';
const HTML = "<!doctype html><title>Sign in</title><p>To use this network, sign in.";

let browser;

/** A place of the test's own, and a page there. */
async function visit(t, { prepare, welcome, browser: other = browser, ...options } = {}) {
  const place = await serveFiles(options);
  const page = await openPage(other, place, { prepare, welcome });
  const context = page.browserContext();
  t.after(async () => {
    await context.close();
    await place.stop();
  });
  return { place, page, context };
}

const shown = (page) => page.evaluate(() => window.kujira.store.state()?.id);
const leaveGame = (page) => page.evaluate(() => window.kujira.store.leave());

/** Has the browser look for a new version; tells what became of it. */
const update = (page) =>
  page.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration();
    const found = new Promise((resolve) => registration.addEventListener("updatefound", resolve, { once: true }));
    await registration.update().catch(() => {});
    const worker = registration.installing ?? registration.waiting ?? (await found.then(() => registration.installing));
    while (worker.state === "installing")
      await new Promise((resolve) => worker.addEventListener("statechange", resolve, { once: true }));
    return worker.state;
  });

/** Runs in a page: the browser has no store of games, or refuses it. */
const REFUSALS = {
  "the store throws": [
    () =>
      Object.defineProperty(window, "indexedDB", {
        get() {
          throw new DOMException("The operation is insecure.", "SecurityError");
        },
      }),
    /lets the page keep no data/,
  ],
  "there is none": [() => Object.defineProperty(window, "indexedDB", { value: undefined }), /has no store/],
  "it cannot be opened": [
    () => {
      IDBFactory.prototype.open = () => {
        const asked = { error: new DOMException("Internal error opening backing store.", "UnknownError") };
        setTimeout(() => asked.onerror());
        return asked;
      };
    },
    /backing store/,
  ],
  "it has no room": [
    () => {
      const { add, put } = IDBObjectStore.prototype;
      // As browsers do: what is written is taken back later.
      const full = (act) =>
        function (...values) {
          const asked = act.apply(this, values);
          const { transaction } = this;
          const why = new DOMException("The quota has been exceeded.", "QuotaExceededError");
          Object.defineProperty(transaction, "error", { value: why });
          transaction.abort();
          return asked;
        };
      Object.assign(IDBObjectStore.prototype, { add: full(add), put: full(put) });
    },
    /no room/,
  ],
};

/** Plays from the welcome where games are not kept, for a reason that is told in one line. */
async function playsUnkept(page, why) {
  await press(page, `${WHALE} .primary`);
  await until(page, () => window.kujira.store.state()?.variant === "whale");
  await playOn(page, 2);
  await reads(page, "#unkept", why);
  assert.deepEqual([await count(page, "#unkept"), await count(page, "#unsaved")], [1, 0]);
  // As long as the page is there the game is.
  const [id, before] = [await shown(page), await moves(page)];
  await leaveGame(page);
  await press(page, ".last-game .primary");
  await until(page, (id) => window.kujira.store.state()?.id === id, id);
  assert.deepEqual(await moves(page), before);
  await playOn(page, 1);
  await press(page, "#open-games");
  await appears(page, `.game-item[data-game="${id}"]`);
  await page.keyboard.press("Escape");
}

describe("a page that heals", withStatic, () => {
  before(async () => (browser = await launch()));
  after(() => browser?.close());

  for (const [name, [refusal, why]] of Object.entries(REFUSALS))
    test(`games are played where they cannot be kept: ${name}`, async (t) => {
      const { page } = await visit(t, { prepare: [refusal], welcome: true });
      await playsUnkept(page, why);
      assert.deepEqual(page.problems, []);
    });

  test("games are played where a browser blocks all data", { skip: BROWSER !== "firefox" && "Firefox's" }, async (t) => {
    const blocking = await launch({ prefs: { "network.cookie.cookieBehavior": 2 } });
    t.after(() => blocking.close());
    const { page } = await visit(t, { browser: blocking, welcome: true });
    await press(page, `${WHALE} .primary`);
    await until(page, () => window.kujira.store.state()?.variant === "whale");
    await playOn(page, 2);
    await reads(page, "#unkept", /lets the page keep no data/);
    // Firefox tells by itself that there is no service worker.
    assert.deepEqual(
      page.problems.filter((text) => !/register.*ServiceWorker/.test(text)),
      [],
    );
  });

  test("games are kept again as soon as they can be", async (t) => {
    const { page, place } = await visit(t, {
      prepare: [
        () => {
          const { open } = IDBFactory.prototype;
          window.allow = () => (IDBFactory.prototype.open = open);
          IDBFactory.prototype.open = () => {
            throw new DOMException("Not now.", "UnknownError");
          };
        },
      ],
      welcome: true,
    });
    await begin(page, {});
    await reads(page, "#unkept", /Not now/);
    await page.evaluate(() => window.allow());
    await click(page, "2e", "2d");
    await played(page, "2e2d");
    await until(page, () => !document.querySelector("#unkept"));
    assert.match(await shelf(page, place).read(await shown(page)), /2e2d/);
  });

  test("a database that the browser has closed is opened anew, and nobody is told", async (t) => {
    const { page } = await visit(t, {
      prepare: [
        () => {
          const { open } = IDBFactory.prototype;
          window.handles = [];
          IDBFactory.prototype.open = function (...values) {
            const asked = open.apply(this, values);
            asked.addEventListener("success", () => window.handles.push(asked.result));
            return asked;
          };
        },
      ],
    });
    await begin(page, {});
    await page.evaluate(() => window.handles.forEach((database) => database.close()));
    await click(page, "2e", "2d");
    await played(page, "2e2d");
    assert.deepEqual([await count(page, "#unkept"), await count(page, "#unsaved"), ...page.problems], [0, 0]);
    await reload(page);
    assert.deepEqual(await moves(page), ["2e2d"]);
  });

  /** Opens the origin of a place without the page, and makes a database there. */
  async function madeBefore(t, version, store) {
    const place = await serveFiles({ instead: { "blank.html": HTML } });
    const context = await browser.createBrowserContext();
    t.after(async () => {
      await context.close();
      await place.stop();
    });
    const other = await context.newPage();
    await other.goto(`${place.address}blank.html`);
    await other.evaluate(
      (version, store) =>
        new Promise((resolve, reject) => {
          const asked = indexedDB.open("kujira", version);
          asked.onupgradeneeded = () => {
            if (store) asked.result.createObjectStore(store.name, { keyPath: "id" });
            if (store?.game) asked.transaction.objectStore(store.name).put({ id: store.game });
          };
          asked.onsuccess = () => (asked.result.close(), resolve(null));
          asked.onerror = () => reject(asked.error);
        }),
      version,
      store,
    );
    await other.close();
    return { place, page: await openPage(browser, place, { context, welcome: true }) };
  }

  for (const [name, version, store] of [
    ["without its store", 1, null],
    ["of a higher version without a game", 7, { name: "games" }],
    ["with another store that is empty", 3, { name: "others" }],
  ])
    test(`a database ${name} is made anew`, async (t) => {
      const { page } = await madeBefore(t, version, store);
      await begin(page, {});
      await click(page, "2e", "2d");
      await played(page, "2e2d");
      assert.deepEqual([await count(page, "#unkept"), await count(page, "#unsaved"), ...page.problems], [0, 0]);
      await reload(page);
      assert.deepEqual(await moves(page), ["2e2d"]);
    });

  test("a database of a higher version with games is left alone, and told of", async (t) => {
    const { page } = await madeBefore(t, 7, { name: "games", game: "later" });
    await playsUnkept(page, /expected version 1 .* found 7/);
    const left = await page.evaluate(
      () =>
        new Promise((resolve) => {
          const asked = indexedDB.open("kujira");
          asked.onsuccess = () => {
            const games = asked.result.transaction("games").objectStore("games").getAllKeys();
            games.onsuccess = () => resolve([asked.result.version, ...games.result]);
          };
        }),
    );
    assert.deepEqual(left, [7, "later"]);
  });

  test("a game that is open in one tab is not deleted by another", async (t) => {
    const { page, place, context } = await visit(t);
    await begin(page, {});
    await click(page, "2e", "2d");
    await played(page, "2e2d");
    const id = await shown(page);
    const other = await openPage(browser, place, { context, welcome: true });
    await leaveGame(other);
    await press(other, "#open-games");
    await press(other, `.game-item[data-game="${id}"] [aria-label='Delete this game']`);
    await press(other, "dialog[aria-label=Delete] .primary");
    await reads(other, "#toast", /open in another tab/);
    await page.bringToFront();
    await click(page, "3b", "3c");
    await played(page, "3b3c");
    assert.match(await shelf(page, place).read(id), /3b3c/);
  });

  test("a game deleted in one tab does not come back from another", async (t) => {
    // As where the page is no secure context.
    const prepare = [() => Object.defineProperty(Navigator.prototype, "locks", { value: undefined })];
    const { page, place, context } = await visit(t, { prepare });
    await begin(page, {});
    await click(page, "2e", "2d");
    await played(page, "2e2d");
    const id = await shown(page);
    const other = await openPage(browser, place, { context, welcome: true, prepare });
    await other.evaluate((id) => window.kujira.store.remove(id), id);
    await page.bringToFront();
    await listen(page);
    await click(page, "3b", "3c");
    await reads(page, "#toast", /deleted in another tab/);
    await until(page, () => window.kujira.store.state() === null);
    assert.equal(await shelf(page, place).read(id), null);
    assert.deepEqual([...page.problems, ...other.problems], []);
  });

  test("what a server sends in place of a file is not kept, and the file is fetched again", async (t) => {
    const { page, place } = await visit(t);
    await again(page);
    const wrong = ["engine/paulowich.net", "puzzles/great.json", "openings/great.json"];
    place.instead = Object.fromEntries(wrong.map((name) => [name, HTML]));
    await begin(page, { variant: "paulowich", players: [3, "human"] });
    await reads(page, "#trouble", /paulowich/);
    await listen(page);
    await page.evaluate(() => window.kujira.puzzles.open("great"));
    await reads(page, "#toast", /No puzzle can be shown/);
    place.instead = {};
    await press(page, "#trouble button");
    await until(page, () => window.kujira.store.state().nodes.length === 2);
    await page.evaluate(() => window.kujira.puzzles.open("great"));
    await until(page, () => window.kujira.store.state()?.variant === "great");
    // And what is right is kept.
    await place.down();
    await begin(page, { variant: "paulowich", players: [3, "human"] });
    await until(page, () => window.kujira.store.state().nodes.length === 2);
  });

  test("a version of which the server sends an old file is not taken in before that is right", async (t) => {
    const { page, place } = await visit(t);
    await again(page);
    const title = await page.title();
    const index = await readFile(join(ROOT, "index.html"), "utf8");
    const next = {
      "index.html": index.replace(/<title>.*<\/title>/, "<title>The next version</title>"),
      "app.js": `${await readFile(join(ROOT, "app.js"), "utf8")}\n// The next version.\n`,
    };
    const worker = await workerOf(next, "next");
    place.instead = { "index.html": next["index.html"], "service-worker.js": worker };
    assert.equal(await update(page), "redundant");
    await reload(page);
    assert.equal(await page.title(), title, "the version before is whole");
    place.instead = { ...next, "service-worker.js": worker };
    await update(page);
    await press(page, "#update button");
    await until(page, () => document.title === "The next version" && window.kujira?.store.state());
  });

  test("what the browser has dropped of the page is fetched again at the next start", async (t) => {
    const { page, place } = await visit(t);
    await again(page);
    /** Runs in the page: the files kept, the network of the game shown left out. */
    const files = async () => {
      const [name] = await caches.keys();
      const kept = name ? await (await caches.open(name)).keys() : [];
      return kept.map(({ url }) => url).filter((url) => !url.endsWith(".net")).length;
    };
    const all = await page.evaluate(files);
    await page.evaluate(async () => Promise.all((await caches.keys()).map((name) => caches.delete(name))));
    await reload(page);
    await until(page, () => navigator.serviceWorker.controller);
    await eventually(async () => assert.equal(await page.evaluate(files), all));
    await place.down();
    await reload(page);
    await click(page, "2e", "2d");
    await played(page, "2e2d");
  });

  test("two copies on one host leave each other's files alone", async (t) => {
    const root = await mkdtemp(join(tmpdir(), "kujira-copies-"));
    t.after(() => rm(root, { recursive: true }));
    for (const name of await readdir(ROOT)) await symlink(join(ROOT, name), join(root, name));
    await symlink(ROOT, join(root, "-x"));
    const place = await serveFiles({ root, folder: "/" });
    const context = await browser.createBrowserContext();
    t.after(async () => {
      await context.close();
      await place.stop();
    });
    const address = place.address;
    const inside = await openPage(browser, { address: `${address}-x/` }, { context });
    await kept(inside);
    const first = await inside.evaluate(() => caches.keys());
    const outside = await openPage(browser, { address }, { context, welcome: true });
    await kept(outside);
    const both = await outside.evaluate(() => caches.keys());
    assert.equal(both.length, 2);
    assert.ok(both.includes(first[0]), `${both}`);
  });

  test("without a service worker, an engine of another version than its table is told of", async (t) => {
    const names = (await readdir(join(ROOT, "engine"))).filter((name) => name.endsWith(".wasm"));
    const table = await readFile(join(ROOT, "board", "kujira_web_board_bg.wasm"), "latin1");
    const stamps = new Set(table.match(/[0-9a-f]{12}/g));
    const instead = { "service-worker.js": "// Nothing." };
    for (const name of names) {
      const engine = await readFile(join(ROOT, "engine", name), "latin1");
      const [stamp] = engine.match(/[0-9a-f]{12}/g).filter((found) => stamps.has(found));
      instead[`engine/${name}`] = Buffer.from(engine.replaceAll(stamp, "0123456789ab"), "latin1");
    }
    const { page, place } = await visit(t, { instead });
    await begin(page, { players: [3, "human"] });
    await reads(page, "#trouble", /another version: load the page again/);
    place.instead = {};
    await reload(page);
    await press(page, "#trouble button").catch(() => {});
    await until(page, () => window.kujira.store.state().nodes.length === 2);
  });

  test("without a network a game never fetched says that it needs a visit, and so does its card", async (t) => {
    const { page, place } = await visit(t);
    await again(page);
    await begin(page, { players: [3, "human"] });
    await until(page, () => window.kujira.store.state().nodes.length === 2);
    await place.down();
    await leaveGame(page);
    const card = (game) => `.welcome-card[data-game="${game}"]`;
    for (const game of ["paulowich", "great"]) await reads(page, card(game), /needs one visit online/);
    assert.doesNotMatch(await text(page, card("whale")), /visit/);
    await listen(page);
    await press(page, `${card("great")} button`, { text: "Puzzles" });
    await reads(page, "#toast", /needs one visit online/);
    await press(page, `${card("great")} .primary`);
    await until(page, () => window.kujira.store.state()?.variant === "great");
    await page.evaluate(() => window.kujira.store.send({ type: "hint" }));
    await reads(page, "#trouble", /needs one visit online/);
    await place.up();
    await leaveGame(page);
    await until(page, () => document.querySelector(".welcome-card") && !document.querySelector(".visit"));
  });
});
