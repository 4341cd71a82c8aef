// The package for pages in a page of somebody else: what a browser does not load or does not allow is told.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { launch, withStatic } from "./harness.mjs";

const ROOT = join(process.env.KUJIRA_DIST ?? "", "npm", "engine");
const TYPES = { ".js": "text/javascript", ".wasm": "application/wasm", ".html": "text/html" };

let browser;

/** Serves the package to everybody, and an empty page; of the files in `stalls` so many bytes, and then nothing more. */
async function serve(t, stalls = {}) {
  const server = createServer(async ({ url }, answer) => {
    const name = new URL(url, "http://localhost").pathname.slice(1) || "page.html";
    const body = name === "page.html" ? "<!doctype html>" : await readFile(join(ROOT, name)).catch(() => null);
    const headers = { "content-type": TYPES[extname(name)] ?? "application/octet-stream" };
    // Without its head, too, if nothing is to come.
    if (stalls[name] === 0) return;
    answer.writeHead(body === null ? 404 : 200, { ...headers, "access-control-allow-origin": "*" });
    if (name in stalls) answer.write(body.subarray(0, stalls[name]));
    else answer.end(body ?? "");
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${server.address().port}/`;
}

async function visit(t, address) {
  const context = await browser.createBrowserContext();
  t.after(() => context.close());
  const page = await context.newPage();
  await page.goto(address);
  return page;
}

/** Runs in the page: what the engine at an address says before it ends, or until it has said a line that begins so. */
async function talk(address, wishes, lines, last) {
  const { usi } = await import(`${address}browser.js`);
  return new Promise((resolve) => {
    const said = [];
    const say = (line) => {
      said.push(line);
      if (last && line.startsWith(last)) resolve({ said });
    };
    const started = usi({ ...wishes, say, over: (trouble) => resolve({ said, trouble }) });
    lines.forEach((line) => started.send(line));
  });
}

describe("the package in somebody's page", withStatic, () => {
  before(async () => (browser = await launch()));
  after(() => browser.close());

  test("a worker from another origin is told of by the engine, and send throws nothing", async (t) => {
    const [here, there] = [await serve(t), await serve(t)];
    const page = await visit(t, here);
    const { said, trouble } = await page.evaluate(talk, there, {}, ["usi", "go depth 1"]);
    assert.match(trouble, /^expected an engine, could not load it: ./);
    assert.equal(said.at(-1), `info string error engine: ${trouble}`);
  });

  for (const [name, bytes] of [
    ["kujira_web_engine_bg.wasm", 0],
    ["kujira_web_engine_bg.wasm", 5000],
    ["whale.net", 5000],
    ["search-worker.js", 0],
  ]) {
    test(`${name} of which ${bytes} bytes come and no more is given up, and another try plays`, async (t) => {
      const stalls = { [name]: bytes };
      const address = await serve(t, stalls);
      const page = await visit(t, address);
      // As a worker, which ends with an event of the browser's.
      const event = await page.evaluate(
        () =>
          new Promise((resolve) => {
            const engine = new Worker("kujira.js?timeout=700#whale", { type: "module" });
            engine.onerror = ({ message }) => resolve(message);
            engine.postMessage("usi");
          }),
      );
      assert.match(event, /expected an engine, could not load it/);
      const { said, trouble } = await page.evaluate(talk, address, { timeout: 700 }, ["usi"]);
      assert.equal(said.at(-1), `info string error engine: ${trouble}`);
      // What browsers load by themselves they wait for, 20 s.
      if (name.startsWith("search")) return;
      delete stalls[name];
      const next = await page.evaluate(talk, address, {}, ["go depth 1"], "bestmove");
      assert.match(next.said.at(-1), /^bestmove \d/);
    });
  }

  test("a game whose network does not come is not chosen, and the one before goes on", async (t) => {
    const address = await serve(t, { "great.net": 0 });
    const page = await visit(t, address);
    const lines = ["setoption name USI_Variant value great", "go depth 1"];
    const { said } = await page.evaluate(talk, address, { timeout: 2000, game: "whale" }, lines, "bestmove");
    assert.match(said[0], /^info string error engine: expected the network of great, could not load it: .* nothing came/);
    assert.match(said.at(-1), /^bestmove [1-6][a-f]/);
  });
});
