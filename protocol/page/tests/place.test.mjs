// Where the page is served from is nobody's matter but the address's: it works below any folder of any server.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  DRIVER,
  allowClipboard,
  appears,
  begin,
  click,
  leave,
  moves,
  openPage,
  placeAndBrowser,
  played,
  press,
  reads,
  reload,
  startProxy,
} from "./harness.mjs";

const at = placeAndBrowser();

test("below a folder of another server a game is played, found again and linked to", async (t) => {
  // Static files are served from such a folder in all tests.
  const proxy = DRIVER === "static" ? at.place : await startProxy(at.place, "/some/place/");
  if (proxy !== at.place) t.after(() => proxy.stop());
  const page = await openPage(at.browser, proxy);
  await allowClipboard(page);
  await begin(page, {});
  await click(page, "2e", "2d");
  await played(page, "2e2d");
  await reload(page);
  assert.deepEqual(await moves(page), ["2e2d"]);
  const id = await page.evaluate(() => window.kujira.store.state().id);
  await press(page, "#open-games");
  await appears(page, `.game-item[data-game="${id}"]`);
  await page.keyboard.press("Escape");
  await press(page, "#share");
  await press(page, "dialog button", { text: "Copy link" });
  await reads(page, "#toast", /Link copied/);
  const link = await page.evaluate(() => navigator.clipboard.readText());
  const sfen = await page.evaluate(() => window.kujira.store.state().position.sfen);
  assert.ok(link.startsWith(`${proxy.address}#`), link);
  const other = await openPage(at.browser, { address: link });
  assert.equal(await other.evaluate(() => window.kujira.store.state().position.sfen), sfen);
  assert.deepEqual([...page.problems, ...other.problems, ...proxy.outside], []);
  await leave(other);
  await leave(page);
});
