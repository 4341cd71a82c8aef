// What the tests stand on: places that serve the page, Debian's browsers, and what a person does and sees there.
//
// KUJIRA_BROWSER names the browser, KUJIRA_DRIVER who keeps the games: the server program (KUJIRA_BOARD is its path) or
// the browser itself, in a page of static files (KUJIRA_DIST is their folder).

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtemp, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { createServer, request } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { createInterface } from "node:readline";
import { after, before } from "node:test";
import puppeteer from "puppeteer-core";

export const BROWSER = process.env.KUJIRA_BROWSER ?? "chromium";
export const DRIVER = process.env.KUJIRA_DRIVER ?? "board";
assert.ok(["chromium", "firefox"].includes(BROWSER), `KUJIRA_BROWSER: expected chromium or firefox, found ${BROWSER}`);
assert.ok(["board", "static"].includes(DRIVER), `KUJIRA_DRIVER: expected board or static, found ${DRIVER}`);

/** Options of a test that makes sense with one driver only. */
export const withBoard = { skip: DRIVER !== "board" && "of a server's files, connection or end: driver board" };
export const withStatic = { skip: DRIVER !== "static" && "of games kept in the browser: driver static" };

// Places

const PROGRAM = process.env.KUJIRA_BOARD;
const DIST = process.env.KUJIRA_DIST;
assert.ok(DRIVER === "board" ? PROGRAM : DIST, "expected KUJIRA_BOARD or KUJIRA_DIST, found none: see run");

/** Where the page of the driver chosen is served. */
export const startPlace = () => (DRIVER === "static" ? serveFiles() : startServer());

/** Starts the server; `state` is kept from one to the next if given, `more` is what else it is told. */
export async function startServer({ state, port = 0, more = [] } = {}) {
  const folder = state ?? (await mkdtemp(join(tmpdir(), "kujira-board-")));
  const words = ["--port", String(port), "--state", folder, ...more];
  const child = spawn(PROGRAM, words, { stdio: ["ignore", "pipe", "inherit"] });
  const address = await new Promise((resolve, reject) => {
    createInterface(child.stdout).on("line", (line) => {
      const found = line.match(/http:\/\/\S+/);
      if (found) resolve(found[0]);
    });
    child.on("exit", (code) => reject(new Error(`the server ended with ${code}`)));
  });
  const ended = new Promise((resolve) => child.on("exit", resolve));
  return {
    address,
    folder,
    port: Number(new URL(address).port),
    /** Ends it at once, as a crash would. */
    async kill() {
      child.kill("SIGKILL");
      await ended;
    },
    async stop() {
      child.kill("SIGKILL");
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export const TYPES = {
  ".css": "text/css",
  ".html": "text/html",
  ".js": "text/javascript",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
  ".webmanifest": "application/manifest+json",
};

/**
 * A server of static files, as there are many, that shows a folder of the disk below a folder of an address; `instead`
 * are files, by their names, that take the place of those on the disk, null where one is missing, and files that are
 * `late` are served when their promise is kept. What was served ends up in `served`, what was asked for elsewhere in `outside`.
 */
export async function serveFiles({ root = DIST, instead = {}, late = {}, folder = "/some/place/" } = {}) {
  const place = { address: "", instead, served: [], outside: [], up, down, stop: down };
  const server = createServer(async (question, answer) => {
    const { pathname } = new URL(question.url, "http://localhost");
    if (!pathname.startsWith(folder)) {
      place.outside.push(question.url);
      return answer.writeHead(404).end();
    }
    const name = pathname.slice(folder.length).replace(/(^|\/)$/, "$1index.html");
    await late[name];
    const body = name in place.instead ? place.instead[name] : await readFile(join(root, name)).catch(() => null);
    if (body === null) {
      place.served.push({ name, status: 404 });
      return answer.writeHead(404, { "content-type": "text/plain" }).end("no such file");
    }
    const etag = `"${createHash("sha256").update(body).digest("hex").slice(0, 16)}"`;
    const status = question.headers["if-none-match"] === etag ? 304 : 200;
    place.served.push({ name, status });
    answer.writeHead(status, { etag, "content-type": TYPES[extname(name)] ?? "application/octet-stream" });
    answer.end(status === 200 ? body : undefined);
  });
  let port = 0;
  /** Serves, after {@link down} at the same address. */
  async function up() {
    await new Promise((resolve) => server.listen(port, "127.0.0.1", resolve));
    ({ port } = server.address());
  }
  /** Is not there any more. */
  async function down() {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  }
  await up();
  place.address = `http://127.0.0.1:${port}${folder}`;
  return place;
}

/** The service worker of a version in which files are others, by their names; one that is not listed is nobody's. */
export async function workerOf(files, version) {
  let worker = await readFile(join(DIST, "service-worker.js"), "utf8");
  worker = worker.replace(/VERSION = "\w+"/, `VERSION = "${version}"`);
  for (const [name, content] of Object.entries(files)) {
    const listed = name === "index.html" ? "./" : name;
    const hash = createHash("sha256").update(content).digest("hex");
    worker = worker.replace(new RegExp(`("${listed}"): "\\w{64}"`), `$1: "${hash}"`);
  }
  return worker;
}

/**
 * A reverse proxy that shows a server below a folder, such as `/some/place/`, of an address of its own. Whatever is
 * asked for elsewhere does not arrive and ends up in `outside`.
 */
export async function startProxy(server, folder) {
  const { hostname, port } = new URL(server.address);
  const outside = [];
  /** The address behind the proxy of one before it. */
  const behind = (address) => {
    if (address.startsWith(folder)) return address.slice(folder.length - 1);
    outside.push(address);
    return null;
  };
  const proxy = createServer((question, answer) => {
    const path = behind(question.url);
    if (path === null) return answer.writeHead(404).end();
    const { method, headers } = question;
    const far = request({ hostname, port, path, method, headers }, (found) => {
      answer.writeHead(found.statusCode, found.headers);
      found.pipe(answer);
    });
    far.on("error", () => answer.destroy());
    question.pipe(far);
  });
  proxy.on("upgrade", (question, near) => {
    const path = behind(question.url);
    if (path === null) return near.end("HTTP/1.1 404 Not Found\r\nConnection: close\r\n\r\n");
    const lines = [`GET ${path} HTTP/1.1`];
    for (let at = 0; at < question.rawHeaders.length; at += 2)
      lines.push(question.rawHeaders.slice(at, at + 2).join(": "));
    const far = connect(Number(port), hostname, () => far.write(`${lines.join("\r\n")}\r\n\r\n`));
    for (const [from, to] of [
      [near, far],
      [far, near],
    ])
      from.on("error", () => to.destroy()).pipe(to);
  });
  await new Promise((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  return {
    address: `http://127.0.0.1:${proxy.address().port}${folder}`,
    outside,
    stop() {
      proxy.close();
      proxy.closeAllConnections();
    },
  };
}

// Browsers

/** Milliseconds that anything may take, and that a browser may take to answer or to load a page. */
const LOADING = 60000;

const BROWSERS = {
  chromium: ({ dark, ratio, letters, forced }) => ({
    browser: "chrome",
    defaultViewport: ratio === 1 ? undefined : null,
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: [
      "--no-sandbox",
      `--blink-settings=preferredColorScheme=${dark ? 0 : 1},minimumFontSize=${letters}`,
      ...(ratio === 1 ? [] : [`--force-device-scale-factor=${ratio}`, "--window-size=1200,940"]),
      ...(forced ? ["--force-high-contrast", "--enable-features=ForcedColors"] : []),
      // measureUserAgentSpecificMemory answers at once, not when the browser next has leisure.
      "--enable-blink-features=ForceEagerMeasureMemory",
    ],
  }),
  firefox: ({ dark, ratio, letters, forced, prefs }) => ({
    browser: "firefox",
    executablePath: process.env.FIREFOX ?? "/usr/bin/firefox-esr",
    extraPrefsFirefox: {
      "layout.css.prefers-color-scheme.content-override": dark ? 0 : 1,
      "layout.css.devPixelsPerPx": String(ratio),
      "font.minimum-size.x-western": letters,
      "browser.display.document_color_use": forced ? 2 : 0,
      // The clipboard is read without a question; that pages may write there after a click is as usual.
      "dom.events.testing.asyncClipboard": true,
      // Files are strangers to each other, as they are for everybody but those who drive browsers.
      "security.fileuri.strict_origin_policy": true,
      ...prefs,
    },
  }),
};

/**
 * Starts the browser, as of somebody who likes `dark` pages or not, whose smallest `letters` have so many pixels, and
 * whose system has `forced` its colours on pages; `prefs` are settings of Firefox. Screen and zoom have a `ratio` of their
 * pixels to those of pages: those are opened as `scaled`.
 */
export const launch = ({ dark = false, ratio = 1, letters = 0, forced = false, prefs = {} } = {}) =>
  puppeteer.launch({
    ...BROWSERS[BROWSER]({ dark, ratio, letters, forced, prefs }),
    protocol: "webDriverBiDi",
    protocolTimeout: LOADING,
  });

/**
 * A place and a browser for the tests of a file: filled in before the first of them, stopped after the last. `ready` is
 * called when both are there; hooks of a file do not wait for each other.
 */
export function placeAndBrowser(ready = async () => {}) {
  const both = { place: null, browser: null };
  before(async () => {
    both.place = await startPlace();
    both.browser = await launch();
    await ready();
  });
  after(async () => {
    await both.browser?.close();
    await both.place?.stop();
  });
  return both;
}

// Pages

/**
 * Gives the screen of a page a size, as puppeteer's setViewport does. With it goes how the screen is held: Firefox 140
 * refuses that, though it takes the size.
 */
export async function resize(page, viewport) {
  try {
    await page.setViewport(viewport);
  } catch (error) {
    if (!error.message.includes("unknown command emulation.setScreenOrientationOverride")) throw error;
    // Where a pixel is not the screen's, a size is rounded.
    await until(
      page,
      ({ width, height }) => Math.abs(innerWidth - width) < 2 && Math.abs(innerHeight - height) < 2,
      viewport,
    );
  }
}

const PLAYED = () => {
  try {
    localStorage["kujira-last-game"] ??= "{}";
  } catch {
    // A page that keeps nothing.
  }
};

/**
 * Opens the page, in a `context` or one of its own, on a screen of that size, with `touch` or without; the functions
 * of `prepare` run in it before its own scripts. Anything that it complains about ends up in `page.problems`. A game is
 * on the board then: with `welcome` it may be the page without one. A `newcomer` has never played.
 */
export async function openPage(
  browser,
  place,
  { context, width = 1400, height = 900, scaled = false, touch = false, prepare = [], welcome = false, newcomer = false } = {},
  hash = "",
) {
  const page = await (context ?? (await browser.createBrowserContext())).newPage();
  // Chromium forgets the ratio it was started with where a page is given a size.
  if (!scaled || BROWSER === "firefox") await resize(page, { width, height, hasTouch: touch });
  page.setDefaultNavigationTimeout(LOADING);
  page.problems = [];
  page.on("pageerror", (error) => page.problems.push(error.message));
  page.on("console", (message) => message.type() === "error" && page.problems.push(message.text()));
  page.on("response", (answer) => {
    if (answer.status() >= 400) page.problems.push(`${answer.url()} was answered ${answer.status()}`);
  });
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (!["data:", "blob:"].includes(url.protocol) && url.host !== new URL(place.address).host)
      page.problems.push(`request to ${url}`);
  });
  // Not every browser tells of it by itself.
  await page.evaluateOnNewDocument(() =>
    addEventListener("securitypolicyviolation", (event) =>
      console.error(`${event.violatedDirective} forbids ${event.blockedURI}`),
    ),
  );
  // Whoever has played before is offered no coach. A page that is not there yet keeps nothing.
  if (!newcomer) prepare = [PLAYED, ...prepare];
  for (const act of prepare) await page.evaluateOnNewDocument(act);
  await page.goto(place.address + hash);
  // The cards are there at once, their buttons can be pressed when the rest of the page is there, too.
  await appears(page, `${CARD} button:enabled, ${TILE}`);
  const button = !welcome && ((await page.$(`${CARD}.last-game .primary`)) ?? (await page.$(`${CARD} .primary`)));
  if (button) {
    await button.evaluate((node) => node.click());
    await appears(page, TILE);
  }
  return page;
}

/** A place of static files of a test's own, so that it can be stopped or changed, and a page there. */
export async function visitFiles(t, browser, { prepare = [], welcome = false, ...options } = {}) {
  const place = await serveFiles(options);
  const page = await openPage(browser, place, { prepare, welcome });
  const context = page.browserContext();
  t.after(async () => {
    await context.close();
    await place.stop();
  });
  return { place, page, context };
}

const TILE = "#board .cell .tile";
const CARD = ".welcome-card";

/** Loads the page anew once nothing comes: Firefox tells as trouble what comes by a service worker and is broken off. */
export async function reload(page) {
  await vanishes(page, "#loading");
  await page.reload();
  await appears(page, TILE);
}

/** Waits until a service worker has the page of static files: from then on it is there without a network. */
export const kept = (page) => until(page, () => navigator.serviceWorker.controller?.state === "activated");

/**
 * Runs in the page, before it: as if it had taken half a minute to load, so that what can wait waits for a minute more,
 * which is longer than a machine under load is slow.
 */
export function patient() {
  const since = performance.now.bind(performance);
  performance.now = () => since() + 30000;
}

/** Visits such a page a second time: all of it comes from the service worker, and it is isolated. */
export async function again(page) {
  await kept(page);
  await reload(page);
}

/** Ends the visit: the page and all that its browser knows of it. */
export const leave = (page) => page.browserContext().close();

/** Lets the page copy and this test read what it copied. */
export async function allowClipboard(page) {
  // Firefox knows no such permission.
  if (BROWSER === "firefox") return;
  for (const name of ["clipboard-read", "clipboard-write"])
    await page.browserContext().setPermission(new URL(page.url()).origin, { permission: { name }, state: "granted" });
}

// What is there. The browser is asked again and again, from outside: a page in the background draws no frames, and one
// whose clock is a test's has no timers of its own.

const pause = () => new Promise((resolve) => setTimeout(resolve, 20));

/** Waits until a function gives something in the page, and returns that. */
export async function until(page, act, ...values) {
  const end = performance.now() + LOADING;
  for (let error = ""; ;) {
    try {
      const found = await page.evaluate(act, ...values);
      if (found) return found;
      error = "";
    } catch (refusal) {
      // A page that is being loaded answers with errors, and so does what is not there yet.
      error = `, the last time for: ${refusal.message}`;
    }
    if (performance.now() > end) throw new Error(`waited in vain for ${act} of ${JSON.stringify(values)}${error}`);
    await pause();
  }
}

/** Does something until it succeeds, as files appear some time after moves. */
export async function eventually(act) {
  const end = performance.now() + LOADING;
  for (;;) {
    try {
      return await act();
    } catch (error) {
      if (performance.now() > end) throw error;
      await pause();
    }
  }
}

/** Waits until an element can be seen. */
export const appears = (page, selector) =>
  until(page, (selector) => document.querySelector(selector)?.getClientRects().length > 0, selector);

/** Waits until an element cannot be seen, or is not there. */
export const vanishes = (page, selector) =>
  until(page, (selector) => !document.querySelector(selector)?.getClientRects().length, selector);

/** Waits until an element is there, to be seen or not. */
export const exists = (page, selector) =>
  until(page, (selector) => document.querySelector(selector) !== null, selector);

/** Waits until the text of an element matches. */
export const reads = (page, selector, pattern) =>
  until(
    page,
    (selector, source) => new RegExp(source).test(document.querySelector(selector).textContent),
    selector,
    pattern.source,
  );

/** The text of an element, as soon as it is there. */
export async function text(page, selector) {
  await exists(page, selector);
  return page.$eval(selector, (node) => node.textContent);
}

/** How many elements there are. */
export const count = (page, selector) => page.$$eval(selector, (nodes) => nodes.length);

/** An attribute of an element. */
export const attribute = (page, selector, name) => page.$eval(selector, (node, name) => node.getAttribute(name), name);

/** A property of an element, such as `checked`. */
export const property = (page, selector, name) => page.$eval(selector, (node, name) => node[name], name);

/** Where an element is: `{ x, y, width, height }`. */
export const box = (page, selector) =>
  page.$eval(selector, (node) => {
    const { x, y, width, height } = node.getBoundingClientRect();
    return { x, y, width, height };
  });

/** The accessible name of a square: what stands there. */
export const square = (page, name) => attribute(page, `#board [data-square="${name}"]`, "aria-label");

// What a person does

/** Runs in the page: the middle of an element that can be pressed there, or why it cannot. */
function middle(selector, text, nth) {
  const node = [...document.querySelectorAll(selector)].filter((node) => node.textContent.includes(text))[nth];
  if (!node) return "is not there";
  if (node.matches(":disabled")) return "is disabled";
  node.scrollIntoView({ block: "nearest", inline: "nearest" });
  const { left, top, width, height } = node.getBoundingClientRect();
  if (width === 0 || height === 0) return "is not to be seen";
  const [x, y] = [Math.floor(left + width / 2), Math.floor(top + height / 2)];
  const hit = document.elementFromPoint(x, y);
  if (!node.contains(hit) && hit?.closest("label")?.control !== node) return `is covered by ${hit?.outerHTML}`;
  return { x, y };
}

/** Waits until an element can be pressed and stands still; returns its middle. */
async function target(page, selector, text = "", nth = 0) {
  let before = "";
  return eventually(async () => {
    const found = await page.evaluate(middle, selector, text, nth);
    const now = JSON.stringify(found);
    const still = now === before;
    before = now;
    if (typeof found !== "string" && still) return found;
    throw new Error(`${selector} “${text}” ${typeof found === "string" ? found : "does not stand still"}`);
  });
}

/** Presses an element, by mouse or by `touch`: the `nth` of those that a selector finds and that hold a `text`. */
export async function press(page, selector, { text = "", nth = 0, touch = false } = {}) {
  const { x, y } = await target(page, selector, text, nth);
  if (touch) await page.touchscreen.tap(x, y);
  else await page.mouse.click(x, y);
}

/** Ticks a box or chooses a radio button, or unticks it. */
export async function tick(page, selector, on = true) {
  await exists(page, selector);
  if ((await property(page, selector, "checked")) !== on) await press(page, selector);
  assert.equal(await property(page, selector, "checked"), on);
}

/** Enters something in place of what an input holds. */
export async function enter(page, selector, value) {
  await exists(page, selector);
  await page.$eval(
    selector,
    (node, value) => {
      node.focus();
      node.value = value;
      for (const type of ["input", "change"]) node.dispatchEvent(new Event(type, { bubbles: true }));
    },
    value,
  );
}

/** The selector of a place: a square of the board (`"2e"`) or a piece in hand (`"D*"`). */
const at = (place) =>
  place.endsWith("*") ? `.side.turn .held[data-token="${place.slice(0, -1)}"]` : `#board [data-square="${place}"]`;

/** Clicks squares of the board or pieces in hand, one after the other. */
export async function click(page, ...places) {
  for (const place of places) await press(page, at(place));
}

/** Touches them. */
export async function tap(page, ...places) {
  for (const place of places) await press(page, at(place), { touch: true });
}

/** Drags a piece from one place to another. */
export async function drag(page, from, to) {
  const [start, end] = [await target(page, at(from)), await target(page, at(to))];
  await page.mouse.move(start.x, start.y);
  await page.mouse.down();
  await page.mouse.move(end.x, end.y, { steps: 4 });
  await page.mouse.up();
}

// Games

const player = (who) => (who === "human" ? { kind: "human" } : { kind: "engine", level: who });

/** Begins a game as the dialog would, and waits until it is on the board. */
export async function begin(page, { players = ["human", "human"], ...wishes }) {
  const before = await page.evaluate(() => window.kujira.store.state()?.id);
  await page.evaluate((game) => window.kujira.store.start(game), {
    variant: "whale",
    ...wishes,
    players: players.map(player),
  });
  await until(page, (old) => window.kujira.store.state() && window.kujira.store.state().id !== old, before);
}

/** The moves of the main line, as USI. */
export const moves = (page) =>
  page.evaluate(() => {
    const nodes = new Map(window.kujira.store.state().nodes.map((node) => [node.id, node]));
    const line = [];
    for (let node = nodes.get(0); node.children.length;) {
      node = nodes.get(node.children[0]);
      line.push(node.usi);
    }
    return line;
  });

/** Waits until the last move of the game is this one. */
export const played = (page, usi) =>
  until(
    page,
    (wanted) => {
      const state = window.kujira.store.state();
      return state?.nodes.find((node) => node.id === state.current)?.usi === wanted;
    },
    usi,
  );

/**
 * Plays against an engine until it has answered some times: each time the first move that needs two clicks, whatever
 * the engine played.
 */
export async function playOn(page, answers) {
  for (let turn = 1; turn <= answers; turn++) {
    const [nodes, from, to] = await until(page, () => {
      const { movable, nodes, position } = window.kujira.store.state();
      const move = movable && position.legal.find((legal) => legal.from && !legal.way && !legal.promotes);
      return move && [nodes.length, move.from, move.to];
    });
    await click(page, from, to);
    await until(
      page,
      (count) => {
        // The coach may find the move a poor one.
        const buttons = [...document.querySelectorAll(".coach-card button")];
        buttons.find((button) => button.textContent === "Play it")?.click();
        return window.kujira.store.state().nodes.length === count;
      },
      nodes + 2,
    );
  }
}

/** The saved games behind the page's back, as texts by their names: files of the place, or records of the browser. */
export const shelf = (page, place) =>
  DRIVER === "static"
    ? {
        read: (id) => page.evaluate(record, "readonly", "get", id).then((found) => found?.saved ?? null),
        write: (id, saved, modified = 1e9) => page.evaluate(record, "readwrite", "put", { id, modified, saved }),
      }
    : {
        read: (id) => readFile(join(place.folder, "games", `${id}.json`), "utf8").catch(() => null),
        async write(id, saved, modified = 1e9) {
          const path = join(place.folder, "games", `${id}.json`);
          await writeFile(path, saved);
          await utimes(path, modified, modified);
        },
      };

/** Runs in the page: does something with its store of games. */
const record = (mode, act, value) =>
  new Promise((resolve, reject) => {
    const opened = indexedDB.open("kujira");
    opened.onerror = () => reject(opened.error);
    opened.onsuccess = () => {
      const transaction = opened.result.transaction("games", mode);
      const asked = transaction.objectStore("games")[act](value);
      transaction.oncomplete = () => (opened.result.close(), resolve(asked.result));
      transaction.onabort = () => reject(transaction.error);
    };
  });

/** Forgets what the page has said in passing; {@link said} tells what it says from then on. */
export const listen = (page) => page.evaluate(() => (document.querySelector("#toast").textContent = ""));
export const said = (page) => text(page, "#toast");
