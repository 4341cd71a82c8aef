// Where the page is served from is nobody's matter but the address's: it works below any folder of any server.

import assert from "node:assert/strict";
import { test } from "node:test";
import { begin, click, moves, openPage, played, serverAndBrowser, startProxy } from "./harness.mjs";

const at = serverAndBrowser();

test("below a folder of another server a game is played, found again and linked to", async (t) => {
  const proxy = await startProxy(at.server, "/some/place/");
  t.after(() => proxy.stop());
  const page = await openPage(at.browser, proxy, { permissions: ["clipboard-read", "clipboard-write"] });
  await begin(page, {});
  await click(page, "2e", "2d");
  await played(page, "2e2d");
  await page.reload();
  await page.waitForSelector("#board .cell .tile");
  assert.deepEqual(await moves(page), ["2e2d"]);
  const id = await page.evaluate(() => window.kujira.store.state().id);
  await page.click("#open-games");
  await page.waitForSelector(`.game-item[data-game="${id}"]`);
  await page.keyboard.press("Escape");
  await page.click("#share");
  await page.click("text=Copy link");
  await page.waitForFunction(() => /Link copied/.test(document.querySelector("#toast").textContent));
  const link = await page.evaluate(() => navigator.clipboard.readText());
  const sfen = await page.evaluate(() => window.kujira.store.state().position.sfen);
  assert.ok(link.startsWith(`${proxy.address}#`), link);
  const other = await openPage(at.browser, { address: link });
  assert.equal(await other.evaluate(() => window.kujira.store.state().position.sfen), sfen);
  assert.deepEqual([...page.problems, ...other.problems, ...proxy.outside], []);
  await other.context().close();
  await page.context().close();
});
