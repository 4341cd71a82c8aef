// A server with a folder of its own, and pages in Debian's chromium.

import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
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

export const launch = () =>
  chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });

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
    if (!["data:", "blob:"].includes(url.protocol) && url.host !== new URL(server.address).host) page.problems.push(`request to ${url}`);
  });
  await page.goto(server.address + hash);
  await page.waitForSelector("#board .cell .tile");
  return page;
}

const player = (who) => (who === "human" ? { kind: "human" } : { kind: "engine", level: who });

/** Begins a game as the dialog would, and waits until it is on the board. */
export async function begin(page, { players = ["human", "human"], ...wishes }) {
  const before = await page.evaluate(() => window.kujira.state()?.id);
  await page.evaluate((game) => window.kujira.start(game), { variant: "whale", ...wishes, players: players.map(player) });
  await page.waitForFunction((old) => window.kujira.state() && window.kujira.state().id !== old, before);
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
    const nodes = new Map(window.kujira.state().nodes.map((node) => [node.id, node]));
    const line = [];
    for (let node = nodes.get(0); node.children.length; ) {
      node = nodes.get(node.children[0]);
      line.push(node.usi);
    }
    return line;
  });

/** Waits until the last move of the game is this one. */
export async function played(page, usi) {
  await page.waitForFunction((wanted) => {
    const state = window.kujira.state();
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
