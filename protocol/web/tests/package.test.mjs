// The engine of the package as its users have it, in lines of USI.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { copyFile, cp, readFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { DIST, entry, installed } from "./installed.mjs";

/** By game: the signature of its search, and its perft counts from the start. */
const KNOWN = {
  whale: { signature: 608442, perft: { 5: 30664 } },
  paulowich: { signature: 742043, perft: { 5: 54323 } },
  great: { signature: 543881, perft: { 3: 73627 } },
};

let folder, remove, usi;
/** Every engine started. */
const talks = [];

before(async () => {
  ({ folder, remove } = await installed());
  ({ usi } = await entry(folder, "whaleshogi/engine"));
});
after(async () => {
  // Also those of tests that failed: nobody waits for them.
  talks.forEach((talk) => talk.engine.close());
  await remove();
});

/** An engine, whose lines are waited for. */
class Talk {
  said = [];
  #news = () => {};

  constructor(wishes, begin = usi) {
    const say = (line) => {
      this.said.push(line);
      this.#news();
    };
    this.over = new Promise((over) => (this.engine = begin({ ...wishes, say, over })));
    talks.push(this);
  }

  send(...lines) {
    lines.forEach((line) => this.engine.send(line));
    return this;
  }

  /** The next line that this matches; those before it are forgotten. */
  async hear(pattern) {
    const late = setTimeout(() => this.#news(new Error(`expected ${pattern}, found ${this.said.join("\n")}`)), 60000);
    for (;;) {
      const at = this.said.findIndex((line) => pattern.test(line));
      if (at >= 0) {
        clearTimeout(late);
        return this.said.splice(0, at + 1).at(-1);
      }
      await new Promise((resolve, reject) => (this.#news = (error) => (error ? reject(error) : resolve())));
    }
  }

  async quit() {
    this.engine.send("quit");
    await this.over;
  }
}

for (const [game, { signature, perft }] of Object.entries(KNOWN)) {
  test(`${game}: signature and perft counts are those of every other build`, async () => {
    const talk = new Talk({ game }).send("bench");
    assert.match(await talk.hear(/^bench /), new RegExp(` signature ${signature}$`));
    for (const [depth, count] of Object.entries(perft)) {
      talk.send(`perft ${depth}`);
      assert.equal(await talk.hear(/^total /), `total ${count}`);
    }
    await talk.quit();
  });

  for (const shared of [true, false]) {
    test(`${game}: a game against itself to its end, ${shared ? "with" : "without"} shared memory`, async () => {
      const talk = new Talk({ game, shared });
      talk.send("usi");
      await talk.hear(/^usiok$/);
      const moves = [];
      // Once the game is over, drawn or not, the engine resigns.
      for (;;) {
        talk.send(`position startpos${moves.length ? ` moves ${moves.join(" ")}` : ""}`, "go nodes 1000");
        const [, move] = (await talk.hear(/^bestmove /)).split(" ");
        if (move === "resign") break;
        moves.push(move);
        assert.ok(moves.length < 400, moves.join(" "));
      }
      assert.ok(moves.length > 10, moves.join(" "));
      assert.ok(!talk.said.some((line) => /^info string error/.test(line)), talk.said.join("\n"));
      await talk.quit();
    });
  }
}

test("the books are read where one is asked for", async () => {
  for (const game of Object.keys(KNOWN)) {
    const talk = new Talk({ game }).send("setoption name USI_OwnBook value true", "position startpos", "go nodes 100000");
    await talk.hear(/^info string book$/);
    await talk.hear(/^bestmove \d/);
    await talk.quit();
  }
});

for (const shared of [true, false]) {
  test(`stop is heard in a search, ${shared ? "with" : "without"} shared memory`, async () => {
    const talk = new Talk({ shared }).send("position startpos moves 2e2d", "go infinite");
    const times = [];
    for (let tries = 0; tries < 9; tries++) {
      await talk.hear(/^info depth 9 /);
      const start = performance.now();
      talk.send("stop");
      assert.match(await talk.hear(/^bestmove /), /^bestmove \S+/);
      times.push(performance.now() - start);
      talk.send("isready", "go infinite");
      await talk.hear(/^readyok$/);
    }
    times.sort((a, b) => a - b);
    console.log(`  stop: median ${times[4].toFixed(1)} ms, slowest ${times.at(-1).toFixed(1)} ms`);
    await talk.quit();
  });
}

test("without 128-bit vectors it searches the same tree", async () => {
  const plain = join(folder, "plain");
  await cp(join(DIST, "npm", "engine"), plain, { recursive: true });
  await copyFile(join(plain, "kujira_web_engine_plain.wasm"), join(plain, "kujira_web_engine_bg.wasm"));
  const other = await import(pathToFileURL(join(plain, "node.js")).href);
  const talk = new Talk({ game: "whale" }, other.usi).send("bench");
  assert.match(await talk.hear(/^bench /), new RegExp(` signature ${KNOWN.whale.signature}$`));
  await talk.quit();
});

test("another game is chosen, also while one is searched", async () => {
  const talk = new Talk({ game: "whale" }).send("go infinite");
  await talk.hear(/^info depth 5 /);
  talk.send("stop", "setoption name USI_Variant value great", "isready", "position startpos", "go nodes 500");
  await talk.hear(/^bestmove /);
  await talk.hear(/^readyok$/);
  await talk.hear(/^bestmove \d+[a-k]/);
  await talk.quit();
});

test("what a page does not have is refused, and what was there stays", async () => {
  const talk = new Talk({ game: "whale" }).send("setoption name Threads value 2");
  assert.match(await talk.hear(/^info string error/), /Threads.*1/);
  talk.send("setoption name USI_Hash value 999999999");
  assert.match(await talk.hear(/^info string error/), /USI_Hash/);
  talk.send("position startpos", "go nodes 1000");
  await talk.hear(/^bestmove /);
  assert.throws(() => usi({ game: "chess", say() {} }), /expected a game among whale, paulowich, great, found chess/);
  await talk.quit();
});

for (const shared of [true, false]) {
  const how = `${shared ? "with" : "without"} shared memory`;

  test(`quit behind a search is answered first, ${how}`, async () => {
    for (const go of ["go nodes 200000", "go infinite", "go ponder", "go mate 60000"]) {
      const talk = new Talk({ shared }).send("usi", "position startpos", go, "quit", "isready");
      assert.equal(await talk.over, undefined, "no trouble");
      assert.ok(talk.said.includes("usiok"), talk.said.join("\n"));
      assert.match(talk.said.at(-1), go.includes("mate") ? /^checkmate / : /^bestmove \d/, go);
    }
    // In the middle of one.
    const talk = new Talk({ shared }).send("go infinite");
    await talk.hear(/^info depth 5 /);
    await talk.quit();
    assert.match(talk.said.at(-1), /^bestmove \d/);
  });

  test(`a process ends when everything asked is answered, ${how}`, async () => {
    // The last search is ended by a line, and what is asked in its answer is answered, too.
    const { stdout } = await program(`
      const kujira = usi({ shared: ${shared}, say(line) {
        console.log(line);
        if (/^info depth 3 /.test(line)) kujira.send("stop");
        if (/^bestmove/.test(line)) kujira.send("isready");
      } });
      kujira.send("usi");
      kujira.send("go infinite");
    `);
    assert.match(stdout, /^usiok\n(.*\n)*bestmove \d.*\nreadyok\n$/m);
  });
}

/** Runs a program that has \`usi\`; node is told \`flags\`. */
async function program(text, ...flags) {
  const file = join(folder, `program-${flags.length}.mjs`);
  await writeFile(file, `import { usi } from "whaleshogi/engine";\n${text}`);
  return promisify(execFile)(process.execPath, [...flags, file], { timeout: 120000 });
}

test("a table of every size up to the largest is made, at once and in steps, and its memory is given back", async () => {
  const talk = new Talk({ game: "whale" });
  const resident = () => process.memoryUsage.rss() / 2 ** 20;
  const before = resident();
  for (const size of [2048, 8, 1200, 2048]) {
    talk.send("position startpos moves 2e2d", `setoption name USI_Hash value ${size}`, "isready", "go nodes 1000");
    assert.match(await talk.hear(/^bestmove |^info string error/), /^bestmove \d/, `${size} MiB`);
  }
  assert.ok(resident() - before > 2000, "all of it is there");
  talk.send("setoption name USI_Hash value 8", "isready", "d");
  await talk.hear(/^readyok$/);
  // What the system takes back is seen a moment later.
  for (let tries = 0; resident() - before > 500; tries++) {
    assert.ok(tries < 600, `${resident()} MiB are kept, ${before} were there before`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  await talk.quit();
});

test("a table for which there is no memory is refused, and the one before stays", async () => {
  // 512 MiB for all of it.
  const { stdout } = await program(
    `
    const kujira = usi({ say: (line) => console.log(line) });
    for (const size of [8, 1024]) {
      kujira.send(\`setoption name USI_Hash value \${size}\`);
      kujira.send("isready");
    }
    kujira.send("go nodes 1000");
    `,
    "--wasm-max-mem-pages=8192",
  );
  const refusals = stdout.split("\n").filter((line) => /error/.test(line));
  assert.deepEqual(refusals, [
    "info string error USI_Hash: expected memory for a table of 1024 MiB, found less; keeping 8 MiB",
  ]);
  assert.match(stdout, /^bestmove \d/m);
});

test("the licences of everything linked in lie beside it", async () => {
  for (const [place, crates] of Object.entries({
    "engine": ["kujira-search", "rayon", "wasm-bindgen"],
    "npm/engine": ["kujira-search", "rayon", "wasm-bindgen"],
    "npm/rules": ["kujira-binding", "js-sys", "wasm-bindgen"],
    "board": ["kujira-table", "serde_json", "wasm-bindgen"],
  })) {
    const text = await readFile(join(DIST, place, "licences.txt"), "utf8");
    for (const crate of crates) assert.match(text, new RegExp(`^${crate} \\d+\\.`, "m"), `${crate} in ${place}`);
    assert.match(text, /Permission is hereby granted, free of charge/);
  }
  for (const place of ["engine", "npm/engine"]) {
    const [file] = (await readdir(join(DIST, place))).filter((name) => name.startsWith("licences-rust."));
    assert.match(await readFile(join(DIST, place, file), "utf8"), /hashbrown/, "Rust's own library, in which it is");
  }
});
