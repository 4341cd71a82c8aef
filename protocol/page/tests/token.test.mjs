// A board that others on the network can reach: it opens by its link alone, also where that stands in a page of
// somebody else.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, before, describe, test } from "node:test";
import { appears, click, launch, openPage, played, reads, startServer, text, until, withBoard } from "./harness.mjs";

describe("a board with a token", withBoard, () => {
  let place, browser, elsewhere;

  before(async () => {
    [place, browser] = await Promise.all([startServer({ more: ["--listen", "0.0.0.0"] }), launch()]);
    // Another site than 127.0.0.1, whose links come without strict cookies.
    elsewhere = createServer((question, answer) => {
      const to = decodeURIComponent(new URL(question.url, "http://localhost").search.slice(1));
      answer.setHeader("content-type", "text/html").end(`<!doctype html><a href="${to}">link</a>`);
    });
    await new Promise((resolve) => elsewhere.listen(0, "localhost", resolve));
  });
  after(async () => {
    await browser?.close();
    await place?.stop();
    elsewhere?.close();
    elsewhere?.closeAllConnections();
  });

  const bare = () => place.address.replace(/\?.*/, "");

  test("its link opens it, leaves the address bar, and a game is played; other pages of the browser play, too", async () => {
    const page = await openPage(browser, place);
    assert.ok(!page.url().includes("token"), page.url());
    await click(page, "2e", "2d");
    await played(page, "2e2d");
    assert.equal(await page.evaluate(() => document.cookie), "");
    const other = await openPage(browser, { address: bare() }, { context: page.browserContext() });
    assert.deepEqual([...page.problems, ...other.problems], []);
    await page.browserContext().close();
  });

  test("a page of a board that was started anew is told that its link is another", async (t) => {
    const first = await startServer({ more: ["--listen", "0.0.0.0"] });
    t.after(() => first.stop());
    const page = await openPage(browser, first);
    await first.kill();
    const second = await startServer({ state: first.folder, port: first.port, more: ["--listen", "0.0.0.0"] });
    t.after(() => second.stop());
    await reads(page, "#toast", /the token of the link/);
    await page.browserContext().close();
  });

  test("without its link a stranger is told what is missing", async (t) => {
    const context = await browser.createBrowserContext();
    t.after(() => context.close());
    const page = await context.newPage();
    await page.goto(bare());
    // Once it has asked again.
    await until(page, () => location.search === "?again" && document.readyState === "complete");
    assert.match(await text(page, "body"), /opens by its whole link/);
    const status = await page.evaluate(() => fetch("api/games").then(({ status }) => status));
    assert.equal(status, 403);
  });

  for (const known of [false, true]) {
    test(`a link in somebody's page opens it, ${known ? "with" : "without"} a visit before`, async (t) => {
      const context = await browser.createBrowserContext();
      t.after(() => context.close());
      const page = await context.newPage();
      if (known) await page.goto(place.address);
      const to = encodeURIComponent(`${known ? bare() : place.address}#puzzle=whale`);
      await page.goto(`http://localhost:${elsewhere.address().port}/?${to}`);
      await page.evaluate(() => document.querySelector("a").click());
      await appears(page, "#board .cell .tile");
      assert.ok(!/token|again/.test(page.url()), page.url());
    });
  }
});
