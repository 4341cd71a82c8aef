// The page knows its server through `link.js` only: nothing else reaches out, and another driver replaces that file.

import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { test } from "node:test";
import { click, openPage, serverAndBrowser } from "./harness.mjs";

const SOURCE = new URL("../src/", import.meta.url);
const at = serverAndBrowser();

test("link.js alone reaches the server, address.js alone reads the page's address", async () => {
  const homes = {
    "link.js": /\b(fetch|WebSocket|XMLHttpRequest|EventSource|sendBeacon|baseURI)\b/,
    "address.js": /\b(location|history)\s*\./,
    "storage.js": /\b(localStorage|sessionStorage|indexedDB)\b/,
  };
  const files = (await readdir(SOURCE, { recursive: true })).filter((name) => name.endsWith(".js"));
  assert.ok(files.length > 20, `${files}`);
  for (const file of files) {
    const text = await readFile(new URL(file, SOURCE), "utf8");
    for (const [home, pattern] of Object.entries(homes))
      assert.equal(pattern.test(text), file === home, `${file}: ${pattern}`);
  }
});

/** A driver without a server: one game, which stays as it is, and a record of what it is asked for. */
function driver(spec, state) {
  const saved = { id: state.id, variant: "Another driver's", players: ["A", "B"], moves: 3, modified: 0 };
  return `
    export class Link {
      #listener;
      listen(listener) { this.#listener = listener; }
      async spec() { return ${JSON.stringify(spec)}; }
      async list() { return [${JSON.stringify(saved)}]; }
      async create(wishes) { window.asked = [wishes]; return { id: "${state.id}" }; }
      async remove() {}
      open() { setTimeout(() => { this.#listener.up(); this.#listener.receive(${JSON.stringify(state)}); }); }
      send(command) { window.asked.push(command); return true; }
    }`;
}

test("with another link.js the same page plays without a server", async () => {
  const first = await openPage(at.browser, at.server);
  const { spec, state } = await first.evaluate(() => {
    const { store } = window.kujira;
    return { spec: store.spec, state: store.state() };
  });
  const files = new Map();
  for (const file of await readdir(SOURCE, { recursive: true })) {
    files.set(`/${file}`, await readFile(new URL(file, SOURCE)).catch(() => null));
  }
  files.set("/link.js", driver(spec, state));
  files.set("/", files.get("/index.html"));
  const context = await at.browser.newContext();
  const page = await context.newPage();
  const foreign = [];
  const kinds = { js: "text/javascript", css: "text/css", svg: "image/svg+xml" };
  await context.route("**", (route) => {
    const { pathname } = new URL(route.request().url());
    const body = files.get(pathname);
    if (!body) foreign.push(pathname);
    const contentType = kinds[pathname.split(".")[1]] ?? "text/html";
    return body ? route.fulfill({ body, contentType }) : route.abort();
  });
  await page.goto("http://nowhere.example/");
  await page.waitForSelector("#board .cell .tile");
  await page.click("#open-games");
  assert.match(await page.textContent(".game-item"), /Another driver's/);
  await page.keyboard.press("Escape");
  await click(page, "2e", "2d");
  const [wishes, command] = await page.evaluate(() => window.asked);
  assert.equal(wishes.variant, "whale");
  assert.deepEqual(command, { type: "play", at: 0, usi: "2e2d" });
  assert.deepEqual(foreign, []);
  await context.close();
  await first.context().close();
});
