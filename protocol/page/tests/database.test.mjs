// Games kept in the browser's database: where a browser refuses it, loses it or has no room, and what other tabs do there.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import {
  BROWSER,
  appears,
  begin,
  click,
  count,
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
  serveFiles,
  shelf,
  until,
  visitFiles,
  withStatic,
} from "./harness.mjs";

const WHALE = '.welcome-card[data-game="whale"]';

let browser;

/** The browser's own tools, which only Chromium has: what its pages cannot do to themselves. */
const CHROMIUM = { skip: BROWSER !== "chromium" && "by Chromium's tools" };

const shown = (page) => page.evaluate(() => window.kujira.store.state()?.id);
const leaveGame = (page) => page.evaluate(() => window.kujira.store.leave());

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
  assert.deepEqual([await count(page, "#unkept"), await count(page, "#trouble-unsaved")], [1, 0]);
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

describe("games in the browser", withStatic, () => {
  before(async () => (browser = await launch()));
  after(() => browser?.close());

  for (const [name, [refusal, why]] of Object.entries(REFUSALS))
    test(`games are played where they cannot be kept: ${name}`, async (t) => {
      const { page } = await visitFiles(t, browser, { prepare: [refusal], welcome: true });
      await playsUnkept(page, why);
      assert.deepEqual(page.problems, []);
    });

  test("games are played where a browser blocks all data", { skip: BROWSER !== "firefox" && "Firefox's" }, async (t) => {
    const blocking = await launch({ prefs: { "network.cookie.cookieBehavior": 2 } });
    t.after(() => blocking.close());
    const { page } = await visitFiles(t, blocking, { welcome: true });
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
    const { page, place } = await visitFiles(t, browser, {
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

  test("the line goes as soon as it is not true any more", async (t) => {
    const { page } = await visitFiles(t, browser, {
      prepare: [
        () => {
          const { getAll } = IDBObjectStore.prototype;
          window.allow = () => (IDBObjectStore.prototype.getAll = getAll);
          IDBObjectStore.prototype.getAll = () => {
            throw new DOMException("Not now.", "UnknownError");
          };
        },
      ],
      welcome: true,
    });
    await page.evaluate(() => window.kujira.store.games());
    await reads(page, "#unkept", /Not now/);
    await page.evaluate(() => (window.allow(), window.kujira.store.games()));
    assert.equal(await count(page, "#unkept"), 0);
  });

  test("all games are kept as soon as there is room", async (t) => {
    const { page, place } = await visitFiles(t, browser, {
      prepare: [
        () => {
          const { put } = IDBObjectStore.prototype;
          IDBObjectStore.prototype.put = function (...values) {
            if (window.full) throw new DOMException("The quota has been exceeded.", "QuotaExceededError");
            return put.apply(this, values);
          };
        },
      ],
      welcome: true,
    });
    const full = (full) => page.evaluate((full) => (window.full = full), full);
    const saved = async (ids) => Promise.all(ids.map(async (id) => (await shelf(page, place).read(id)) !== null));
    /** Begins games that are not kept: a clock is a reason to keep one without a move. */
    async function unkept() {
      await full(true);
      const ids = [];
      for (let turn = 0; turn < 2; turn++) {
        await begin(page, { time: { main: 600000, increment: 0, byoyomi: 0 } });
        ids.push(await shown(page));
      }
      await reads(page, "#unkept", /no room/);
      assert.deepEqual(await saved(ids), [false, false]);
      return ids;
    }
    const first = await unkept();
    await full(false);
    await click(page, "2e", "2d");
    await played(page, "2e2d");
    await until(page, () => !document.querySelector("#unkept"));
    assert.deepEqual(await saved(first), [true, true]);
    const others = await unkept();
    await page.evaluate((id) => window.kujira.store.remove(id), first[0]);
    assert.deepEqual(await saved(others), [false, false]);
    assert.equal(await count(page, "#unkept"), 1);
    await full(false);
    await page.evaluate((id) => window.kujira.store.remove(id), first[1]);
    assert.deepEqual(await saved([...first, ...others]), [false, false, true, true]);
    assert.deepEqual([await count(page, "#unkept"), ...page.problems], [0]);
  });

  test("games are played where there is room for one byte, and the page opens again", CHROMIUM, async (t) => {
    const { page, place } = await visitFiles(t, browser, { welcome: true });
    await kept(page);
    // Before anything is in the database: how much room is left there the browser reckons every half minute.
    const tools = await page.createCDPSession();
    await tools.send("Storage.overrideQuotaForOrigin", { origin: new URL(place.address).origin, quotaSize: 1 });
    for (let visit = 1; visit <= 2; visit++) {
      await page.reload();
      await appears(page, `${WHALE} .primary:enabled`);
      assert.equal(await shown(page), undefined, "what was not kept is gone");
      await playsUnkept(page, /no room/);
    }
    assert.deepEqual(page.problems, []);
  });

  test("a database that the browser has closed is opened anew, and nobody is told", async (t) => {
    const { page } = await visitFiles(t, browser, {
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
    // Once, however many ask at a time.
    const { games } = await page.evaluate(async () => {
      const { store } = window.kujira;
      await Promise.all([store.games(), store.games(), store.games()]);
      return { games: window.handles.length };
    });
    assert.equal(games, 2);
    await click(page, "2e", "2d");
    await played(page, "2e2d");
    assert.deepEqual([await count(page, "#unkept"), await count(page, "#trouble-unsaved"), ...page.problems], [0, 0]);
    await reload(page);
    assert.deepEqual(await moves(page), ["2e2d"]);
  });

  /** Opens the origin of a place without the page, and makes a database there. */
  async function madeBefore(t, version, store) {
    const place = await serveFiles({ instead: { "blank.html": "<!doctype html>" } });
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
      assert.deepEqual([await count(page, "#unkept"), await count(page, "#trouble-unsaved"), ...page.problems], [0, 0]);
      await reload(page);
      assert.deepEqual(await moves(page), ["2e2d"]);
    });

  test("a database of a higher version with games is left alone, and told of", async (t) => {
    const { page } = await madeBefore(t, 7, { name: "games", game: "later" });
    await playsUnkept(page, /a later version of this page keeps games here, which this one cannot read: load/);
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
    const { page, place, context } = await visitFiles(t, browser);
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
    const { page, place, context } = await visitFiles(t, browser, { prepare });
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
});
