// Screens: nothing sticks out on a phone, and pictures for the documents where PICTURES names a folder.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { begin, box, click, launch, leave, openPage, placeAndBrowser, played, press, tap, until } from "./harness.mjs";

const at = placeAndBrowser();
let night;

before(async () => (night = await launch({ dark: true })));
after(() => night?.close());

const GAMES = {
  whale: { moves: ["2e2d", "5b5c", "2d2c", "5c5d", "2c2b", "5d5e"], size: { width: 1180, height: 760 } },
  paulowich: { moves: ["6f6e", "2b2c", "4f4e", "5b5c"], size: { width: 1180, height: 760 } },
  great: { moves: ["6h6g", "6d6e", "3h3g", "9d9e"], size: { width: 1300, height: 880 } },
};

const SCREENS = [
  { theme: "light", phone: false },
  { theme: "dark", phone: true },
];

for (const [variant, { moves, size }] of Object.entries(GAMES)) {
  for (const { theme, phone } of SCREENS) {
    test(`${variant}: fits ${phone ? "a phone" : "a wide screen"}, ${theme}`, async () => {
      const screen = phone ? { width: 390, height: 844, touch: true } : size;
      const page = await openPage(theme === "dark" ? night : at.browser, at.place, screen);
      await begin(page, { variant });
      for (const usi of moves) {
        await (phone ? tap : click)(page, ...usi.match(/\d+[a-k]/g));
        await played(page, usi);
      }
      assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), theme);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(wide <= 0, `sticks out by ${wide}px`);
      const cell = await box(page, "#board .cell");
      assert.ok(cell.width >= 29 && Math.abs(cell.width - cell.height) < 1.5, JSON.stringify(cell));
      const near = await box(page, "#near");
      assert.ok(near.y + near.height <= screen.height, "the whole board and both hands are in sight");
      if (process.env.PICTURES) {
        if (!phone) {
          await press(page, ".switch");
          await until(page, () => document.querySelectorAll(".lines li").length === 3);
          await setTimeout(1500);
        }
        await setTimeout(400);
        await page.screenshot({ path: `${process.env.PICTURES}/board-${variant}${phone ? "-phone" : ""}.png` });
      }
      assert.deepEqual(page.problems, []);
      await leave(page);
    });
  }
}

for (const [width, height] of [
  [360, 640],
  [667, 375],
  [844, 390],
]) {
  test(`the whole board is in sight on a phone of ${width}×${height}`, async () => {
    const page = await openPage(at.browser, at.place, { width, height, touch: true });
    for (const variant of Object.keys(GAMES)) {
      await begin(page, { variant });
      const { x, y, width: wide, height: high } = await box(page, "#board");
      const found = `${variant}: ${[x, y, wide, high]}`;
      assert.ok(x >= 0 && y >= 0 && x + wide <= width && y + high <= height, found);
      const cell = await box(page, "#board .cell");
      assert.ok(cell.width >= 24 && Math.abs(cell.width - cell.height) < 1.5, `${found}, squares ${cell.width}`);
      assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= width, `${variant} sticks out`);
    }
    assert.deepEqual(page.problems, []);
    await leave(page);
  });
}
