// Hands of every sort: several fingers, presses that end elsewhere, keys that are held or of other alphabets.

import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import {
  BROWSER,
  appears,
  begin,
  box,
  click,
  count,
  enter,
  exists,
  leave,
  listen,
  moves,
  openPage,
  placeAndBrowser,
  playOn,
  played,
  press,
  reads,
  tick,
  until,
  vanishes,
} from "./harness.mjs";

let page;
const at = placeAndBrowser(async () => (page = await openPage(at.browser, at.place)));

afterEach(() => assert.deepEqual(page.problems, []));

const middle = async (page, name) => {
  const { x, y, width, height } = await box(page, `#board [data-square="${name}"]`);
  return [x + width / 2, y + height / 2];
};

test("the finger that carries a piece owns the board: a second one does nothing", async () => {
  const phone = await openPage(at.browser, at.place, { width: 390, height: 844, touch: true });
  await begin(phone, {});
  const first = await phone.touchscreen.touchStart(...(await middle(phone, "2e")));
  await first.move(...(await middle(phone, "3d")));
  await exists(phone, ".ghost");
  const second = await phone.touchscreen.touchStart(...(await middle(phone, "5e")));
  await second.end();
  await first.move(...(await middle(phone, "2d")));
  await first.end();
  await played(phone, "2e2d");
  assert.equal(await count(phone, ".ghost, .lifted, .selected"), 0);
  await leave(phone);
});

/** A phone with a game in which there is one piece in hand, and more below the board than it shows. */
async function phoneWithHand() {
  const phone = await openPage(at.browser, at.place, { width: 390, height: 500, touch: true });
  await begin(phone, { sfen: "w5/6/6/6/6/5W b K 1" });
  return phone;
}

test("squares and hands say what fingers do on them", async () => {
  const phone = await phoneWithHand();
  const ways = await phone.evaluate(() =>
    Object.fromEntries(
      ["1f", "3d", "6a", "K"].map((name) => {
        const node = document.querySelector(`[data-square="${name}"], .held[data-token="${name}"]`);
        return [name, getComputedStyle(node).touchAction];
      }),
    ),
  );
  assert.deepEqual(ways, { "1f": "pinch-zoom", "3d": "manipulation", "6a": "manipulation", K: "pinch-zoom" });
  const grid = await phone.$eval("#board .grid", (node) => getComputedStyle(node).touchAction);
  assert.equal(grid, "auto");
  await leave(phone);
});

const inChromium = { skip: BROWSER !== "chromium" && "Firefox is told of fingers behind what scrolls and zooms" };

test("one finger scrolls where nothing can be picked up", inChromium, async () => {
  const phone = await phoneWithHand();
  const swipe = async (name) => {
    const [x, y] = await middle(phone, name);
    const finger = await phone.touchscreen.touchStart(x, y);
    for (let step = 1; step <= 8; step++) await finger.move(x, y - step * 12);
    await finger.end();
  };
  await swipe("1f");
  assert.equal(await phone.evaluate(() => scrollY), 0, "what is carried does not scroll");
  await swipe("3d");
  await until(phone, () => scrollY > 40);
  assert.deepEqual(await moves(phone), []);
  await leave(phone);
});

test("two fingers zoom everywhere", inChromium, async () => {
  const phone = await phoneWithHand();
  const [x, y] = await middle(phone, "1f");
  const fingers = [await phone.touchscreen.touchStart(x, y), await phone.touchscreen.touchStart(x - 20, y)];
  for (let step = 1; step <= 8; step++) {
    await fingers[0].move(x, y);
    await fingers[1].move(x - 20 - step * 20, y);
  }
  for (const finger of fingers) await finger.end();
  await until(phone, () => visualViewport.scale > 1.2);
  assert.deepEqual(await moves(phone), []);
  await leave(phone);
});

test("a dialog closes by a press that begins and ends outside, and by no other", async () => {
  await press(page, "#open-prefs");
  const { x, y, width, height } = await box(page, "dialog");
  const inside = [x + width / 2, y + height - 40];
  const outside = [x / 2, y + height / 2];
  for (const [from, to] of [
    [inside, outside],
    [outside, inside],
  ]) {
    await page.mouse.move(...from);
    await page.mouse.down();
    await page.mouse.move(...to);
    await page.mouse.up();
    assert.equal(await count(page, "dialog[open]"), 1);
  }
  await page.mouse.click(...outside);
  await vanishes(page, "dialog");
});

test("what is not asked for does not keep a new game from its start", async () => {
  await begin(page, {});
  await press(page, "#open-new");
  await tick(page, "dialog [value=human]");
  await page.select("dialog [name=clock]", "byoyomi");
  await enter(page, "dialog [name=byoyomi]", "0");
  await page.select("dialog [name=clock]", "none");
  await press(page, "dialog .primary");
  await vanishes(page, "dialog");
  await until(page, () => window.kujira.store.state()?.time === null);
});

/** Presses a key of the page as a keyboard of another sort does, for so long. */
const key = (page, key, code, { held = 0, ...more } = {}) =>
  page.evaluate(
    (key, code, held, more) => {
      for (let time = 0; time <= held; time++)
        document.activeElement.dispatchEvent(
          new KeyboardEvent("keydown", { key, code, bubbles: true, cancelable: true, repeat: time > 0, ...more }),
        );
    },
    key,
    code,
    held,
    more,
  );

/** Whether a button acts again while Enter is held. */
const repeats = (page, selector) =>
  page.$eval(selector, (node) =>
    node.dispatchEvent(
      new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true, repeat: true }),
    ),
  );

test("a key that is held takes back one move, and it can be brought back", async () => {
  const line = ["2e2d", "3b3c", "5e5d", "2b2c"];
  await begin(page, {});
  for (const usi of line) {
    await click(page, ...usi.match(/\d+[a-f]/g));
    await played(page, usi);
  }
  const stands = (moves) => until(page, (nodes) => window.kujira.store.state().nodes.length === nodes, moves + 1);
  await key(page, "u", "KeyU", { held: 8 });
  await stands(3);
  await key(page, "u", "KeyU");
  await stands(2);
  assert.deepEqual(await moves(page), line.slice(0, 2));
  await press(page, "#do-bring-back");
  await played(page, line[2]);
  // However often it is pressed.
  await listen(page);
  await page.$eval("#do-bring-back", (button) => (button.click(), button.click()));
  await reads(page, "#toast", /^There is no move to bring back\.$/);
  assert.deepEqual(await moves(page), line);
  assert.ok(await page.evaluate(() => window.kujira.store.state().playing));
  await vanishes(page, "#do-bring-back");
  // A button that is held by the keyboard, too.
  await page.focus("#do-take-back");
  await page.keyboard.down("Enter");
  await stands(3);
  assert.equal(await repeats(page, "#do-take-back"), false);
  await page.keyboard.up("Enter");
  // Nor does what opens under it.
  await page.focus("#move-menu");
  await page.keyboard.down("Enter");
  await exists(page, ".menu :focus");
  assert.equal(await repeats(page, ".menu :focus"), false);
  await page.keyboard.up("Enter");
  await page.keyboard.press("Escape");
  // Another move takes its place.
  await click(page, "6b", "6c");
  await played(page, "6b6c");
  await vanishes(page, "#do-bring-back");
  // Steps lose nothing.
  await key(page, "ArrowLeft", "ArrowLeft", { held: 2 });
  await until(page, () => window.kujira.store.at() < 4);
});

test("what was taken back from an engine comes back as it was", async () => {
  await begin(page, { players: ["human", 1] });
  await playOn(page, 1);
  const line = await moves(page);
  await key(page, "u", "KeyU");
  await until(page, () => window.kujira.store.state().tip === 0);
  await key(page, "b", "KeyB");
  await until(page, () => window.kujira.store.state().playing && window.kujira.store.state().nodes.length === 3);
  assert.deepEqual(await moves(page), line);
  await until(page, () => window.kujira.store.state().movable);
});

test("keys are found by their place where letters are not Latin, and by their letter with CapsLock", async () => {
  await begin(page, {});
  const flipped = () => page.evaluate(() => window.kujira.table.board.flipped);
  for (const [letter, code] of [
    ["а", "KeyF"],
    ["φ", "KeyF"],
    ["כ", "KeyF"],
    // A sign that stands on a letter.
    ["\u094d", "KeyF"],
    ["Process", "KeyF"],
    ["F", "KeyF"],
    ["ｆ", "KeyF"],
    // Dvorak.
    ["f", "KeyY"],
  ]) {
    const before = await flipped();
    await key(page, letter, code);
    assert.notEqual(await flipped(), before, letter);
  }
  const before = await flipped();
  await key(page, "u", "KeyF");
  await key(page, "а", "KeyF", { ctrlKey: true });
  assert.equal(await flipped(), before);
  await key(page, "\u0e49", "KeyH");
  await until(page, () => window.kujira.store.state().hint);
});

test("the menu of a move closes by a press elsewhere, also after one on its rim", async () => {
  await begin(page, {});
  await click(page, "2e", "2d");
  await played(page, "2e2d");
  await press(page, "#move-menu");
  const { x, y, width } = await box(page, ".menu");
  await page.mouse.click(x + width / 2, y + 2);
  await appears(page, ".menu");
  await page.mouse.click(5, 400);
  await vanishes(page, ".menu");
  await press(page, "#move-menu");
  await page.mouse.click(x + width / 2, y + 2);
  await page.keyboard.press("Escape");
  await vanishes(page, ".menu");
});

/** Waits until the engine that analyses is in a state. */
const engine = (page, state) =>
  until(page, (state) => window.kujira.store.state().analyst.state === state, state);

/** Runs in the page: hides it, or not. */
const hide = (hidden) => {
  Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
};

test("a page that nobody sees from the first is not analysed", async () => {
  const page = await openPage(at.browser, at.place, {
    prepare: [() => Object.defineProperty(document, "hidden", { value: true, configurable: true })],
  });
  const state = await page.evaluate(
    () =>
      new Promise((resolve) => {
        const { store } = window.kujira;
        store.on("state", ({ state }) => state.analysis && resolve(state.analyst.state));
        store.send({ type: "analysis", on: true, lines: 1 });
      }),
  );
  assert.equal(state, "off", "no engine is started");
  await page.evaluate(hide, false);
  await engine(page, "searching");
  await leave(page);
});

test("analysis rests while nobody sees the page, unless somebody wants it", async () => {
  await begin(page, {});
  await press(page, ".analysis-card .switch");
  await engine(page, "searching");
  await page.evaluate(hide, true);
  await engine(page, "ready");
  assert.equal(await page.$eval(".analysis-card .switch", (node) => node.getAttribute("aria-checked")), "true");
  await page.evaluate(hide, false);
  await engine(page, "searching");
  await press(page, "#open-prefs");
  await tick(page, "dialog [name=rests]", false);
  await page.keyboard.press("Escape");
  const nodes = () => page.evaluate(() => window.kujira.table.analysis.lines?.nodes ?? 0);
  await page.evaluate(hide, true);
  const before = await nodes();
  await until(page, (before) => window.kujira.table.analysis.lines?.nodes > before, before);
  await press(page, "#open-prefs");
  await tick(page, "dialog [name=rests]");
  await page.keyboard.press("Escape");
  await engine(page, "ready");
  await page.evaluate(hide, false);
  await engine(page, "searching");
  await press(page, ".analysis-card .switch");
});
