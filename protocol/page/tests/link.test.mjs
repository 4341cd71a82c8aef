// Between page and server: games that cannot be opened, a network that is gone, what the browser remembers.

import assert from "node:assert/strict";
import { test } from "node:test";
import { begin, click, eventually, openPage, played, said, serverAndBrowser } from "./harness.mjs";

const at = serverAndBrowser();

test("a game that is gone is told of before a new one begins", async () => {
  const page = await openPage(at.browser, at.server, {}, `#game=${"c".repeat(24)}`);
  assert.match(await said(page), /no such game/);
  assert.notEqual(await page.evaluate(() => window.kujira.store.state().id), "c".repeat(24));
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("a server that is silent is asked, and given up where it does not answer", async () => {
  const page = await openPage(at.browser, at.server);
  const [pings, pongs] = [[], []];
  let connections = 0;
  let cut = 0;
  await page.routeWebSocket(/\/ws\//, (socket) => {
    const number = ++connections;
    const far = socket.connectToServer();
    const carry = (to, word, list) => (text) => {
      if (text.includes(word)) list.push(text);
      if (number > cut) to.send(text);
    };
    socket.onMessage(carry(far, '"ping"', pings));
    far.onMessage(carry(socket, '"pong"', pongs));
  });
  await page.clock.install();
  await page.reload();
  await page.waitForFunction(() => window.kujira?.store.state());
  const until = async (done) => {
    for (let second = 0; !done(); second++) {
      assert.ok(second < 60, "after a minute");
      await page.clock.runFor(1000);
    }
  };
  for (const count of [1, 2]) {
    await until(() => pings.length === count);
    await eventually(() => assert.equal(pongs.length, count));
  }
  assert.equal(connections, 1, "who answers is kept");
  cut = 1;
  await until(() => pings.length === 3);
  await until(() => connections === 2);
  await page.waitForSelector("#offline", { state: "hidden" });
  await click(page, "2e", "2d");
  await played(page, "2e2d");
  await page.context().close();
});

test("threads and table of the engine are remembered for other games", async () => {
  const page = await openPage(at.browser, at.server);
  const hash = (wanted) => page.waitForFunction((wanted) => window.kujira.store.state()?.hash === wanted, wanted);
  await begin(page, {});
  await page.click("#do-opponents");
  await page.fill("dialog input >> nth=1", "32");
  await page.click("dialog .primary");
  await hash(32);
  await begin(page, { variant: "great" });
  await hash(32);
  const other = await openPage(at.browser, at.server);
  assert.equal(await other.evaluate(() => window.kujira.store.state().hash), 64, "another browser has its own");
  await other.context().close();
  assert.deepEqual(page.problems, []);
  await page.context().close();
});
