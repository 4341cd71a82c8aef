// Screens: nothing sticks out on a phone, and pictures for the documents where PICTURES names a folder.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout } from "node:timers/promises";
import {
  appears,
  begin,
  box,
  click,
  count,
  eventually,
  exists,
  launch,
  leave,
  openPage,
  placeAndBrowser,
  played,
  press,
  property,
  tap,
  text,
  until,
} from "./harness.mjs";

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

const LION = { variant: "great", sfen: "5,w,5/11/11/4,p,6/4,f,6/4,+BR,6/11/11/11/11/5,W,5 b - 1" };

for (const [width, height] of [
  [1440, 900],
  [1280, 720],
]) {
  test(`a screen of ${width}×${height} holds the page, and what is said of a lion's move`, async () => {
    const page = await openPage(at.browser, at.place, { width, height });
    for (const variant of Object.keys(GAMES)) {
      await begin(page, { variant });
      const tall = await page.evaluate(() => document.documentElement.scrollHeight - innerHeight);
      assert.ok(tall <= 0, `${variant}: ${tall}px too tall`);
    }
    await begin(page, LION);
    await click(page, "7f", "7e");
    assert.match(await text(page, "#advice"), /Escape begins again/);
    const { y, height: high } = await box(page, "#advice");
    const needed = await property(page, "#advice", "scrollHeight");
    assert.ok(y + Math.max(high, needed) <= height, `cut off at ${y + Math.max(high, needed)}`);
    await leave(page);
  });
}

test("the move shown stays in sight, however one steps, and where the analysis grows", async () => {
  const page = await openPage(at.browser, at.place, { width: 1280, height: 720 });
  await begin(page, {});
  const cycle = ["3f2e", "3a2b", "2e3f", "2b3a"];
  const list = Array.from({ length: 50 }, (_, index) => cycle[index % 4]);
  const text = `# USI_Variant whale\n# Rules repetition off\nsfen 3w2/6/6/6/6/3W2 b - 1 moves ${list.join(" ")}`;
  await begin(page, { text });
  const inSight = async (what) => {
    const [list, now] = [await box(page, "#moves"), await box(page, "#moves .now")];
    // Whoever scrolls does so by whole pixels.
    const seen = now.y >= list.y - 1 && now.y + now.height <= Math.min(list.y + list.height + 1, 720);
    assert.ok(seen, `${what}: ${JSON.stringify([list, now])}`);
  };
  const stands = (node) => until(page, (node) => window.kujira.store.state().current === node, node);
  await stands(50);
  await inSight("the end");
  for (let node = 49; node >= 25; node--) {
    await page.keyboard.press("ArrowLeft");
    await stands(node);
    await inSight(`back to ${node}`);
  }
  // A click in the graph, which is there as soon as there are two scores.
  assert.equal(await property(page, ".graph-box", "offsetHeight"), 0);
  await press(page, "#analysis .quiet");
  await until(page, () => document.querySelector(".graph-box").offsetHeight > 0);
  await press(page, "#analysis .quiet");
  const graph = await box(page, ".graph-box");
  await page.mouse.click(graph.x + graph.width * 0.1, graph.y + graph.height / 2);
  await stands(5);
  await inSight("the graph");
  await page.keyboard.press("End");
  await stands(50);
  await press(page, ".switch");
  await page.select("#analysis select", "5");
  await until(page, () => document.querySelectorAll(".lines li").length === 5);
  await eventually(() => inSight("the analysis grows"));
  const steps = await box(page, ".steps");
  assert.ok(steps.y + steps.height <= 720, "the steps are in sight");
  await leave(page);
});

test("what a piece is stands below it in the list on a phone", async () => {
  const page = await openPage(at.browser, at.place, { width: 390, height: 844, touch: true });
  await begin(page, { variant: "great" });
  await press(page, "#open-pieces", { touch: true });
  for (const token of ["BWC", "+S"]) {
    const piece = `.piece-grid [data-token="${token}"]`;
    await press(page, piece, { touch: true });
    await exists(page, `${piece}.chosen`);
    assert.equal(await text(page, ".piece-detail h3"), await text(page, `${piece} .piece-name`));
    await eventually(async () => {
      const { y, height } = await box(page, ".piece-detail h3");
      assert.ok(y >= 0 && y + height <= 844, `the explanation begins at ${y}`);
    });
  }
  await leave(page);
});

for (const [width, height] of [
  [1280, 720],
  [390, 844],
  [844, 390],
]) {
  test(`the rules end above their buttons at ${width}×${height}`, async () => {
    const page = await openPage(at.browser, at.place, { width, height });
    await begin(page, { variant: "great" });
    await press(page, "#open-rules");
    for (let more = true; more;) {
      // Scrolled to its end, the last thing that is told stands above the buttons.
      const { last, foot } = await page.evaluate(() => {
        const tour = document.querySelector(".tour-page");
        tour.closest(".modal-body").scrollTo(0, 1e6);
        const bottoms = [...tour.querySelectorAll("p, li, svg")].map((node) => node.getBoundingClientRect().bottom);
        return { last: Math.max(...bottoms), foot: document.querySelector(".tour-buttons").getBoundingClientRect().top };
      });
      assert.ok(last <= foot, `${await text(page, ".tour-page h3")}: ${last} below ${foot}`);
      more = (await text(page, ".tour-buttons .primary")) === "Next";
      await press(page, ".tour-buttons .primary");
    }
    await leave(page);
  });
}

test("drops on one square are told apart, and the bar's figure from its ground", async () => {
  const page = await openPage(at.browser, at.place);
  await begin(page, {});
  const boxes = await page.evaluate(() => {
    window.kujira.table.board.drawArrows([
      { to: "3d", drop: "N", kind: "other" },
      { to: "3d", drop: "K", kind: "other" },
      { to: "3d", drop: "D", kind: "best" },
    ]);
    return [...document.querySelectorAll(".arrows .drop")].map((node) => {
      const { top, bottom } = node.getBoundingClientRect();
      return { drop: node.textContent, middle: (top + bottom) / 2 };
    });
  });
  assert.deepEqual(
    boxes.map(({ drop }) => drop),
    ["D", "K", "N"],
  );
  const high = (await box(page, "#board .cell")).height;
  boxes.slice(1).forEach(({ middle }, index) => assert.ok(middle - boxes[index].middle > high * 0.3, `${middle}`));
  assert.equal(await count(page, ".arrows .ring"), 1);
  for (const flipped of [false, true]) {
    if (flipped) await press(page, "#turn-board");
    for (const cp of [-900, 900]) {
      await page.evaluate((cp) => {
        const { store } = window.kujira;
        store.nodes().get(0).score = [{ cp }, 1];
        window.kujira.table.refresh();
      }, cp);
      // What is below the figure: its luminance and that of the figure.
      await eventually(async () => {
        const { ink, ground } = await page.evaluate(() => {
          const [bar, black, figure] = ["#bar", "#bar .bar-black", "#bar span"].map((s) => document.querySelector(s));
          const [low, at] = [black.getBoundingClientRect(), figure.getBoundingClientRect()];
          const within = at.top >= low.top && at.bottom <= low.bottom;
          const light = (color) => Math.max(...color.match(/[\d.]+/g).slice(0, 3).map(Number));
          return {
            ink: light(getComputedStyle(figure).color),
            ground: light(getComputedStyle(within ? black : bar).backgroundColor),
          };
        });
        assert.ok(Math.abs(ink - ground) > 120, `${cp}: ${ink} on ${ground}`);
      });
    }
  }
  await leave(page);
});

test("signs are drawn: no button needs a font for them", async () => {
  const page = await openPage(at.browser, at.place);
  await begin(page, {});
  await click(page, "2e", "2d");
  await played(page, "2e2d");
  await begin(page, {});
  const signs = () =>
    page.$$eval("button", (buttons) =>
      buttons.map(({ textContent }) => textContent).filter((text) => /[^\p{L}\p{N}\p{P}\p{Z}+×−]/u.test(text)),
    );
  await press(page, "#open-games");
  await appears(page, ".game-item .icon-button .icon");
  assert.deepEqual(await signs(), []);
  await page.keyboard.press("Escape");
  await press(page, "#open-editor");
  await appears(page, ".tools .icon");
  assert.deepEqual(await signs(), []);
  await page.keyboard.press("Escape");
  for (const id of ["open-prefs", "step-first", "step-back", "step-on", "step-last", "move-menu", "turn-board", "share"])
    assert.ok((await box(page, `#${id} .icon`)).width > 12, id);
  await leave(page);
});
