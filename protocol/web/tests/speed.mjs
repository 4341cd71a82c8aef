// How fast the engine in the page is beside the native one, on one core: both search the same positions to the same
// number of nodes, turn by turn. Printed are medians of nodes a second, and the median of the ratios of neighbours.
//
//   KUJIRA_DIST=dist KUJIRA=target/release/kujira node protocol/web/tests/speed.mjs [runs] [nodes]

import { spawn } from "node:child_process";
import { copyFile, cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const { KUJIRA_DIST: DIST = "dist", KUJIRA = "target/release/kujira" } = process.env;
const [runs = 11, nodes = 500000] = process.argv.slice(2).map(Number);
const GAMES = ["whale", "paulowich", "great"];

/** Whoever takes lines and says lines: searches once, from nothing, and tells nodes a second. */
async function speed({ send, heard }) {
  send("usinewgame");
  send("isready");
  await heard(/^readyok/);
  send("position startpos");
  send(`go nodes ${nodes}`);
  let last = "";
  await heard(/^bestmove/, (line) => / nps (\d+)/.test(line) && (last = line));
  return Number(/ nps (\d+)/.exec(last)[1]);
}

/** Lines by the one who waits for them. */
function lines() {
  let take = () => {};
  return {
    say: (line) => take(line),
    heard: (pattern, look = (_) => {}) =>
      new Promise((done) => {
        take = (line) => {
          look(line);
          if (pattern.test(line)) done(line);
        };
      }),
  };
}

function native(game) {
  const child = spawn(KUJIRA, { stdio: ["pipe", "pipe", "inherit"] });
  const { say, heard } = lines();
  createInterface(child.stdout).on("line", say);
  const send = (line) => child.stdin.write(`${line}\n`);
  send(`setoption name USI_Variant value ${game}`);
  return { send, heard, close: () => send("quit") };
}

async function page(game, folder) {
  const { usi } = await import(pathToFileURL(resolve(folder, "node.js")).href);
  const { say, heard } = lines();
  const running = usi({ game, say });
  return { send: (line) => running.send(line), heard, close: () => running.close() };
}

const median = (list) => list.toSorted((a, b) => a - b)[list.length >> 1];
const millions = (list) => `${(median(list) / 1e6).toFixed(2)} M`;

// The same package, but with the engine for machines without 128-bit vectors.
const plain = await mkdtemp(join(tmpdir(), "kujira-plain-"));
const engine = join(DIST, "npm", "engine");
await cp(engine, plain, { recursive: true });
await copyFile(join(plain, "kujira_web_engine_plain.wasm"), join(plain, "kujira_web_engine_bg.wasm"));

console.log(`nodes a second, ${runs} runs of ${nodes} nodes from the start\n`);
console.log("| game | native | WebAssembly | of native | without vectors | of native |\n|---|---|---|---|---|---|");
for (const game of GAMES) {
  const engines = [native(game), await page(game, engine), await page(game, plain)];
  const found = engines.map(() => []);
  // The first is for whatever is compiled, mapped and filled on the way.
  for (let run = -1; run < runs; run++) {
    for (const [at, one] of engines.entries()) {
      const nps = await speed(one);
      if (run >= 0) found[at].push(nps);
    }
  }
  engines.forEach((one) => one.close());
  const share = (list) => `${Math.round(100 * median(list.map((nps, run) => nps / found[0][run])))} %`;
  const [one, vectors, without] = found;
  console.log(
    `| ${game} | ${millions(one)} | ${millions(vectors)} | ${share(vectors)} | ${millions(without)} | ${share(without)} |`,
  );
}
await rm(plain, { recursive: true, force: true });
