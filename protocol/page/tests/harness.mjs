// A server with a folder of its own, and pages in Debian's chromium.

import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, request } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, before } from "node:test";
import { chromium } from "playwright-core";

const PROGRAM = process.env.KUJIRA_BOARD;

/** Starts the server; `state` is kept from one to the next if given. */
export async function startServer({ state, port = 0 } = {}) {
  const folder = state ?? (await mkdtemp(join(tmpdir(), "kujira-board-")));
  const child = spawn(PROGRAM, ["--port", String(port), "--state", folder], { stdio: ["ignore", "pipe", "inherit"] });
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

export const launch = () =>
  chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });

/** A server and a browser for the tests of a file: filled in before the first of them, stopped after the last. */
export function serverAndBrowser() {
  const both = { server: null, browser: null };
  before(async () => {
    both.server = await startServer();
    both.browser = await launch();
  });
  after(async () => {
    await both.browser?.close();
    await both.server?.stop();
  });
  return both;
}

/** Opens the page; anything it complains about ends up in `page.problems`. */
export async function openPage(browser, server, options = {}, hash = "") {
  const context = await browser.newContext({ viewport: { width: 1400, height: 900 }, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(15000);
  page.problems = [];
  page.on("pageerror", (error) => page.problems.push(error.message));
  page.on("console", (message) => message.type() === "error" && page.problems.push(message.text()));
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (!["data:", "blob:"].includes(url.protocol) && url.host !== new URL(server.address).host)
      page.problems.push(`request to ${url}`);
  });
  await page.goto(server.address + hash);
  await page.waitForSelector("#board .cell .tile");
  return page;
}

const player = (who) => (who === "human" ? { kind: "human" } : { kind: "engine", level: who });

/** Begins a game as the dialog would, and waits until it is on the board. */
export async function begin(page, { players = ["human", "human"], ...wishes }) {
  const before = await page.evaluate(() => window.kujira.store.state()?.id);
  await page.evaluate((game) => window.kujira.store.start(game), {
    variant: "whale",
    ...wishes,
    players: players.map(player),
  });
  await page.waitForFunction((old) => window.kujira.store.state() && window.kujira.store.state().id !== old, before);
}

/** Clicks squares of the board (`"2e"`) or pieces in hand (`"D*"`), one after the other. */
export async function click(page, ...places) {
  for (const place of places) {
    if (place.endsWith("*")) await page.click(`.side.turn .held[data-token="${place.slice(0, -1)}"]`);
    else await page.click(`#board [data-square="${place}"]`);
  }
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
export async function played(page, usi) {
  await page.waitForFunction((wanted) => {
    const state = window.kujira.store.state();
    return state?.nodes.find((node) => node.id === state.current)?.usi === wanted;
  }, usi);
}

/** Forgets what the page has said in passing; {@link said} tells what it says from then on. */
export const listen = (page) => page.evaluate(() => (document.querySelector("#toast").textContent = ""));
export const said = (page) => page.textContent("#toast");

/** Does something until it succeeds, as files appear some time after moves. */
export async function eventually(act) {
  for (let tries = 100; ; tries--) {
    try {
      return await act();
    } catch (error) {
      if (tries === 0) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

/** The accessible name of a square: what stands there. */
export const square = (page, name) => page.getAttribute(`#board [data-square="${name}"]`, "aria-label");
