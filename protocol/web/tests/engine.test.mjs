// The engine of the package in values.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { after, before, test } from "node:test";
import { entry, installed } from "./installed.mjs";

let folder, remove, Board, Engine, usi;
const engines = [];
const started = (options) => {
  engines.push(new Engine(options));
  return engines.at(-1);
};

before(async () => {
  ({ folder, remove } = await installed());
  const rules = await entry(folder, "whaleshogi");
  await rules.load();
  ({ Board } = rules);
  ({ Engine, usi } = await entry(folder, "whaleshogi/engine"));
});
after(async () => {
  engines.forEach((engine) => engine.terminate());
  await remove();
});

const MATE = "5w/3K2/5W/6/6/6 b - 1";

test("a search tells best move, lines and scores, the same twice", async () => {
  const engine = started();
  for (const game of ["whale", "paulowich", "great"]) {
    const board = new Board(game);
    const heard = [];
    // Who is told a line has it for his own.
    const onLine = (line) => (heard.push(structuredClone(line)), line.pv.splice(0), (line.score = null));
    const options = { nodes: 2000, lines: 3, onLine };
    const found = await engine.search(board, options);
    assert.equal(found.answer, "move");
    assert.ok(board.isLegal(found.best), found.best);
    assert.deepEqual(found.lines.map(({ multipv }) => multipv), [1, 2, 3]);
    assert.deepEqual([found.lines[0].pv[0], found.lines[0].score], [found.best, found.score]);
    found.lines.forEach(({ pv, bound }) => {
      assert.equal(bound, "exact");
      board.copy().pushMoves(pv);
    });
    assert.ok(found.nodes >= 2000 && found.nodes < 3000 && found.depth > 1, JSON.stringify(found));
    assert.ok(heard.length > 3);
    engine.newGame();
    const again = await engine.search(board, options);
    const untimed = (text) => JSON.stringify(text, (name, value) => (name === "time" ? 0 : value));
    assert.equal(untimed(again), untimed(found));
  }
});

test("positions are texts, too, and the game, its rules and its past are told", async () => {
  const engine = started({ game: "whale" });
  const found = await engine.search(`sfen ${MATE}`, { depth: 3 });
  assert.deepEqual([found.best, found.score], ["3b2b", { mate: 1 }]);
  const great = await engine.search("startpos", { nodes: 100 });
  assert.ok(new Board("whale").isLegal(great.best));
  const board = new Board("whale", MATE);
  board.push("3b2b");
  const over = await engine.search(board, { nodes: 100 });
  assert.deepEqual([over.best, over.answer, over.lines, over.score], [null, "resign", [], { mate: 0 }]);
  assert.equal(await engine.play(board), null);
  const one = await engine.search(new Board(), { nodes: 500, moves: ["1e1d"] });
  assert.equal(one.best, "1e1d");
});

test("a mate is proved, refuted or unknown", async () => {
  const engine = started();
  assert.deepEqual(await engine.mate(new Board("whale", MATE)), { status: "proved", line: ["3b2b"] });
  assert.deepEqual(await engine.mate(new Board("whale")), { status: "refuted", line: [] });
  const deep = new Board("whale", "w5/6/2K3/6/3W2/6 b K2GH2N2B4D 1");
  const { status } = await engine.mate(deep, { nodes: 1 });
  assert.ok(["unknown", "proved"].includes(status), status);
});

test("levels and Elo play weaker, and the next search does not", async () => {
  const engine = started();
  const board = new Board("whale", MATE);
  for (const options of [{ level: 1, nodes: 100 }, { elo: 0, nodes: 100 }, { level: 10, depth: 3 }]) {
    assert.ok(board.isLegal(await engine.play(board, options)));
  }
  assert.equal((await engine.search(board, { depth: 3 })).best, "3b2b");
});

test("stop answers with what was found, a signal fails with its reason", async () => {
  const engine = started();
  let found = engine.search(new Board(), { infinite: true, onLine: ({ depth }) => depth >= 5 && engine.stop() });
  assert.ok((await found).depth >= 5);
  const why = new Error("enough");
  const stop = new AbortController();
  const onLine = ({ depth }) => depth >= 5 && stop.abort(why);
  await assert.rejects(engine.search(new Board(), { infinite: true, signal: stop.signal, onLine }), why);
  await assert.rejects(engine.search(new Board(), { nodes: 10, signal: stop.signal }), why);
  const broken = () => {
    throw why;
  };
  await assert.rejects(engine.search(new Board(), { infinite: true, onLine: broken }), why);
  found = engine.search(new Board(), { infinite: true });
  await assert.rejects(engine.search(new Board(), { nodes: 1 }), /^Error: expected no other search that runs, found one$/);
  assert.throws(() => engine.newGame(), /expected no search that runs/);
  engine.stop();
  assert.ok((await found).best);
});

test("an engine that ended says so", async () => {
  for (const before of [true, false]) {
    const engine = started();
    if (before) {
      const found = engine.search(new Board(), { infinite: true });
      engine.terminate();
      await assert.rejects(found, /^Error: it was terminated$/);
    } else {
      engine.terminate();
    }
    await assert.rejects(engine.search(new Board(), { nodes: 1 }), /found one that ended: it was terminated/);
  }
});

test("what is wrong is refused, and the engine goes on", async () => {
  const engine = started();
  for (const [ask, type, text] of [
    [() => engine.search(new Board(), {}), RangeError, "expected a limit: nodes, depth, time or infinite, found none"],
    [() => engine.search(new Board()), TypeError, /^expected options as an object with nodes/],
    [() => engine.search(new Board(), { nodes: 0 }), RangeError, /^expected nodes from 1 to \d+, found 0$/],
    [() => engine.search(new Board(), { nodes: "5" }), TypeError, "expected nodes as a number, found string"],
    [() => engine.search(new Board(), { nodes: NaN }), RangeError, /found NaN/],
    [() => engine.search(new Board(), { node: 5 }), RangeError, /^expected options with nodes.*, found node$/],
    [() => engine.search(7, { nodes: 5 }), TypeError, "expected a Board, or a position of USI as a string, found number"],
    [() => engine.search("startpos\nquit", { nodes: 5 }), RangeError, /in one line/],
    [() => engine.search("startpos moves 2e2c", { nodes: 5 }), RangeError, /^position: .*expected a legal move, found 2e2c/],
    [() => engine.search("nowhere", { nodes: 5 }), RangeError, /^position: expected startpos or sfen/],
    [() => engine.search(new Board(), { nodes: 5, moves: ["2e2c"] }), RangeError, /2e2c/],
    ...["a\nb", "infinite", "ponder", "mate", "2e2d 3e3d", "2e2d infinite", " ", ""].map((m) => [
      () => engine.search(new Board(), { nodes: 5, moves: ["2e2d", m] }), RangeError, `expected a move, found ${JSON.stringify(m)}`,
    ]),
    [() => engine.search(new Board(), { nodes: 5, lines: 0 }), RangeError, "expected lines from 1 to 256, found 0"],
    [() => engine.play(new Board(), { level: 11 }), RangeError, "expected level from 1 to 10, found 11"],
    [() => engine.play(new Board(), { level: 1, elo: 5 }), RangeError, "expected a level or an elo, found both"],
    [() => engine.play(new Board(), { elo: 100000, nodes: 5 }), RangeError, /^setoption USI_Elo: expected a number from 0 to 6051/],
    [() => engine.mate(new Board(), { infinite: true }), RangeError, /found infinite$/],
    [() => engine.search(new Board(), { infinite: 1 }), TypeError, "expected infinite as a boolean, found number"],
    [() => engine.search(new Board(), { infinite: true, time: 5 }), RangeError, "expected infinite or a limit, found infinite and movetime"],
    [() => engine.search(new Board(), { nodes: 5, moves: [] }), RangeError, "expected moves to choose among, found none"],
    [() => engine.search(new Board(), { nodes: 5, moves: null }), TypeError, "expected moves as an array or iterable, found null"],
    [() => engine.search(new Board(), { nodes: 5, moves: "2e2d" }), TypeError, "expected moves as an array or iterable, found string"],
    [() => engine.search(new Board(), { nodes: 5, onLine: 5 }), TypeError, "expected onLine as a function, found number"],
    [() => engine.search(new Board(), { nodes: 5, signal: {} }), TypeError, /^expected signal as the signal of an AbortController, found object$/],
    [() => engine.search({ toUsi: () => 5 }, { nodes: 5 }), TypeError, /^expected toUsi\(\) as an array of lines/],
    [() => engine.search({ toUsi: () => ["quit"] }, { nodes: 5 }), TypeError, /^expected toUsi\(\) as an array of lines/],
    [() => engine.search({ toUsi: 5 }, { nodes: 5 }), TypeError, /^expected a Board, or a position of USI/],
    [() => engine.search("junk", { infinite: true }), RangeError, /^position: expected startpos or sfen/],
    [() => engine.search(new Board(), { infinite: true, moves: ["2e2c"] }), RangeError, /2e2c/],
    [() => engine.mate("junk"), RangeError, /^position: expected startpos or sfen/],
    [() => engine.search(new Board(), new Map()), TypeError, /^expected options as an object with nodes.*, found Map$/],
  ]) {
    await assert.rejects(ask, (error) => {
      assert.ok(error instanceof type, `${ask}: ${error}`);
      if (typeof text === "string") assert.equal(error.message, text, `${ask}`);
      else assert.match(error.message, text, `${ask}`);
      return true;
    });
  }
  assert.ok((await engine.search(new Board(), { nodes: 50 })).best);
  assert.throws(() => new Engine({ game: "chess" }), /expected a game among whale, paulowich, great, found chess/);
  assert.throws(() => new Engine({ hash: 0 }), /expected hash from 1 to 2048, found 0/);
  assert.throws(() => new Engine({ hash: 1.5 }), /expected hash as a whole number from 1 to 2048, found 1.5/);
  assert.throws(() => new Engine({ timeout: 2 ** 31 }), /expected timeout from 1 to 2147483647, found 2147483648/);
  assert.throws(() => new Engine({ size: 0 }), /expected options with game, hash, base, timeout, found size/);
  for (const base of ["", null, 5, "/srv/whaleshogi"]) {
    assert.throws(() => new Engine({ base }), { name: "TypeError", message: /^expected base as the address of a folder/ }, `${base}`);
  }
  for (const options of [undefined, null, {}, { say: 5 }, { say() {}, over: 5 }, { say() {}, shared: 1 }]) {
    assert.throws(() => usi(options), { name: "TypeError", message: /^expected/ });
  }
});

test("lines are refused without shared memory, too, however long a search would last", async () => {
  const told = await new Promise((resolve) => {
    const engine = usi({ shared: false, say: (_line, told) => told?.type === "error" && resolve(told), over() {} });
    engine.send("position junk");
    engine.send("quit");
  });
  assert.match(told.text, /^position: expected startpos/);
});

test("the engine starts in a program that Node is told on its command line", async () => {
  const program = `import { Engine } from "whaleshogi/engine";
    const engine = new Engine();
    console.log((await engine.search("startpos", { nodes: 50 })).answer);`;
  const words = ["--input-type=module", "-e", program];
  assert.equal(execFileSync(process.execPath, words, { cwd: folder, encoding: "utf8", timeout: 60000 }), "move\n");
});
