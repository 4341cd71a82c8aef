// The page knows its server through `link.js` only: nothing else reaches out, and another driver replaces that file.

import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { click, leave, openPage, placeAndBrowser, press, serveFiles, text } from "./harness.mjs";

const SOURCE = new URL("../src/", import.meta.url);
const at = placeAndBrowser();

test("link.js alone reaches the server, address.js alone reads the page's address", async () => {
  const homes = {
    "link.js": /\b(fetch|WebSocket|XMLHttpRequest|EventSource|sendBeacon|baseURI)\b/,
    "address.js": /\b(location|history)\s*\./,
    "storage.js": /\b(localStorage|sessionStorage|indexedDB)\b/,
  };
  const files = (await readdir(SOURCE, { recursive: true })).filter((name) => name.endsWith(".js"));
  assert.ok(files.length > 20, `${files}`);
  for (const file of files) {
    let text = await readFile(new URL(file, SOURCE), "utf8");
    // It runs before there are modules, and looks whether there is an address behind the `#`, no more.
    if (file === "first.js") text = text.replace("location.hash.length", "");
    for (const [home, pattern] of Object.entries(homes))
      assert.equal(pattern.test(text), file === home, `${file}: ${pattern}`);
  }
});

/** A driver without a server: one game, which stays as it is, and a record of what it is asked for. */
function driver(spec, state) {
  const saved = { id: state.id, variant: "Another driver's", players: [{ kind: "human" }, { kind: "human" }], moves: 3, modified: 0 };
  return `
    export class Link {
      #listener;
      listen(listener) { this.#listener = listener; }
      async spec() { return ${JSON.stringify(spec)}; }
      async list() { return [${JSON.stringify(saved)}]; }
      async create(wishes) { window.asked = [wishes]; return { id: "${state.id}" }; }
      async remove() {}
      open() { setTimeout(() => { this.#listener.up(); this.#listener.receive(${JSON.stringify(state)}); }); }
      close() {}
      send(command) { window.asked.push(command); return true; }
    }`;
}

test("with another link.js the same page plays without a server", async (t) => {
  const first = await openPage(at.browser, at.place);
  const { spec, state } = await first.evaluate(() => {
    const { store } = window.kujira;
    return { spec: store.spec, state: store.state() };
  });
  await leave(first);
  const place = await serveFiles({ root: fileURLToPath(SOURCE), instead: { "link.js": driver(spec, state) } });
  t.after(() => place.stop());
  const page = await openPage(at.browser, place);
  await press(page, "#open-games");
  assert.match(await text(page, ".game-item"), /Another driver's/);
  await page.keyboard.press("Escape");
  await click(page, "2e", "2d");
  const [wishes, ...commands] = await page.evaluate(() => window.asked);
  assert.equal(wishes.variant, "whale");
  assert.deepEqual(commands, [
    { type: "pace", millis: 600 },
    { type: "play", at: 0, usi: "2e2d" },
  ]);
  assert.deepEqual([...page.problems, ...place.outside], []);
  assert.deepEqual(
    place.served.filter(({ status }) => status === 404),
    [],
  );
  await leave(page);
});
