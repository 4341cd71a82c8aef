// A page of static files that heals: what its browser has lost of it or mixes up, and what its server sends in place of a
// file.

import assert from "node:assert/strict";
import { mkdtemp, readFile, readdir, rm, symlink } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import {
  BROWSER,
  again,
  begin,
  click,
  eventually,
  kept,
  launch,
  listen,
  openPage,
  played,
  press,
  reads,
  reload,
  serveFiles,
  text,
  until,
  visitFiles,
  withStatic,
  workerOf,
} from "./harness.mjs";

const ROOT = process.env.KUJIRA_DIST;
const WHALE = '.welcome-card[data-game="whale"]';
const HTML = "<!doctype html><title>Sign in</title><p>To use this network, sign in.";

let browser;

/**
 * The address of a server before a place, with `headers` of its own: what `act(name, body, answer)` returns is the rest of
 * an answer.
 */
async function inFront(t, place, act, headers = {}) {
  const { pathname } = new URL(place.address);
  const server = createServer(async ({ url }, answer) => {
    const found = await fetch(new URL(url, place.address));
    const body = Buffer.from(await found.arrayBuffer());
    answer.writeHead(found.status, { "content-type": found.headers.get("content-type"), ...headers });
    answer.end(await act(url.slice(pathname.length), body, answer));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${server.address().port}${pathname}`;
}

/** The service worker, which does something more with messages: `act` is called with each. */
const listening = async (act) =>
  `${await readFile(join(ROOT, "service-worker.js"), "utf8")}\nself.addEventListener("message", ${act});`;

/** Sends the service worker of {@link listening} a message, and waits for its answer. */
const tell = (page, message) =>
  page.evaluate(
    (message) =>
      new Promise((resolve) => {
        navigator.serviceWorker.addEventListener("message", ({ data }) => resolve(data), { once: true });
        navigator.serviceWorker.startMessages();
        navigator.serviceWorker.controller.postMessage(message);
      }),
    message,
  );

/** What a page reads of a file: its text and the status that came with it. */
const read = (page, name) =>
  page.evaluate(async (name) => {
    const answer = await fetch(name);
    return { status: answer.status, text: await answer.text() };
  }, name);

const shown = (page) => page.evaluate(() => window.kujira.store.state()?.id);
const leaveGame = (page) => page.evaluate(() => window.kujira.store.leave());

/** Has the browser look for a new version; tells what became of it. */
const update = (page) =>
  page.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration();
    const found = new Promise((resolve) =>
      registration.addEventListener("updatefound", () => resolve(registration.installing), { once: true }),
    );
    await registration.update().catch(() => {});
    const worker = registration.installing ?? registration.waiting ?? (await found);
    while (worker.state === "installing")
      await new Promise((resolve) => worker.addEventListener("statechange", resolve, { once: true }));
    return worker.state;
  });

describe("a page that heals", withStatic, () => {
  before(async () => (browser = await launch()));
  after(() => browser?.close());

  test("what a server sends in place of a file is not kept, and the file is fetched again", async (t) => {
    const { page, place } = await visitFiles(t, browser);
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

  test("nobody reads another file to its end, whatever it is read as", async (t) => {
    const { page, place } = await visitFiles(t, browser);
    await again(page);
    // Each is what its name says, but not that of this version.
    place.instead = {
      "engine/great.net": Buffer.from("network"),
      "puzzles/great.json": "{}",
      "engine/kujira_web_engine_plain.wasm": Buffer.from([0, 97, 115, 109, 1, 0, 0, 0]),
    };
    const outcomes = () =>
      page.evaluate(() => {
        const readers = {
          "engine/great.net": (answer) => answer.arrayBuffer(),
          "puzzles/great.json": (answer) => answer.json(),
          "engine/kujira_web_engine_plain.wasm": (answer) => WebAssembly.compileStreaming(answer),
        };
        const found = Object.entries(readers).map(async ([name, read]) => {
          const answer = await fetch(name);
          if (!answer.ok) return answer.status;
          return read(answer).then(() => "read", () => "refused");
        });
        return Promise.all(found);
      });
    assert.deepEqual(await outcomes(), ["refused", "refused", "refused"]);
    place.instead = Object.fromEntries(Object.keys(place.instead).map((name) => [name, null]));
    assert.deepEqual(await outcomes(), [404, 404, 404]);
    place.instead = {};
    assert.deepEqual(await outcomes(), ["read", "read", "read"]);
  });

  test("a file that comes slowly is seen to come, and is fetched once", async (t) => {
    const name = "engine/paulowich.net";
    const half = 60000;
    /** Has the rest sent. */
    let send;
    const wanted = new Promise((resolve) => (send = resolve));
    let times = 0;
    const worker = await listening(({ data, source }) => data === "hear" && source.postMessage("heard"));
    const place = await serveFiles({ instead: { "service-worker.js": worker } });
    const address = await inFront(t, place, async (asked, body, answer) => {
      if (asked !== name) return body;
      times++;
      answer.write(body.subarray(0, half));
      await wanted;
      return body.subarray(half);
    });
    const page = await openPage(browser, { address });
    t.after(async () => {
      await page.browserContext().close();
      await place.stop();
    });
    await again(page);
    const begun = await page.evaluate(async (name) => {
      const { body, url } = await fetch(name);
      window.reader = body.getReader();
      const { value } = await window.reader.read();
      navigator.serviceWorker.controller.postMessage({ keep: url });
      return value.length;
    }, name);
    assert.ok(begun > 0 && begun <= half, `${begun} bytes`);
    assert.equal(await tell(page, "hear"), "heard");
    for (let turn = 0; turn < 5; turn++) await read(page, "icon.svg");
    send();
    const others = await page.evaluate(async () => {
      let bytes = 0;
      for (let { done, value } = await window.reader.read(); !done; { done, value } = await window.reader.read())
        bytes += value.length;
      return bytes;
    });
    const { length } = await readFile(join(ROOT, name));
    assert.equal(begun + others, length);
    assert.ok(await page.evaluate(async (name) => Boolean(await caches.match(new URL(name, document.baseURI))), name));
    assert.equal(times, 1);
  });

  test("where the browser's store of files breaks, the page comes from the server", async (t) => {
    const worker = await listening(({ data, source }) => {
      if (data !== "break") return;
      for (const act of ["delete", "has", "keys", "match", "open"])
        CacheStorage.prototype[act] = () => Promise.reject(new DOMException("It is broken.", "UnknownError"));
      source.postMessage("broken");
    });
    const { page } = await visitFiles(t, browser, { instead: { "service-worker.js": worker } });
    await again(page);
    assert.equal(await tell(page, "break"), "broken");
    // What is under way when a page goes is a failure of the service worker to Firefox.
    await page.waitForNetworkIdle();
    await reload(page);
    assert.equal(await tell(page, "break"), "broken", "it is the service worker's page still");
    assert.equal(await page.evaluate(() => crossOriginIsolated), true);
    await begin(page, { variant: "great", players: [3, "human"] });
    await until(page, () => window.kujira.store.state().nodes.length === 2);
    assert.deepEqual(page.problems, []);
  });

  /** Has a browser lose one file of a version, of which the server sends others; returns what it sends. */
  async function lacking(page, place) {
    await again(page);
    const others = { "icon.svg": "<svg/>", "manifest.webmanifest": "{}", "puzzles/whale.json": '"next"' };
    const before = {};
    for (const name of Object.keys(others)) before[name] = (await read(page, name)).text;
    await page.evaluate(async () => {
      const [name] = await caches.keys();
      await (await caches.open(name)).delete(new URL("icon.svg", document.baseURI));
    });
    place.instead = { ...others };
    await reload(page);
    return { others, before };
  }

  test("where part of a version is missing, all comes from the server, or as it was kept", async (t) => {
    const { page, place } = await visitFiles(t, browser);
    const { others, before } = await lacking(page, place);
    for (const [name, text] of Object.entries(others)) assert.deepEqual(await read(page, name), { status: 200, text });
    const keptOnes = ["manifest.webmanifest", "puzzles/whale.json"];
    for (const name of keptOnes) {
      place.instead[name] = null;
      assert.deepEqual(await read(page, name), { status: 200, text: before[name] });
    }
    await place.down();
    for (const name of keptOnes) assert.deepEqual(await read(page, name), { status: 200, text: before[name] });
  });

  // Chromium does not start one again that it stopped while it is driven.
  const skip = BROWSER !== "firefox" && "Firefox's";
  test("so it does when the browser has stopped the service worker meanwhile", { skip }, async (t) => {
    const hasty = { "dom.serviceWorkers.idle_timeout": 500, "dom.serviceWorkers.idle_extended_timeout": 500 };
    const stopping = await launch({ prefs: hasty });
    t.after(() => stopping.close());
    const worker = await listening(({ data, source }) => {
      self.born ??= Math.random();
      if (data === "born") source.postMessage(self.born);
    });
    const { page, place } = await visitFiles(t, stopping, { instead: { "service-worker.js": worker } });
    const { others } = await lacking(page, place);
    const born = await tell(page, "born");
    while ((await tell(page, "born")) === born) await new Promise((resolve) => setTimeout(resolve, 2000));
    const name = "manifest.webmanifest";
    assert.deepEqual(await read(page, name), { status: 200, text: others[name] });
  });

  test("a version of which the server sends an old file is not taken in before that is right", async (t) => {
    const { page, place } = await visitFiles(t, browser);
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

  test("what the browser has dropped of the page is fetched again at the next start, when nobody waits", async (t) => {
    const { page, place } = await visitFiles(t, browser, {
      prepare: [
        () => {
          window.told = [];
          addEventListener("quiet", () => window.told.push("quiet"));
          const { postMessage } = ServiceWorker.prototype;
          ServiceWorker.prototype.postMessage = function (message) {
            window.told.push(message);
            postMessage.call(this, message);
          };
        },
      ],
    });
    await again(page);
    /** Runs in the page: the files kept; those that are fetched at will (the network of the game, icons) left out. */
    const files = async () => {
      const [name] = await caches.keys();
      const kept = name ? await (await caches.open(name)).keys() : [];
      return kept.map(({ url }) => url).filter((url) => !/\.(net|png)$/.test(url)).length;
    };
    const all = await page.evaluate(files);
    await page.evaluate(async () => Promise.all((await caches.keys()).map((name) => caches.delete(name))));
    await reload(page);
    await kept(page);
    await eventually(async () => assert.equal(await page.evaluate(files), all));
    const told = await page.evaluate(() => window.told.filter((message) => typeof message === "string"));
    assert.deepEqual([told[0], told.filter((message) => message === "fill")], ["quiet", ["fill"]]);
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
    // A page of the other copy is no reason to wait.
    const index = await readFile(join(ROOT, "index.html"), "utf8");
    const next = { "index.html": index.replace(/<title>.*<\/title>/, "<title>The next version</title>") };
    place.instead = { ...next, "service-worker.js": await workerOf(next, "next") };
    await update(outside);
    await press(outside, "#update button");
    await until(outside, () => document.title === "The next version");
    assert.ok((await inside.evaluate(() => caches.keys())).includes(first[0]));
  });

  test("without a service worker, an engine of another version than its table is told of", async (t) => {
    const names = (await readdir(join(ROOT, "engine"))).filter((name) => name.endsWith(".wasm"));
    const npm = join(ROOT, "npm", "engine", "kujira_web_engine");
    const { default: init, sources } = await import(`${npm}.js`);
    await init({ module_or_path: await readFile(`${npm}_bg.wasm`) });
    const other = "fedcba987654";
    /** What the browser is sent first, and keeps as long as it likes. */
    const old = new Map();
    for (const name of names) {
      const engine = await readFile(join(ROOT, "engine", name), "latin1");
      old.set(`engine/${name}`, Buffer.from(engine.replaceAll(sources(), other), "latin1"));
    }
    const place = await serveFiles({ instead: { "service-worker.js": "// Nothing." } });
    const once = (name, body) => {
      const sent = old.get(name) ?? body;
      old.delete(name);
      return sent;
    };
    const address = await inFront(t, place, once, { "cache-control": "max-age=31536000" });
    const context = await browser.createBrowserContext();
    t.after(async () => {
      await context.close();
      await place.stop();
    });
    const page = await openPage(browser, { address }, { context, welcome: true });
    await begin(page, { players: [3, "human"] });
    await reads(page, "#trouble", /another version: load the page again/);
    // It has the browser fetch them anew.
    const engine = await page.evaluate(
      () => performance.getEntriesByType("resource").find(({ name }) => /engine\/.*\.wasm$/.test(name)).name,
    );
    await until(
      page,
      async (engine, other) => {
        const answer = await fetch(engine, { cache: "only-if-cached", mode: "same-origin" });
        return !(await answer.text()).includes(other);
      },
      engine,
      other,
    );
    await press(page, "#trouble button");
    await until(page, () => window.kujira.store.state().nodes.length === 2);
  });

  test("without a network a game never fetched says that it needs a visit, and so does its card", async (t) => {
    const { page, place } = await visitFiles(t, browser);
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
