// The keeper of the engine's worker, with workers that do as they are told here: those that fail, and those that hear
// nothing while they search.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Controller } from "../engine/js/controller.js";

/** A controller, what it says, and its workers one after the other. */
function stage({ shared = false, network = async () => new Uint8Array(), hears = (_line, _controller) => {}, ...rest } = {}) {
  const seen = { said: [], workers: [], over: undefined };
  const controller = new Controller({
    spawn(receive) {
      const worker = { posted: [], ended: false, held: true, receive };
      seen.workers.push(worker);
      return {
        post: (message) => worker.posted.push(message),
        end: () => (worker.ended = true),
        hold: (busy) => (worker.held = busy),
      };
    },
    module: async () => /** @type {any} */ ({}),
    network,
    say(line) {
      seen.said.push(line);
      hears(line, controller);
    },
    over: (trouble) => (seen.over = trouble ?? ""),
    shared,
    ...rest,
  });
  const settled = () => new Promise((resolve) => setTimeout(resolve));
  return {
    seen,
    controller,
    settled,
    /** The worker there is now, once it has begun, and said this of what it was told. */
    async worker(said = []) {
      await settled();
      const worker = seen.workers.at(-1);
      if (worker.posted.at(-1)?.type === "begin") worker.receive({ type: "begun", said });
      await settled();
      return worker;
    },
  };
}

/** A line as a worker sends it: with what it tells, as far as the keeper looks at it. */
function spoken(line) {
  const [verb, ...words] = line.split(" ");
  const behind = (word) => words.slice(words.indexOf(word) + 1);
  const told = {
    info: () => words.includes("pv") && { type: "info", multipv: Number(/ multipv (\d+)/.exec(line)?.[1] ?? 1), pv: behind("pv") },
    bestmove: () => ({ type: "bestmove", best: words[0], ponder: words[2] ?? null }),
    checkmate: () => ({ type: "checkmate", status: "unknown", line: [] }),
  };
  return { type: "line", line, told: told[verb]?.() || undefined };
}

/** The lines a worker was told to begin with, and those it was given then. */
const known = (worker) => worker.posted.find(({ type }) => type === "begin").lines;
const mail = (worker) => worker.posted.filter(({ type }) => type !== "begin");
const lines = (worker) => worker.posted.filter(({ type }) => type === "lines").flatMap((message) => message.lines);

test("a worker that fails in a search is replaced, told what the first knew, and moves", async () => {
  const { seen, controller, worker, settled } = stage();
  controller.send("setoption name USI_Hash value 8");
  const first = await worker();
  first.receive({ type: "idle", heard: 1 });
  controller.send("position startpos moves 2e2d");
  await settled();
  first.receive({ type: "idle", heard: 2 });
  controller.send("go movetime 1000 searchmoves 3b3c");
  await settled();
  first.receive({ type: "failed", message: "unreachable\n  executed" });
  assert.ok(first.ended);
  assert.deepEqual(seen.said, ["info string error engine: it failed and was started anew: unreachable executed"]);
  const second = await worker();
  assert.deepEqual(known(second), ["setoption name USI_Hash value 8", "position startpos moves 2e2d", "isready"]);
  assert.deepEqual(lines(second), ["go depth 1 searchmoves 3b3c"]);
  second.receive(spoken("bestmove 3b3c"));
  assert.deepEqual(seen.said.slice(1), ["bestmove 3b3c"]);
});

test("workers that fail again and again are given up, with a reason", async () => {
  const { seen, controller, worker } = stage();
  controller.send("go depth 3");
  for (let tries = 0; tries < 4; tries++) (await worker()).receive({ type: "failed", message: "unreachable" });
  assert.match(seen.over, /fails again and again/);
  assert.deepEqual(
    seen.said.filter((line) => /^bestmove/.test(line)),
    ["bestmove resign"],
    "one answer to one search",
  );
  const { length } = seen.workers;
  controller.send("go depth 3");
  assert.equal(seen.workers.length, length);
});

test("without shared memory a stop ends the worker and answers with the best line's move", async () => {
  const { seen, controller, worker } = stage();
  controller.send("go infinite");
  const first = await worker();
  first.receive(spoken("info depth 2 multipv 2 score cp 1 pv 3e3d"));
  first.receive(spoken("info depth 2 multipv 1 score cp 5 pv 2e2d 3b3c"));
  controller.send("stop");
  assert.ok(first.ended);
  assert.equal(seen.said.at(-1), "bestmove 2e2d");
  first.receive(spoken("bestmove 1e1d"));
  assert.equal(seen.said.at(-1), "bestmove 2e2d", "who was ended is not heard");
});

test("without shared memory a stop that comes before a line was found is answered, too", async () => {
  const { seen, controller, worker } = stage();
  // Before there is a worker, and in a search of which nothing is known yet.
  for (const line of ["position startpos", "go infinite", "stop"]) controller.send(line);
  await worker();
  const second = await worker();
  assert.deepEqual([known(second).at(-1), ...lines(second)], ["isready", "go depth 1"]);
  second.receive(spoken("bestmove 2e2d"));
  assert.deepEqual(seen.said, ["bestmove 2e2d"]);
  assert.equal(seen.workers.length, 2);
});

test("without shared memory the next search ends one that would go on for ever", async () => {
  const { seen, controller, worker } = stage();
  controller.send("go infinite");
  const first = await worker();
  first.receive(spoken("info depth 2 score cp 5 pv 2e2d"));
  for (const line of ["position startpos moves 2e2d", "go depth 5"]) controller.send(line);
  assert.deepEqual(seen.said.slice(-1), ["bestmove 2e2d"]);
  const second = await worker();
  assert.deepEqual(lines(second), ["position startpos moves 2e2d", "go depth 5"]);
});

/** What somebody does on hearing an answer, once. */
const once = (act) => {
  let done = false;
  return (line, controller) => {
    if (done || !/^bestmove/.test(line)) return;
    done = true;
    act(controller);
  };
};

for (const stopped of [false, true]) {
  const how = stopped ? "that a stop brought" : "that came by itself";
  /** A search with a line, and its answer. */
  const answer = async ({ controller, worker }) => {
    controller.send("go infinite");
    const first = await worker();
    first.receive(spoken("info depth 2 score cp 5 pv 2e2d"));
    if (stopped) controller.send("stop");
    else first.receive(spoken("bestmove 2e2d"));
    return first;
  };

  test(`quit on an answer ${how} is no second answer`, async () => {
    const all = stage({ hears: once((controller) => controller.send("quit")) });
    const first = await answer(all);
    if (!stopped) first.receive({ type: "idle", heard: 2 });
    await all.settled();
    assert.deepEqual(all.seen.said.filter((line) => /^bestmove/.test(line)), ["bestmove 2e2d"]);
    assert.equal(all.seen.over, "");
    assert.ok(all.seen.workers.every(({ ended }) => ended));
  });

  test(`close on an answer ${how} leaves no worker`, async () => {
    const all = stage({ hears: once((controller) => controller.close()) });
    await answer(all);
    await all.settled();
    assert.ok(all.seen.workers.every(({ ended }) => ended));
    assert.equal(all.seen.over, "");
  });

  test(`a search asked for on an answer ${how} is begun`, async () => {
    const all = stage({ hears: once((controller) => controller.send("go depth 7")) });
    await answer(all);
    const last = await all.worker();
    assert.equal(lines(last).at(-1), "go depth 7");
    assert.deepEqual(all.seen.said.filter((line) => /^bestmove/.test(line)), ["bestmove 2e2d"]);
  });
}

test("what was loaded is forgotten where the engine cannot use it", async () => {
  let forgotten = 0;
  const { controller, worker } = stage({ forget: () => (forgotten += 1) });
  controller.send("isready");
  (await worker()).receive({ type: "refused", message: "no network" });
  assert.equal(forgotten, 1);
});

test("an engine that cannot be loaded says why, and ends", async () => {
  const { seen, settled, controller } = stage({
    network: () => Promise.reject(new Error("no network")),
  });
  controller.send("usi");
  await settled();
  assert.match(seen.over, /could not load it: no network/);
  assert.deepEqual(seen.said, [`info string error engine: ${seen.over}`]);
});

test("a game whose network cannot be had is not chosen", async () => {
  const network = (game) => (game === "great" ? Promise.reject(new Error("offline")) : Promise.resolve(new Uint8Array()));
  const { seen, controller, worker, settled } = stage({ network });
  controller.send("usi");
  const only = await worker();
  only.receive({ type: "idle", heard: 1 });
  controller.send("setoption name USI_Variant value great");
  controller.send("isready");
  await settled();
  assert.match(seen.said.at(-1), /network of great, could not load it: offline/);
  assert.deepEqual(lines(only), ["usi", "isready"]);
});

test("what waits for a search that would go on for ever does not make it go on", async () => {
  for (const shared of [true, false]) {
    const { controller, worker } = stage({ shared });
    for (const line of ["go infinite", "setoption name USI_Hash value 8", "go depth 2"]) controller.send(line);
    await worker();
    assert.equal(mail(await worker()).length, shared ? 2 : 1, "a stop behind it, or another worker");
  }
});

test("an isready behind it is answered in the search", async () => {
  const { seen, controller, worker } = stage();
  for (const line of ["go infinite", "setoption name USI_Hash value 8"]) controller.send(line);
  await worker();
  controller.send("isready");
  assert.deepEqual(seen.said, ["readyok"]);
});

test("quit with nothing asked ends it at once, and without a worker", async () => {
  const { seen, controller } = stage();
  controller.send("quit");
  assert.equal(seen.over, "");
  assert.equal(seen.workers.length, 0);
});

test("what was asked before quit is answered, what comes behind it is not heard", async () => {
  for (const shared of [true, false]) {
    const { seen, controller, worker } = stage({ shared });
    for (const line of ["usi", "go infinite", "go mate 9000", "quit", "usi"]) controller.send(line);
    const only = await worker();
    assert.equal(seen.over, undefined);
    if (!shared) assert.deepEqual(lines(only), ["usi", "go depth 1", "go mate 1"]);
    only.receive(spoken("usiok"));
    only.receive(spoken("bestmove 2e2d"));
    only.receive(spoken("checkmate timeout"));
    assert.equal(seen.over, undefined);
    only.receive({ type: "idle", heard: 3 });
    assert.deepEqual([seen.over, only.ended], ["", true]);
    assert.deepEqual(seen.said, ["usiok", "bestmove 2e2d", "checkmate timeout"]);
  }
});

test("quit in a search that hears nothing is answered with what it found", async () => {
  const { seen, controller, worker } = stage();
  controller.send("go infinite");
  const only = await worker();
  only.receive(spoken("info depth 2 score cp 5 pv 2e2d"));
  controller.send("quit");
  assert.deepEqual([seen.said.at(-1), seen.over], ["bestmove 2e2d", ""]);
});

test("a table of another size is made in a new worker, which knows what the first knew", async () => {
  const { seen, controller, worker } = stage();
  for (const line of ["setoption name USI_Hash value 100", "position startpos moves 2e2d", "isready"]) {
    controller.send(line);
  }
  const first = await worker();
  assert.equal(lines(first).length, 3, "the first size needs no other worker");
  controller.send("setoption name USI_Hash value 8");
  assert.ok(!first.ended, "not before it has answered");
  first.receive({ type: "idle", heard: 3 });
  assert.ok(first.ended);
  // The same size again, and what is refused, change nothing.
  controller.send("setoption name USI_Hash value 8");
  controller.send("setoption name USI_Hash value 99999");
  const second = await worker();
  assert.deepEqual(known(second), ["setoption name USI_Hash value 8", "position startpos moves 2e2d", "isready"]);
  assert.deepEqual(lines(second), ["setoption name USI_Hash value 8", "setoption name USI_Hash value 99999"]);
  assert.equal(seen.workers.length, 2);
});

test("a table too large for a new worker is refused, and the one before stays", async () => {
  const { seen, controller, worker } = stage();
  for (const line of ["setoption name USI_Hash value 8", "isready"]) controller.send(line);
  const first = await worker();
  first.receive({ type: "idle", heard: 2 });
  controller.send("setoption name USI_Hash value 2048");
  const refusal = (kept) =>
    `info string error USI_Hash: expected memory for a table of 2048 MiB, found less; keeping ${kept} MiB`;
  await worker([refusal(64), "readyok"]);
  assert.deepEqual(seen.said, [refusal(8)]);
  const third = await worker();
  assert.deepEqual(known(third), ["setoption name USI_Hash value 8", "isready"]);
  assert.equal(seen.workers.length, 3);
});

test("a worker that the browser does not allow is told of as any trouble is", async () => {
  const { seen, controller, settled } = stage({
    spawn() {
      throw new Error("another origin");
    },
  });
  controller.send("usi");
  assert.equal(seen.over, undefined, "not before whoever sends has gone on");
  await settled();
  assert.match(seen.over, /could not load it: another origin/);
});

test("a worker that does not begin is given up", async () => {
  const { seen, controller } = stage({ timeout: 1, over: (trouble) => told(trouble) });
  let told;
  const over = new Promise((resolve) => (told = resolve));
  // The engine's own timer does not keep this process.
  const late = setTimeout(told, 60000);
  controller.send("usi");
  assert.match(await over, /its worker did not begin in 0.001 s/);
  clearTimeout(late);
  assert.ok(seen.workers[0].ended);
});

test("a worker is waited for while it has something to answer", async () => {
  const { controller, worker } = stage();
  controller.send("go depth 2");
  const only = await worker();
  assert.ok(only.held);
  only.receive(spoken("bestmove 2e2d"));
  only.receive({ type: "idle", heard: 1 });
  assert.ok(!only.held);
  controller.send("isready");
  assert.ok(only.held);
});
