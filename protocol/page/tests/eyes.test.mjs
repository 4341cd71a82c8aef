// Eyes of every sort: screens and zooms of any ratio, large letters, forced colours, paper, and what axe-core finds.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { test } from "node:test";
import {
  BROWSER,
  appears,
  begin,
  box,
  click,
  exists,
  launch,
  leave,
  openPage,
  placeAndBrowser,
  played,
  press,
  resize,
  until,
  vanishes,
} from "./harness.mjs";

const at = placeAndBrowser();

/** The buttons that open dialogs, and what is in those when all is there. */
const DIALOGS = {
  "open-new": "",
  "open-games": ".game-item",
  "open-editor": "",
  "open-pieces": "",
  "open-rules": "",
  "open-prefs": "",
  share: "",
  "do-opponents": "",
};

/** Starts another browser for a test, and the page in it. */
async function another(t, sort, screen) {
  const browser = await launch(sort);
  t.after(() => browser.close());
  return openPage(browser, at.place, screen);
}

const EMPTY = {
  whale: "w5/6/6/6/6/5W b - 1",
  great: "w,10/11/11/11/11/11/11/11/11/11/10,W b - 1",
};

const PROMOTION = { variant: "great", sfen: "5,w,5/11/11/2,M,8/11/11/11/11/11/11/5,W,5 b - 1" };

/** Runs in an empty page: where a picture has no line, darker than what is on both sides of it. */
async function without(png, lines, ratio) {
  const bytes = Uint8Array.from(atob(png), (letter) => letter.charCodeAt(0));
  const picture = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
  const context = new OffscreenCanvas(picture.width, picture.height).getContext("2d");
  context.drawImage(picture, 0, 0);
  const { data } = context.getImageData(0, 0, picture.width, picture.height);
  const light = (x, y) => {
    const at = 4 * (Math.floor(y) * picture.width + Math.floor(x));
    return data[at] + data[at + 1] + data[at + 2];
  };
  return lines.filter(([x, y, across]) => {
    const [dx, dy] = across ? [1, 0] : [0, 1];
    const found = [];
    for (let step = -4; step <= 4; step++) found.push(light(x * ratio + dx * step, y * ratio + dy * step));
    const ground = Math.min(found[0], found.at(-1));
    // A line between two pixels of the picture darkens both.
    const dark = found.slice(1, -1).map((light) => Math.max(0, ground - light));
    return dark.reduce((sum, more) => sum + more) < 50;
  });
}

/** The middles of the lines between empty squares: `[x, y, whether the squares stand side by side]`. */
const between = (page) =>
  page.evaluate(() => {
    const cells = [...document.querySelectorAll("#board .cell")];
    const files = Number(document.querySelector("#board").style.getPropertyValue("--files"));
    const empty = (cell) => cell && !cell.querySelector(".tile");
    return cells.flatMap((cell, index) => {
      const { left, right, top, bottom } = cell.getBoundingClientRect();
      const beside = (index + 1) % files > 0 && cells[index + 1];
      const below = cells[index + files];
      return [
        empty(cell) && empty(beside) && [right, (top + bottom) / 2, true],
        empty(cell) && empty(below) && [(left + right) / 2, bottom, false],
      ].filter(Boolean);
    });
  });

/** Whether the lines of drawings are one to three pixels of the screen wide. */
async function linesAreSeen(page, ...selectors) {
  for (const selector of selectors) {
    const widths = await page.$$eval(selector, (nodes) =>
      nodes.map(getComputedStyle).map(({ strokeWidth, vectorEffect }) => [
        vectorEffect,
        // Of floating-point numbers.
        Math.round(parseFloat(strokeWidth) * devicePixelRatio * 100) / 100,
      ]),
    );
    assert.ok(widths.length > 0, `${selector} is there`);
    for (const [effect, width] of widths)
      assert.ok(effect === "non-scaling-stroke" && width >= 1 && width <= 3, `${selector}: ${effect}, ${width} pixels`);
  }
}

test("lines of drawings can be seen at every zoom out", async () => {
  const page = await openPage(at.browser, at.place, { welcome: true });
  const seen = async (...selectors) => {
    // The least of Chromium, the least of Firefox, and some more.
    for (const ratio of [0.25, 0.3, 0.66, 0.67, 0.9]) {
      // Chromium looks for the ratio in style sheets where the size is another, too.
      await resize(page, { width: 1000 + Math.round(ratio * 100), height: 900, deviceScaleFactor: ratio });
      await until(page, (ratio) => Math.abs(devicePixelRatio - ratio) < 0.01, ratio);
      await linesAreSeen(page, ...selectors);
    }
  };
  await seen(".small-lines", ".small-board .body");
  await begin(page, {});
  await seen(".d-cell", ".tile .body");
  await leave(page);
});

for (const ratio of [0.67, 1, 1.1, 2]) {
  test(`lines can be seen where a pixel of the page is ${ratio} of the screen's`, async (t) => {
    const screen = { scaled: ratio !== 1, welcome: true };
    const page = await (ratio === 1 ? openPage(at.browser, at.place, screen) : another(t, { ratio }, screen));
    // Firefox has ratios of its own near by.
    const real = await page.evaluate(() => devicePixelRatio);
    assert.ok(Math.abs(real - ratio) < 0.02, `${real}`);
    await linesAreSeen(page, ".small-lines", ".small-board .body");
    const blank = await page.browserContext().newPage();
    for (const [variant, sfen] of Object.entries(EMPTY)) {
      await page.bringToFront();
      await begin(page, { variant, sfen });
      await exists(page, "#board .tile");
      await linesAreSeen(page, ".d-cell", ".tile .body");
      for (const theme of ["light", "dark"]) {
        await page.evaluate((theme) => (document.documentElement.dataset.theme = theme), theme);
        const lines = await between(page);
        assert.ok(lines.length >= 50, `${lines.length} lines`);
        const png = await page.screenshot({ encoding: "base64" });
        const missing = await blank.evaluate(without, png, lines, real);
        assert.deepEqual(missing, [], `${variant}, ${theme}: of ${lines.length}`);
      }
    }
    assert.deepEqual(page.problems, []);
  });
}

test("forced colours: squares, what is chosen, where it can go and the last move are seen by their lines", async (t) => {
  const page = await another(t, { forced: true }, {});
  assert.ok(await page.evaluate(() => matchMedia("(forced-colors: active)").matches));
  await begin(page, { sfen: "w5/6/6/6/4d1/5W b - 1" });
  await click(page, "1f", "1e");
  await played(page, "1f1e");
  await click(page, "6a", "6b");
  await played(page, "6a6b");
  await click(page, "1e");
  const widths = await page.evaluate(() => {
    const ground = getComputedStyle(document.body).backgroundColor;
    const found = (selector, part, name) => {
      const style = getComputedStyle(document.querySelector(selector), part);
      const { [`${name}Width`]: width, [`${name}Style`]: line, [`${name}Color`]: color } = style;
      return line === "none" || color === ground ? 0 : parseFloat(width);
    };
    return {
      line: found("#board .row + .row .cell + .cell", null, "borderLeft"),
      toast: found("#toast", null, "borderTop"),
      last: found("#board .last", null, "outline"),
      selected: found("#board .selected", null, "outline"),
      target: found("#board .target", "::after", "borderTop"),
      capture: found("#board .capture", "::after", "borderTop"),
    };
  });
  for (const [mark, width] of Object.entries(widths)) assert.ok(width >= (mark === "line" ? 1 : 2), `${mark}: ${width}px`);
  await begin(page, { variant: "great" });
  const lines = (selector) =>
    page.$$eval(selector, (nodes) => [...new Set(nodes.map((node) => getComputedStyle(node).borderTopStyle))]);
  assert.deepEqual(await lines("#board .row + .row .cell.zone"), ["dotted"]);
  assert.deepEqual(await lines("#board .row + .row .cell:not(.zone)"), ["solid"]);
  // Signs are seen where words are.
  const signs = await page.$$eval("button .icon", (icons) =>
    icons.map((icon) => [getComputedStyle(icon).stroke, getComputedStyle(icon.parentNode).color]),
  );
  assert.ok(signs.length >= 5, `${signs.length} signs`);
  for (const [sign, words] of signs) assert.equal(sign, words);
});

test("with large letters every label stands beside its row", async (t) => {
  const page = await another(t, { letters: 24 }, { width: 390, height: 844 });
  for (const variant of ["whale", "great"]) {
    await begin(page, { variant });
    const far = await page.evaluate(() => {
      const middles = (selector, side) =>
        [...document.querySelectorAll(selector)].map((node) => {
          const box = node.getBoundingClientRect();
          return side === "y" ? box.top + box.height / 2 : box.left + box.width / 2;
        });
      const apart = (labels, cells, side) => {
        const rows = middles(cells, side);
        return Math.max(...middles(labels, side).map((middle, index) => Math.abs(middle - rows[index])));
      };
      return [
        apart("#board .ranks span", "#board .cell:first-child", "y"),
        apart("#board .files span", "#board .row:first-child .cell", "x"),
      ];
    });
    const [{ height }, label] = [await box(page, "#board .cell"), await box(page, "#board .ranks span")];
    assert.ok(label.height > 24, `${label.height}px: letters are large`);
    for (const pixels of far) assert.ok(pixels < height / 8, `${variant}: ${far} of ${height}`);
  }
});

test("the board stands as it does where the page is read from right to left", async () => {
  const page = await openPage(at.browser, at.place);
  await begin(page, { variant: "great" });
  const places = () =>
    page.$$eval("#board .cell, .steps button:not(.on-phones)", (nodes) =>
      nodes.map((node) => {
        const { x, y } = node.getBoundingClientRect();
        const { left, top } = node.parentNode.closest(".grid, .steps").getBoundingClientRect();
        return [x - left, y - top].map((pixels) => Math.round(pixels / 4));
      }),
    );
  const before = await places();
  await page.evaluate(() => (document.documentElement.dir = "rtl"));
  assert.deepEqual(await places(), before);
  const scrolled = await page.evaluate(() => (scrollBy(-500, 0), scrollX));
  assert.equal(scrolled, 0, "nothing stands beside the page");
  // An arrow lies over the squares that it leads across.
  const [arrow, squares] = await page.evaluate(() => {
    window.kujira.table.board.drawArrows([{ from: "9f", to: "7f", kind: "best" }]);
    const span = (selector) => {
      const boxes = [...document.querySelectorAll(selector)].map((node) => node.getBoundingClientRect());
      return [Math.min(...boxes.map(({ left }) => left)), Math.max(...boxes.map(({ right }) => right))];
    };
    return [span(".arrows > *"), span('[data-square="9f"], [data-square="7f"]')];
  });
  assert.ok(squares[0] < arrow[0] && arrow[0] < arrow[1] && arrow[1] < squares[1], `${arrow} in ${squares}`);
  await leave(page);
});

test("signs of moves and scores stay at their side where the page is read from right to left", async () => {
  const page = await openPage(at.browser, at.place, {
    prepare: [`localStorage.setItem("kujira-prefs", '{"scores":"pawns"}')`],
  });
  await page.evaluate(() => (document.documentElement.dir = "rtl"));
  /** Whether the letters of an element stand from left to right, in the order of its text. */
  const ordered = (selector) =>
    page.$eval(selector, (node) => {
      const text = document.createTreeWalker(node, NodeFilter.SHOW_TEXT).nextNode();
      const lefts = [...text.data].map((_, index) => {
        const range = document.createRange();
        range.setStart(text, index);
        range.setEnd(text, index + 1);
        return range.getBoundingClientRect().left;
      });
      return [text.data, lefts.every((left, index) => index === 0 || left > lefts[index - 1])];
    });
  await begin(page, PROMOTION);
  await click(page, "9d", "9c");
  await press(page, ".choices button:first-child");
  await played(page, "9d9c+");
  const [move, moveStands] = await ordered(".move.now span");
  assert.match(move, /\+$/);
  assert.ok(moveStands, move);
  await begin(page, { variant: "great" });
  await press(page, "#openings .switch");
  await exists(page, ".openings-card .score");
  const [score, scoreStands] = await ordered(".openings-card .score");
  assert.match(score, /^[+−-]/);
  assert.ok(scoreStands, score);
  await leave(page);
});

const inChromium = { skip: BROWSER !== "chromium" && "of style sheets alone, as Chromium can be told to print" };

test("paper is white, and what is on it dark", inChromium, async () => {
  const page = await openPage(at.browser, at.place);
  await begin(page, {});
  await page.evaluate(() => (document.documentElement.dataset.theme = "dark"));
  const session = await page.createCDPSession();
  await session.send("Emulation.setEmulatedMedia", { media: "print" });
  const [ground, ...inks] = await page.evaluate(() => {
    const light = (color) => Math.max(...color.match(/\d+/g).slice(0, 3).map(Number));
    const inks = document.querySelectorAll("body, #status, .files, .who, .facts, .hint");
    return [
      light(getComputedStyle(document.body).backgroundColor),
      ...[...inks].map((node) => light(getComputedStyle(node).color)),
    ];
  });
  assert.equal(ground, 255);
  assert.ok(inks.length > 6 && Math.max(...inks) < 140, `${inks}`);
  await leave(page);
});

const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

/** Runs in a page with axe-core: what it finds, in words. */
const violations = async (theme) => {
  document.documentElement.dataset.theme = theme;
  // What hangs on colours alone is all that another theme changes.
  const runOnly = theme === "dark" ? ["color-contrast"] : undefined;
  const rules = theme === "dark" ? undefined : { "label-content-name-mismatch": { enabled: true } };
  const found = await window.axe.run(document, { runOnly, rules, resultTypes: ["violations"] });
  return found.violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => [id, html, failureSummary]));
};

test("axe-core finds nothing on the main screens, light or dark", inChromium, async () => {
  const page = await openPage(at.browser, at.place, { welcome: true });
  await page.evaluate(await readFile(AXE, "utf8"));
  const check = async (screen) => {
    for (const theme of ["light", "dark"])
      assert.deepEqual(await page.evaluate(violations, theme), [], `${screen}, ${theme}`);
  };
  await check("the welcome");
  await begin(page, { sfen: "w5/6/1W4/6/6/3d2 b K2D 1" });
  await check("a game");
  await click(page, "K*", "5b");
  await appears(page, "#ending");
  await check("its end");
  await begin(page, { variant: "great" });
  await click(page, "6h", "6g");
  await played(page, "6h6g");
  await press(page, ".analysis-card .switch");
  await press(page, "#openings .switch");
  await until(page, () => document.querySelectorAll(".lines li").length === 3);
  await press(page, ".analysis-card .switch");
  await check("analysis and openings");
  await press(page, "#move-menu");
  await check("the menu of a move");
  await page.keyboard.press("Escape");
  for (const [id, within] of Object.entries(DIALOGS)) {
    await press(page, `#${id}`);
    await appears(page, `dialog ${within}`);
    await check(id);
    await page.keyboard.press("Escape");
    await vanishes(page, "dialog");
  }
  await press(page, "#open-editor");
  await press(page, 'dialog [data-tool="w"]');
  await press(page, 'dialog [data-square="6f"]');
  await appears(page, "dialog .problems li");
  await check("the editor with a problem");
  await page.keyboard.press("Escape");
  await vanishes(page, "dialog");
  await resize(page, { width: 390, height: 844 });
  await begin(page, PROMOTION);
  await check("a phone");
  await click(page, "9d", "9c");
  await appears(page, ".choices");
  const choices = await box(page, ".choices");
  assert.ok(choices.x >= 0 && choices.x + choices.width <= 390, "the choice does not stick out");
  await check("the choice of a promotion");
  await resize(page, { width: 1400, height: 900 });
  await begin(page, { time: { main: 3_600_000, increment: 0, byoyomi: 0 } });
  // No time that passes takes the last seconds away.
  await page.evaluate(() => (window.kujira.table.sides.state.clocks.left[0] = 15_000));
  await exists(page, ".clock.running.low");
  await check("a clock that runs out");
  await exists(page, ".clock.running.low");
  await page.evaluate(() => (location.hash = "#puzzle=whale"));
  await appears(page, "#puzzle .primary");
  await check("a puzzle");
  await press(page, "#puzzle-choose");
  await appears(page, "dialog");
  await check("the choice of puzzles");
  await page.keyboard.press("Escape");
  await vanishes(page, "dialog");
  await press(page, "#puzzle-solution");
  await appears(page, "#puzzle-look");
  await check("a puzzle solved");
  await page.evaluate(() => (location.hash = "#learn=whale/2"));
  await appears(page, "#lesson-hint");
  await check("a lesson");
  await press(page, "#lesson-all");
  await appears(page, ".course-step");
  await check("the lessons of a course");
  assert.deepEqual(page.problems, []);
  await leave(page);
});
