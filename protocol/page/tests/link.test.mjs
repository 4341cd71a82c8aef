// Between page and driver: games that cannot be opened, a network that is gone, what the browser remembers.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  DRIVER,
  begin,
  click,
  enter,
  eventually,
  leave,
  openPage,
  placeAndBrowser,
  played,
  press,
  said,
  until,
  vanishes,
  withBoard,
} from "./harness.mjs";

const at = placeAndBrowser();

test("a game that is gone is told of before a new one begins", async () => {
  const page = await openPage(at.browser, at.place, {}, `#game=${"c".repeat(24)}`);
  assert.match(await said(page), /no such game/);
  assert.notEqual(await page.evaluate(() => window.kujira.store.state().id), "c".repeat(24));
  assert.deepEqual(page.problems, []);
  await leave(page);
});

/** Runs in a page: a clock of its own, which `window.clock.run` moves on. */
function ownClock() {
  let [now, last] = [0, 0];
  const timers = new Map();
  const set =
    (again) =>
    (act, delay = 0, ...values) => {
      timers.set(++last, { at: now + Math.max(1, delay), again: again ? Math.max(1, delay) : 0, act, values });
      return last;
    };
  const clear = (number) => timers.delete(number);
  Object.assign(window, {
    setTimeout: set(false),
    setInterval: set(true),
    clearTimeout: clear,
    clearInterval: clear,
    clock: {
      async run(milliseconds) {
        const end = now + milliseconds;
        for (;;) {
          const [number, timer] = [...timers].reduce((a, b) => (b[1].at < a[1].at ? b : a), [0, { at: Infinity }]);
          if (timer.at > end) break;
          now = timer.at;
          if (timer.again) timer.at += timer.again;
          else timers.delete(number);
          timer.act(...timer.values);
          // What it promised comes before the next one.
          await Promise.resolve();
        }
        now = end;
      },
    },
  });
  performance.now = () => now;
}

/** Runs in a page: counts what WebSockets carry, and cuts the wires of the first `window.wires.cut` of them. */
function ownWires() {
  const wires = { connections: 0, cut: 0, pings: 0, pongs: 0 };
  window.wires = wires;
  window.WebSocket = class extends WebSocket {
    #number = ++wires.connections;
    constructor(...values) {
      super(...values);
      this.addEventListener("message", (event) => {
        if (event.data.includes('"pong"')) wires.pongs++;
        if (this.#number <= wires.cut) event.stopImmediatePropagation();
      });
    }
    send(text) {
      if (text.includes('"ping"')) wires.pings++;
      if (this.#number > wires.cut) super.send(text);
    }
  };
}

test("a server that is silent is asked, and given up where it does not answer", withBoard, async () => {
  const page = await openPage(at.browser, at.place, { prepare: [ownClock, ownWires] });
  await until(page, () => window.kujira?.store.state());
  const wires = () => page.evaluate(() => window.wires);
  const second = async (done) => {
    for (let second = 0; !done(await wires()); second++) {
      assert.ok(second < 60, "after a minute");
      await page.evaluate(() => window.clock.run(1000));
    }
  };
  for (const count of [1, 2]) {
    await second(({ pings }) => pings === count);
    await eventually(async () => assert.equal((await wires()).pongs, count));
  }
  assert.equal((await wires()).connections, 1, "who answers is kept");
  await page.evaluate(() => (window.wires.cut = 1));
  await second(({ pings }) => pings === 3);
  await second(({ connections }) => connections === 2);
  await vanishes(page, "#offline");
  await click(page, "2e", "2d");
  await played(page, "2e2d");
  await leave(page);
});

test("threads and table of the engine are remembered for other games", async () => {
  const page = await openPage(at.browser, at.place);
  const hash = (wanted) => until(page, (wanted) => window.kujira.store.state()?.hash === wanted, wanted);
  await begin(page, {});
  await press(page, "#do-opponents");
  // The last of the fields: a page without a server has no threads to choose.
  await enter(page, "dialog .field:last-of-type input", "32");
  await press(page, "dialog .primary");
  await hash(32);
  await begin(page, { variant: "great" });
  await hash(32);
  const other = await openPage(at.browser, at.place);
  // A page asks its browser for less than a server asks its machine.
  const usual = DRIVER === "static" ? 16 : 64;
  assert.equal(await other.evaluate(() => window.kujira.store.state().hash), usual, "another browser has its own");
  await leave(other);
  assert.deepEqual(page.problems, []);
  await leave(page);
});
