// Games played by clicks: moves of every sort, and what the page says about them.

import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import {
  appears,
  attribute,
  begin,
  box,
  click,
  count,
  drag,
  exists,
  leave,
  moves,
  openPage,
  placeAndBrowser,
  playOn,
  played,
  press,
  reads,
  square,
  tap,
  text,
  until,
  vanishes,
} from "./harness.mjs";

let page;
const at = placeAndBrowser(async () => (page = await openPage(at.browser, at.place)));

afterEach(() => assert.deepEqual(page.problems, []));

const PROMOTION = { variant: "great", sfen: "5,w,5/11/11/2,M,8/11/11/11/11/11/11/5,W,5 b - 1" };
const LION = { variant: "great", sfen: "5,w,5/11/11/4,p,6/4,f,6/4,+BR,6/11/11/11/11/5,W,5 b - 1" };

test("6×6: moves, captures, a drop, and a move shown", async () => {
  await begin(page, {});
  await click(page, "2e");
  assert.match(await square(page, "2d"), /can go here/);
  await click(page, "2d");
  await played(page, "2e2d");
  await click(page, "3b", "3c");
  await played(page, "3b3c");
  await click(page, "2d", "2c");
  await played(page, "2d2c");
  await click(page, "3c", "3d");
  await played(page, "3c3d");
  await click(page, "2c", "2b");
  await played(page, "2c2b");
  assert.match(await text(page, "#near .hand"), /D/);
  await click(page, "3d", "3e");
  await played(page, "3d3e");
  await click(page, "D*", "2c");
  await played(page, "D*2c");
  // Two more moves, for what is printed: from the click to the tile on its new square.
  const times = [];
  for (const [from, to] of [
    ["6b", "6c"],
    ["6e", "6d"],
  ]) {
    const time = await page.evaluate(
      async ([a, b]) => {
        const cell = (name) => document.querySelector(`#board [data-square="${name}"]`);
        const press = (node) =>
          node.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true, button: 0, pointerId: 1 }));
        const release = () => dispatchEvent(new PointerEvent("pointerup", { pointerId: 1 }));
        press(cell(a));
        release();
        const start = performance.now();
        press(cell(b));
        release();
        while (!cell(b).querySelector(".tile")) await new Promise(requestAnimationFrame);
        return performance.now() - start;
      },
      [from, to],
    );
    times.push(time);
  }
  console.log(`  click to move shown: ${times.map((time) => time.toFixed(0)).join(", ")} ms`);
  assert.ok((await moves(page)).length >= 8);
});

test("7×7: a person against the engine, to the third answer", async () => {
  await begin(page, { variant: "paulowich", players: ["human", 2] });
  await playOn(page, 3);
  assert.equal((await moves(page)).length, 6);
  assert.match(await text(page, "#status"), /Black to move/);
});

for (const side of ["Black", "White"]) {
  test(`a press that begins while the engine thinks counts when it has moved: a person is ${side}`, async () => {
    const time = { main: 3_600_000, increment: 0, byoyomi: 0 };
    const strongest = await page.evaluate(() => window.kujira.store.spec.games[0].levels.length);
    const players = side === "Black" ? ["human", strongest] : [strongest, "human"];
    await begin(page, { players, time, sfen: "bnpwgh/ddddd1/5d/6/DDDDDD/HGWPNB b - 1" });
    if (side === "Black") await click(page, "6e", "6d");
    await appears(page, "#do-move-now");
    const others = () =>
      page.$$eval("#actions button:not(#do-move-now)", (buttons) =>
        buttons.map((node) => [node.id, node.offsetLeft, node.offsetTop].join(" ")),
      );
    const [before, { length }] = [await others(), await moves(page)];
    const { x, y } = await box(page, "#do-pause");
    await page.mouse.move(x + 10, y + 10);
    await page.mouse.down();
    await page.evaluate(() => window.kujira.store.send({ type: "move_now" }));
    await vanishes(page, "#do-move-now");
    assert.equal((await moves(page)).length, length + 1);
    assert.deepEqual(await others(), before, "what comes and goes moves no other");
    await page.mouse.up();
    await appears(page, "#do-resume");
  });
}

test("11×11: a promotion is chosen", async () => {
  await begin(page, PROMOTION);
  await click(page, "9d", "9c");
  await appears(page, ".choices");
  assert.match(await text(page, ".choices"), /Promote: giant bottlenose whale/);
  await press(page, ".choices button:first-child");
  await played(page, "9d9c+");
  assert.match(await square(page, "9c"), /Black giant bottlenose whale, [A-Za-z]+, promoted/);
  await click(page, "6a", "5a");
  await played(page, "6a5a");
  await click(page, "9c", "9b");
  await played(page, "9c9b");
});

test("11×11: lions capture two, capture and stay, stop, and pass", async () => {
  await begin(page, LION);
  await click(page, "7f", "7e");
  assert.match(await text(page, "#advice"), /same square again to stop there/);
  await click(page, "7d");
  await click(page, "7c");
  await played(page, "7f7e7d7c");
  assert.equal(await count(page, "#near .held"), 2, "both captured are in hand");
  assert.match(await square(page, "7e"), /^7e$/);
  await begin(page, LION);
  await click(page, "7f", "7e", "7f");
  await played(page, "7f7e7f");
  assert.match(await square(page, "7f"), /false killer whale/);
  await begin(page, LION);
  await click(page, "7f", "7e", "7e");
  await played(page, "7f7e");
  await begin(page, { ...LION, sfen: "5,w,5/11/11/11/11/4,+BR,6/11/11/11/11/5,W,5 b - 1" });
  await click(page, "7f", "7f");
  await press(page, ".choices button", { text: "Pass" });
  await played(page, "7f7f");
  assert.match(await text(page, "#moves"), /FK-pass/);
});

test("a killer whale's igui and its jump past the captured", async () => {
  await begin(page, { variant: "great", sfen: "5,w,5/11/11/11/5,m,5/6,K,4/11/11/11/11/5,W,5 b - 1" });
  await click(page, "5f", "6e", "7d");
  await played(page, "5f6e7d");
});

test("drags play as clicks do", async () => {
  await begin(page, {});
  await drag(page, "2e", "2d");
  await played(page, "2e2d");
});

test("a lion dragged on its way plays nothing before its end is chosen", async () => {
  await begin(page, LION);
  await drag(page, "7f", "7e");
  await reads(page, "#advice", /same square again to stop there/);
  await drag(page, "7e", "7d");
  await reads(page, "#advice", /same square again to stop there/);
  assert.deepEqual(await moves(page), []);
  await drag(page, "7d", "7c");
  await played(page, "7f7e7d7c");
  // Carried from its own square each time, and stopped by a click.
  await begin(page, LION);
  await drag(page, "7f", "7e");
  await drag(page, "7f", "7d");
  await reads(page, "#advice", /same square again to stop there/);
  assert.deepEqual(await moves(page), []);
  await click(page, "7d");
  await played(page, "7f7e7d");
  // Back onto its own square it captures and stays.
  await begin(page, LION);
  await drag(page, "7f", "7e");
  await drag(page, "7e", "7f");
  await played(page, "7f7e7f");
});

test("a press plays nothing before it is let go, nor where it is let go elsewhere", async () => {
  await begin(page, {});
  await click(page, "2e");
  const [there, away] = [await box(page, '#board [data-square="2d"]'), await box(page, '#board [data-square="5c"]')];
  await page.mouse.move(there.x + 20, there.y + 20);
  await page.mouse.down();
  assert.deepEqual(await moves(page), []);
  await page.mouse.move(away.x + 20, away.y + 20, { steps: 3 });
  await page.mouse.up();
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 200)));
  assert.deepEqual(await moves(page), []);
  await click(page, "2d");
  await played(page, "2e2d");
});

test("a piece glides above the squares it comes from", async () => {
  await begin(page, {});
  await page.evaluate(() => {
    // Tiles can be hit, and stand where they begin.
    [...document.styleSheets].at(-1).insertRule(".grid .tile { pointer-events: auto !important }");
    const { animate } = Element.prototype;
    Element.prototype.animate = function (...values) {
      Element.prototype.animate = animate;
      const animation = animate.apply(this, values);
      animation.pause();
      window.gliding = this;
      return animation;
    };
  });
  await click(page, "2e", "2d");
  await until(page, () => window.gliding !== undefined);
  const { x, y, width, height } = await box(page, '#board [data-square="2e"]');
  const above = await page.evaluate(
    (x, y) => window.gliding.contains(document.elementFromPoint(x, y)),
    x + width / 2,
    y + height / 2,
  );
  assert.ok(above, "the square is painted over the piece");
  await page.evaluate(() => [...document.styleSheets].at(-1).deleteRule(0));
});

test("a capture of the white whale asks nothing", async () => {
  await begin(page, { variant: "great", sfen: "11/5,w,5/5,M,5/11/11/11/11/11/11/11/5,W,5 b - 1" });
  await click(page, "6c", "6b");
  await played(page, "6c6b");
  await reads(page, "#status", /Black wins/);
});

test("what was explained in one game does not stay for the next", async () => {
  await begin(page, {});
  await click(page, "2e", "2c");
  await reads(page, "#advice", /does not move from 2e to 2c/);
  await begin(page, {});
  assert.equal(await text(page, "#advice"), "");
});

test("what is illegal is explained", async () => {
  await begin(page, {});
  await click(page, "2e", "2c");
  await reads(page, "#advice", /does not move from 2e to 2c/);
  await page.keyboard.press("Escape");
  await click(page, "2b");
  await reads(page, "#advice", /is White's, and it is Black's turn/);
});

test("the keyboard alone plays a move, and it is announced", async () => {
  await begin(page, {});
  await page.focus('#board [data-square="2e"]');
  await page.keyboard.press("Enter");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press(" ");
  await played(page, "2e2d");
  assert.equal(await text(page, "#live"), "Black: dolphin 2e to 2d");
  assert.equal(await page.evaluate(() => document.activeElement.dataset.square), "2d");
  await begin(page, PROMOTION);
  await page.focus('#board [data-square="9d"]');
  await page.keyboard.press("Enter");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  await exists(page, ".choices button:focus");
  await page.keyboard.press("Enter");
  await played(page, "9d9c+");
  assert.equal(await page.evaluate(() => document.activeElement.dataset.square), "9c", "the focus comes back");
  await begin(page, { sfen: "5w/6/6/6/6/W5 b K 1" });
  await page.focus('.held[data-token="K"]');
  await page.keyboard.press("Enter");
  assert.equal(await attribute(page, '.held[data-token="K"]', "aria-pressed"), "true");
  assert.equal(await page.evaluate(() => document.activeElement.dataset.token), "K", "the focus stays");
  await page.focus('#board [data-square="4d"]');
  await page.keyboard.press("Enter");
  await played(page, "K*4d");
});

test("after a click on the board the arrow keys step through the game", async () => {
  await begin(page, {});
  await page.focus('#board [data-square="2e"]');
  await click(page, "2e", "2d");
  await played(page, "2e2d");
  await page.keyboard.press("ArrowLeft");
  await until(page, () => window.kujira.store.state().current === 0);
  assert.equal(await page.evaluate(() => document.activeElement.tagName), "BODY");
  await page.keyboard.press("ArrowRight");
  await played(page, "2e2d");
});

test("a hint is told in words", async () => {
  await begin(page, { sfen: "w5/6/1W4/6/6/6 b K 1" });
  await press(page, "#do-hint");
  await reads(page, "#advice", /^Hint: killer whale dropped on \d[a-f]$/);
  const spoken = (usi) =>
    page.evaluate(
      (usi) =>
        window.kujira.table.board.spoken(window.kujira.store.state().position.legal.find((move) => move.usi === usi)),
      usi,
    );
  await begin(page, LION);
  assert.equal(await spoken("7f7e7d7c"), "false killer whale 7f to 7c, captures fin whale on 7e and pilot whale on 7d");
  assert.equal(await spoken("7f7e7f"), "false killer whale 7f stays, captures fin whale on 7e");
  await begin(page, PROMOTION);
  assert.match(await spoken("9d9c+"), /^[a-z ]+ 9d to 9c, promotes$/);
});

test("mate ends the game with its reason", async () => {
  await begin(page, { sfen: "w5/6/1W4/6/6/6 b K 1" });
  await click(page, "K*", "5b");
  await reads(page, "#status", /Black wins: checkmate/);
});

test("by touch on a phone: a move, a promotion, a drop, and what is illegal", async () => {
  const phone = await openPage(at.browser, at.place, { width: 390, height: 844, touch: true });
  await begin(phone, {});
  await tap(phone, "2e", "2c");
  await reads(phone, "#advice", /does not move from 2e to 2c/);
  await tap(phone, "2d");
  await played(phone, "2e2d");
  await begin(phone, PROMOTION);
  await tap(phone, "9d", "9c");
  await press(phone, ".choices button:first-child", { touch: true });
  await played(phone, "9d9c+");
  await begin(phone, { sfen: "5w/6/6/6/6/W5 b K 1" });
  await tap(phone, "K*", "4d");
  await played(phone, "K*4d");
  assert.deepEqual(phone.problems, []);
  await leave(phone);
});
