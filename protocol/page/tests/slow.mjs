// How long a first visit to the page of static files takes over a slow line: by hand, on a machine that does nothing else.
//
//   KUJIRA_DIST=dist node protocol/page/tests/slow.mjs [Mbit/s] [milliseconds] [plain]
//
// The server answers each connection and each request after that time, all answers share the line, and files are sent as
// they lie beside with `.br`, unless `plain` is said. The first move is made as soon as the page takes it.

import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join } from "node:path";

process.env.KUJIRA_DRIVER = "static";
const { TYPES, launch, press } = await import("./harness.mjs");

const [rate = 0.4, latency = 400] = process.argv.slice(2, 4).map(Number);
const plain = process.argv.includes("plain");
const root = process.env.KUJIRA_DIST;
const pause = (wait) => new Promise((resolve) => setTimeout(resolve, wait));

/** Bytes that were sent, by names. */
const sent = new Map();
/** When the line is free. */
let free = 0;

/** Sends a file in small pieces, each when the line has room for it. */
async function send(answer, name, body) {
  for (let at = 0; at < body.length; at += 1400) {
    const piece = body.subarray(at, at + 1400);
    free = Math.max(free, performance.now()) + (piece.length * 8) / (rate * 1000);
    await pause(free - performance.now());
    sent.set(name, (sent.get(name) ?? 0) + piece.length);
    answer.write(piece);
  }
  answer.end();
}

const server = createServer(async (question, answer) => {
  const name = new URL(question.url, "http://localhost").pathname.slice(1) || "index.html";
  await pause(latency);
  const packed = !plain && (await readFile(join(root, `${name}.br`)).catch(() => null));
  const body = packed || (await readFile(join(root, name)).catch(() => null));
  if (!body) return answer.writeHead(404).end();
  const type = TYPES[extname(name)] ?? "application/octet-stream";
  answer.writeHead(200, { "content-type": type, ...(packed ? { "content-encoding": "br" } : {}) });
  await send(answer, name, body);
});
server.on("connection", (socket) => {
  socket.pause();
  setTimeout(() => socket.resume(), latency);
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve()));

const browser = await launch();
const page = await browser.newPage();
page.setDefaultNavigationTimeout(0);
page.goto(`http://127.0.0.1:${server.address().port}/`).catch(() => {});

/** Seconds since the page was asked for, as soon as a function gives something in it. */
async function when(act) {
  const end = performance.now() + 300000;
  while (performance.now() < end) {
    const found = await page.evaluate(act).catch(() => null);
    if (found) return (await page.evaluate(() => performance.now())) / 1000;
    await pause(20);
  }
  throw new Error(`waited in vain for ${act}: ${await page.$eval("#loading", (node) => node.textContent)}, ${[...sent]}`);
}

await when(() => performance.getEntriesByName("first-contentful-paint").length > 0);
const painted = await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0].startTime / 1000);
const ready = await when(() => document.querySelector(".welcome-card .primary:enabled") !== null);
await press(page, '.welcome-card[data-game="whale"] .primary');
const board = await when(() => window.kujira.store.state()?.movable);
await page.evaluate(() => window.kujira.store.send({ type: "play", at: 0, usi: "2e2d" }));
const answered = await when(() => window.kujira.store.state().nodes.length === 3);
const weight = [...sent.values()].reduce((sum, bytes) => sum + bytes, 0);
const seconds = (value) => `${value.toFixed(1)} s`;
console.log(
  `${rate} Mbit/s, ${latency} ms, ${plain ? "plain" : "brotli"}: first paint ${seconds(painted)}, ` +
    `buttons ${seconds(ready)}, board ${seconds(board)}, first answered move ${seconds(answered)}, ` +
    `${(weight / 1000).toFixed(0)} kB`,
);
for (const [name, bytes] of sent) console.log(`  ${name} ${(bytes / 1000).toFixed(1)} kB`);
await browser.close();
server.closeAllConnections();
server.close();
