// People at one game: each page has a view of its own, a draw is asked for before it ends a game, clocks show what is left.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  appears,
  begin,
  click,
  count,
  exists,
  leave,
  listen,
  moves,
  openPage,
  placeAndBrowser,
  played,
  press,
  reads,
  startServer,
  text,
  until,
  vanishes,
  withBoard,
} from "./harness.mjs";

const at = placeAndBrowser();

/** Another page that shows the game of the first. */
async function beside(page) {
  const id = await page.evaluate(() => window.kujira.store.state().id);
  const other = await openPage(at.browser, at.place, {}, `#game=${id}`);
  assert.equal(await other.evaluate(() => window.kujira.store.state().id), id);
  return other;
}

/** Waits until the game has so many moves. */
const known = (page, moves) => until(page, (count) => window.kujira.store.state().nodes.length === count + 1, moves);

const SELECTED = '#board .selected[data-square="5b"]';

test("a page steps, chooses and branches for itself", withBoard, async () => {
  const one = await openPage(at.browser, at.place);
  await begin(one, {});
  const two = await beside(one);
  await click(one, "2e", "2d");
  await played(two, "2e2d");
  // A piece that is chosen stays so while the other page steps.
  await click(two, "5b");
  await exists(two, SELECTED);
  await press(one, "#step-back");
  await until(one, () => window.kujira.store.state().current === 0);
  await press(one, ".switch");
  await until(two, () => window.kujira.store.state().analysis !== null);
  await press(one, ".switch");
  await until(two, () => window.kujira.store.state().analysis === null);
  assert.equal(await count(two, SELECTED), 1);
  await played(two, "2e2d");
  await click(two, "5c");
  await played(two, "5b5c");
  // Who looks back is told of the move and stays, with the piece chosen there.
  await known(one, 2);
  assert.equal(await one.evaluate(() => window.kujira.store.state().current), 0);
  await click(one, "5e");
  await click(two, "2d", "2c");
  await known(one, 3);
  assert.equal(await count(one, '#board .selected[data-square="5e"]'), 1);
  assert.match(await text(one, "#moves"), /D-2d.*D-5c.*D-2c/s);
  // The game goes on there, and takes along who looks at its end.
  await click(one, "5d");
  await played(one, "5e5d");
  await played(two, "5e5d");
  assert.deepEqual(await moves(two), ["5e5d"]);
  for (const page of [one, two]) {
    assert.deepEqual(page.problems, []);
    await leave(page);
  }
});

test("a page that loses its connection looks on where it did", withBoard, async () => {
  const one = await openPage(at.browser, at.place);
  await begin(one, {});
  const two = await beside(one);
  for (const [from, to] of [
    ["2e", "2d"],
    ["3b", "3c"],
    ["5e", "5d"],
  ]) {
    await click(one, from, to);
    await played(two, from + to);
  }
  // A branch that is taken back: whoever reads the game anew counts its moves anew.
  await press(one, "#do-take-back");
  await played(two, "3b3c");
  await click(one, "6e", "6d");
  await played(two, "6e6d");
  await press(two, "#step-back");
  await played(two, "3b3c");
  await at.place.kill();
  for (const page of [one, two]) await appears(page, "#offline");
  at.place = await startServer({ state: at.place.folder, port: at.place.port });
  for (const page of [one, two]) await vanishes(page, "#offline");
  await played(two, "3b3c");
  await click(one, "2b", "2c");
  await known(two, 4);
  await played(two, "3b3c");
  await played(one, "2b2c");
  await leave(one);
  await leave(two);
});

test("two people agree on a draw after a question", async () => {
  const page = await openPage(at.browser, at.place);
  await begin(page, {});
  await press(page, "#do-draw");
  await reads(page, "dialog", /ends as a draw if both sides agree/);
  await press(page, "dialog button", { text: "Cancel" });
  assert.equal(await page.evaluate(() => window.kujira.store.state().playing), true);
  await press(page, "#do-draw", { text: "Agree on a draw" });
  await press(page, "dialog .primary");
  await reads(page, "#status", /Draw: agreement/);
  await vanishes(page, "#do-draw");
  assert.deepEqual(page.problems, []);
  await leave(page);
});

test("an engine is offered a draw, and answers by its score", async () => {
  const page = await openPage(at.browser, at.place);
  const offer = async () => {
    await press(page, "#do-draw", { text: "Offer a draw" });
    await press(page, "dialog .primary");
  };
  await begin(page, { players: ["human", 1] });
  await listen(page);
  await offer();
  await reads(page, "#toast", /The engine declines: .* in the first 10 moves/);
  assert.equal(await page.evaluate(() => window.kujira.store.state().playing), true);
  // Nine moves of each whale, and an engine that has nothing else.
  const cycle = ["3f2e", "3a2b", "2e3f", "2b3a"];
  const list = Array.from({ length: 18 }, (_, index) => cycle[index % 4]);
  const start = "sfen 3w2/6/6/6/6/3W2 b 2K 1";
  const record = `# USI_Variant whale\n# Rules repetition off\n${start} moves ${list.join(" ")}`;
  await begin(page, { text: record, players: ["human", 1] });
  await press(page, "#do-resume");
  await click(page, "2e", "3f");
  await until(page, () => window.kujira.store.state().nodes.length === 21 && window.kujira.store.state().movable);
  await offer();
  await reads(page, "#status", /Draw: agreement/);
  assert.deepEqual(page.problems, []);
  await leave(page);
});

test("a clock on which the byoyomi ran out shows none", async () => {
  const page = await openPage(at.browser, at.place);
  await begin(page, { time: { main: 0, increment: 0, byoyomi: 1000 } });
  await reads(page, "#status", /White wins: time ran out/);
  await reads(page, '.clock[data-side="b"]', /^byo 0:00\.0$/);
  assert.equal(await text(page, '.clock[data-side="w"]'), "byo 0:01.0");
  assert.deepEqual(page.problems, []);
  await leave(page);
});
