// The keeper of the engine's worker, with workers that do as they are told here: those that fail, and those that hear
// nothing while they search.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Controller } from "../engine/js/controller.js";

/** A controller, what it says, and its workers one after the other. */
function stage({ shared = false, network = async () => new Uint8Array(), ...rest } = {}) {
  const seen = { said: [], workers: [], over: undefined };
  const controller = new Controller({
    spawn(receive) {
      const worker = { posted: [], ended: false, receive };
      seen.workers.push(worker);
      return { post: (message) => worker.posted.push(message), end: () => (worker.ended = true) };
    },
    module: async () => /** @type {any} */ ({}),
    network,
    say: (line) => seen.said.push(line),
    over: (trouble) => (seen.over = trouble ?? ""),
    shared,
    ...rest,
  });
  const settled = () => new Promise((resolve) => setTimeout(resolve));
  return {
    seen,
    controller,
    settled,
    /** The worker there is now, once it has begun. */
    async worker() {
      await settled();
      const worker = seen.workers.at(-1);
      if (worker.posted.at(-1)?.type === "begin") worker.receive({ type: "begun" });
      await settled();
      return worker;
    },
  };
}

/** The lines a worker was given. */
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
  const known = ["setoption name USI_Hash value 8", "position startpos moves 2e2d", "isready"];
  assert.deepEqual(lines(second), [...known, "go depth 1 searchmoves 3b3c"]);
  // What it says of what it was told before is not said again.
  second.receive({ type: "line", line: "readyok" });
  second.receive({ type: "line", line: "bestmove 3b3c" });
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
  first.receive({ type: "line", line: "info depth 2 multipv 2 score cp 1 pv 3e3d" });
  first.receive({ type: "line", line: "info depth 2 multipv 1 score cp 5 pv 2e2d 3b3c" });
  controller.send("stop");
  assert.ok(first.ended);
  assert.equal(seen.said.at(-1), "bestmove 2e2d");
  first.receive({ type: "line", line: "bestmove 1e1d" });
  assert.equal(seen.said.at(-1), "bestmove 2e2d", "who was ended is not heard");
});

test("without shared memory a stop that comes before a line was found is answered, too", async () => {
  const { seen, controller, worker } = stage();
  // Before there is a worker, and in a search of which nothing is known yet.
  for (const line of ["position startpos", "go infinite", "stop"]) controller.send(line);
  await worker();
  const second = await worker();
  assert.deepEqual(lines(second).slice(-2), ["isready", "go depth 1"]);
  second.receive({ type: "line", line: "readyok" });
  second.receive({ type: "line", line: "bestmove 2e2d" });
  assert.deepEqual(seen.said, ["bestmove 2e2d"]);
  assert.equal(seen.workers.length, 2);
});

test("without shared memory the next search ends one that would go on for ever", async () => {
  const { seen, controller, worker } = stage();
  controller.send("go infinite");
  const first = await worker();
  first.receive({ type: "line", line: "info depth 2 score cp 5 pv 2e2d" });
  for (const line of ["position startpos moves 2e2d", "go depth 5"]) controller.send(line);
  assert.deepEqual(seen.said.slice(-1), ["bestmove 2e2d"]);
  const second = await worker();
  assert.deepEqual(lines(second), ["position startpos moves 2e2d", "go depth 5"]);
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
