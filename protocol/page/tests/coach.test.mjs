// The coach: a word before a move that loses something, threats, hints in three steps, and what decided the game.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  appears,
  attribute,
  begin,
  click,
  count,
  leave,
  moves,
  openPage,
  placeAndBrowser,
  played,
  press,
  property,
  reads,
  tap,
  text,
  tick,
  until,
  vanishes,
} from "./harness.mjs";

const at = placeAndBrowser();

/** Black's grey whale takes a dolphin, or stands in its way. */
const HANGS = "w5/6/6/3d2/6/3G1W b - 1";
const CARD = ".coach-card";

/** A page with such a game and the coach, which has looked. */
async function coached(wishes, options = {}) {
  const page = await openPage(at.browser, at.place, options);
  await begin(page, { players: ["human", 1], ...wishes });
  await press(page, "#do-coach", options);
  await reads(page, "#do-coach", /Coach: on/);
  await until(page, () => window.kujira.store.state().coach);
  return page;
}

/** Puts the grey whale on 3e, where it can be taken, and waits for the coach. */
async function hangs(page, act) {
  await act();
  await appears(page, CARD);
  assert.match(await text(page, CARD), /Your grey whale can be taken\. Play it all the same\?/);
  assert.deepEqual(await moves(page), [], "it is not played yet");
  assert.deepEqual([await count(page, ".arrows .shaft.thought"), await count(page, ".arrows .shaft.threat")], [1, 1]);
}

test("a move that hangs a piece is held back: taken back or played, by mouse and keys", async () => {
  const page = await coached({ sfen: HANGS });
  await hangs(page, () => click(page, "3f", "3e"));
  await press(page, `${CARD} .primary`);
  await vanishes(page, CARD);
  assert.deepEqual(await moves(page), []);
  // Another piece, or Escape, takes it back, too.
  await hangs(page, () => click(page, "3f", "3e"));
  await click(page, "1f");
  await vanishes(page, CARD);
  await page.keyboard.press("Escape");
  await page.focus('#board [data-square="3f"]');
  await hangs(page, async () => {
    await page.keyboard.press("Enter");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
  });
  await page.keyboard.press("Escape");
  await vanishes(page, CARD);
  await hangs(page, () => click(page, "3f", "3e"));
  // The safe answer has the focus, the other is one step on.
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "Take it back");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await until(page, () => window.kujira.store.state().nodes.length > 1);
  assert.equal((await moves(page))[0], "3f3e");
  assert.deepEqual(page.problems, []);
  await leave(page);
});

test("a good move is played at once, threats are told, and a hint comes in three steps", async () => {
  const page = await coached({ sfen: "w5/6/3d2/3N2/6/5W b - 1" });
  await reads(page, "#advice", /White threatens your narwhal on 3d/);
  assert.equal(await count(page, ".arrows .shaft.threat"), 1);
  const advice = [/the narwhal on 3d/, /to \w\w/, /narwhal 3d to \w\w/];
  for (const words of advice) {
    await press(page, "#do-hint");
    await reads(page, "#advice", words);
  }
  const [from, to] = await page.evaluate(() => {
    const { hint, position } = window.kujira.store.state();
    const { from, to } = position.legal.find(({ usi }) => usi === hint[1]);
    return [from, to];
  });
  await page.keyboard.press("Escape");
  await click(page, from, to);
  await until(page, () => window.kujira.store.state().nodes.length > 1);
  assert.equal(await property(page, CARD, "hidden"), true);
  // Switched off, it says nothing.
  await press(page, "#do-coach");
  await reads(page, "#do-coach", /Coach: off/);
  assert.equal(await page.evaluate(() => window.kujira.store.state().coach), null);
  assert.deepEqual(page.problems, []);
  await leave(page);
});

test("after the game it says what decided it, and each moment is shown with what was better", async () => {
  const page = await coached({ sfen: HANGS });
  await hangs(page, () => click(page, "3f", "3e"));
  await press(page, `${CARD} button`, { text: "Play it" });
  await until(page, () => window.kujira.store.state().nodes.length > 2);
  await press(page, "#do-resign");
  await press(page, "dialog .primary");
  await appears(page, ".moments");
  assert.match(await text(page, ".moments li"), /1\. Gx?-?3e: \d+ % → \d+ %/);
  await press(page, ".moments button");
  await until(page, () => window.kujira.store.state().current === 0);
  assert.equal(await count(page, ".arrows .shaft.hint"), 1);
  assert.deepEqual(page.problems, []);
  await leave(page);
});

test("whoever has never played is offered a first game with the coach, and does without it after two wins", async () => {
  const page = await openPage(at.browser, at.place, { welcome: true, newcomer: true, width: 390, height: 844, touch: true });
  await press(page, ".welcome-card .primary", { touch: true });
  await until(page, () => window.kujira.store.state()?.coach);
  const state = () => page.evaluate(() => window.kujira.store.state());
  assert.deepEqual((await state()).players, [{ kind: "human" }, { kind: "engine", level: 4 }]);
  assert.match(await text(page, "#do-coach"), /on/);
  // Mate in one: twice.
  for (const game of [1, 2]) {
    await begin(page, { players: ["human", 1], sfen: "2w3/6/2D3/6/6/3W2 b K 1" });
    await until(page, () => window.kujira.store.state().coach);
    await tap(page, "K*", "4b");
    await played(page, "K*4b");
    await appears(page, "#ending");
    assert.equal(/from now on it is off/.test(await text(page, "#ending")), game === 2);
  }
  await page.evaluate(() => (location.hash = ""));
  await appears(page, ".welcome-card");
  await press(page, "#open-new", { touch: true });
  assert.equal(await property(page, "[name=coach]", "checked"), false);
  await tick(page, "[name=coach]");
  await press(page, "dialog .primary", { touch: true });
  await reads(page, "#do-coach", /on/);
  assert.deepEqual(page.problems, []);
  await leave(page);
});
