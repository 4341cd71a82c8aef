// Before and after a game: the welcome, the way back to it, the card of a game that is over; pace and sounds.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  appears,
  begin,
  box,
  click,
  count,
  leave,
  openPage,
  placeAndBrowser,
  playOn,
  played,
  press,
  reads,
  text,
  tick,
  until,
  vanishes,
} from "./harness.mjs";

const at = placeAndBrowser();

const visit = (options = {}) => openPage(at.browser, at.place, { welcome: true, ...options });
const card = (variant) => `.welcome-card[data-game="${variant}"]`;
const state = (page) => page.evaluate(() => window.kujira.store.state());

test("the first minute: three games with their facts, one is played, Back leads to the welcome and the game goes on", async () => {
  const page = await visit({ newcomer: true });
  assert.equal(await count(page, ".welcome-card"), 3);
  for (const [variant, facts] of [
    ["whale", /6×6 squares.*12 pieces a side.*minutes/],
    ["paulowich", /7×7 squares.*14 pieces a side.*minutes/],
    ["great", /11×11 squares.*28 pieces a side.*minutes/],
  ]) {
    assert.match((await text(page, card(variant))).replace(/\s+/g, " "), facts);
    assert.deepEqual(
      await page.$$eval(`${card(variant)} button`, (buttons) => buttons.map(({ textContent }) => textContent)),
      ["Play", "Learn", "Analyse", "Puzzles"],
    );
  }
  await press(page, `${card("paulowich")} .primary`);
  await until(page, () => window.kujira.store.state()?.variant === "paulowich");
  const { id, players, playing } = await state(page);
  // Nobody has played in this browser: a low level, with a coach.
  assert.deepEqual([...players, playing], [{ kind: "human" }, { kind: "engine", level: 4 }, true]);
  await reads(page, "#advice", /^You are Black, below/);
  assert.ok(!(await page.$(".welcome-card")), "the board is in its place");
  await playOn(page, 1);
  await page.evaluate(() => history.back());
  await appears(page, ".last-game");
  await vanishes(page, "#board");
  assert.equal(await state(page), null, "nobody's clock runs here");
  assert.match(await text(page, ".last-game"), /Paulowich.*2 moves/);
  await press(page, ".last-game .primary");
  await until(page, (id) => window.kujira.store.state()?.id === id, id);
  await appears(page, "#board .tile");
  assert.equal((await state(page)).nodes.length, 3);
  // A page without a game shows it again at the next visit.
  const other = await visit({ context: page.browserContext() });
  await appears(other, ".last-game");
  assert.deepEqual([...page.problems, ...other.problems], []);
  await leave(page);
});

test("a game is analysed from the welcome, and its buttons lead on", async () => {
  const page = await visit();
  assert.ok(!(await box(page, "#open-editor")).width, "there is no position to edit");
  await press(page, "#open-pieces");
  await appears(page, ".piece-grid");
  await page.keyboard.press("Escape");
  await press(page, `${card("great")} button`, { text: "Analyse" });
  await until(page, () => window.kujira.store.state()?.variant === "great");
  await until(page, () => window.kujira.store.state().analysis === 3);
  assert.equal((await state(page)).playing, false);
  await press(page, ".brand a");
  await appears(page, ".welcome-card");
  await press(page, "#open-new");
  await press(page, "dialog .primary");
  await appears(page, "#board .tile");
  assert.deepEqual(page.problems, []);
  await leave(page);
});

for (const [width, height] of [
  [1440, 900],
  [1280, 720],
  [390, 844],
]) {
  test(`the welcome fits a screen of ${width}×${height}`, async () => {
    const page = await visit({ width, height, touch: width < 700 });
    const [wide, tall] = await page.evaluate(() => {
      const { scrollWidth, scrollHeight } = document.documentElement;
      return [scrollWidth - innerWidth, scrollHeight - innerHeight];
    });
    assert.ok(wide <= 0 && tall <= 0, `sticks out by ${wide}×${tall}px`);
    await leave(page);
  });
}

test("a game that is over says who won and why, and what may come next", async () => {
  const page = await visit();
  const sfen = "w5/6/1W4/6/6/6 b K 1";
  await begin(page, { sfen, players: ["human", 1] });
  await vanishes(page, "#ending");
  await click(page, "K*", "5b");
  await reads(page, "#ending h2", /^You win$/);
  assert.match(await text(page, "#ending .why"), /Black wins: checkmate/);
  const ended = (await state(page)).id;
  await press(page, "#ending button", { text: "Other colour" });
  await until(page, (id) => ![undefined, id].includes(window.kujira.store.state()?.id), ended);
  const turned = await state(page);
  assert.deepEqual([turned.players[0].kind, turned.players[1].kind], ["engine", "human"]);
  assert.match(turned.position.sfen, /^w5\/6\/1W4/);
  await until(page, () => window.kujira.store.state().nodes.length === 2);
  await begin(page, { handicap: "P" });
  await press(page, "#do-resign");
  await press(page, "dialog .primary");
  await reads(page, "#ending h2", /^Black wins$/);
  const resigned = (await state(page)).id;
  await press(page, "#ending button", { text: "Rematch" });
  await until(page, (id) => ![undefined, id].includes(window.kujira.store.state()?.id), resigned);
  assert.equal((await state(page)).handicap, "P");
  await vanishes(page, "#ending");
  assert.deepEqual(page.problems, []);
  await leave(page);
});

test("after two wins in a row the next level is offered, after two losses the one below", async () => {
  const page = await visit();
  const another = async (act) => {
    const { id } = await state(page);
    await act();
    await until(page, (id) => ![undefined, id].includes(window.kujira.store.state()?.id), id);
  };
  const won = async () => {
    await click(page, "K*", "5b");
    await reads(page, "#ending h2", /^You win$/);
  };
  const lost = async () => {
    await press(page, "#do-resign");
    await press(page, "dialog .primary");
    await reads(page, "#ending h2", /^You lose$/);
  };
  const rematch = () => another(() => press(page, "#ending button", { text: "Rematch" }));
  await begin(page, { sfen: "w5/6/1W4/6/6/6 b K 1", players: ["human", 4] });
  await won();
  await vanishes(page, "#ending .offer");
  // One game counts once, however often it ends.
  await page.keyboard.press("ArrowLeft");
  await press(page, "#do-resume");
  await vanishes(page, "#ending");
  await won();
  await vanishes(page, "#ending .offer");
  await rematch();
  await won();
  await reads(page, "#ending .offer", /^Two wins in a row: play Engine 5/);
  await another(() => press(page, "#ending .offer button"));
  assert.equal((await state(page)).players[1].level, 5);
  // A loss at the other level begins anew.
  await lost();
  await vanishes(page, "#ending .offer");
  await rematch();
  await lost();
  await reads(page, "#ending .offer", /^Two losses in a row: play Engine 4/);
  // The levels of a game with their Elo; the results, two wins against 4 and two losses against 5, fit one of them.
  await press(page, "#open-new");
  const levels = () => page.$$eval("dialog [name=level] option", (options) => options.map(({ textContent }) => textContent));
  assert.match((await levels()).slice(3, 5).join(), /^4 · plankton · \d+ Elo.*,5 · plankton · \d+ Elo/);
  assert.match((await levels()).filter((text) => text.endsWith("about your strength")).join(), /^[45] [^,]*$/);
  const { length } = await levels();
  await press(page, "dialog [value=great]");
  await until(page, (length) => document.querySelectorAll("dialog [name=level] option").length !== length, length);
  assert.ok((await levels()).every((text) => !text.includes("your strength")));
  assert.deepEqual(page.problems, []);
  await leave(page);
});

// That moves take it is shown on a clock of its own, where the games are kept.
test("whoever keeps the game is told what moment the settings say", async () => {
  const page = await visit();
  await page.evaluate(() => {
    const { link } = window.kujira;
    window.paces = [];
    const send = link.send.bind(link);
    link.send = (command) => {
      if (command.type === "pace") window.paces.push(command.millis);
      return send(command);
    };
  });
  const choose = async (pace) => {
    await press(page, "#open-prefs");
    await page.select("dialog [name=pace]", pace);
    await page.keyboard.press("Escape");
  };
  const told = () => page.evaluate(() => window.paces);
  await choose("1500");
  await begin(page, { players: [1, 1] });
  assert.deepEqual(await told(), [1500], "before the game begins");
  await until(page, () => window.kujira.store.state().nodes.length >= 3);
  // What was set holds for the game that is on.
  await choose("0");
  assert.deepEqual(await told(), [1500, 0]);
  const { nodes } = await state(page);
  await until(page, (nodes) => window.kujira.store.state().nodes.length >= nodes + 4, nodes.length);
  assert.deepEqual(page.problems, []);
  await leave(page);
});

test("a move is heard after somebody has done something, and not by whoever does not want to", async () => {
  const notes = () => {
    window.heard = { contexts: 0, notes: 0 };
    window.AudioContext = class extends AudioContext {
      constructor() {
        super();
        window.heard.contexts++;
      }
    };
    window.OscillatorNode = class extends OscillatorNode {
      constructor(...values) {
        super(...values);
        window.heard.notes++;
      }
    };
  };
  const page = await visit({ prepare: [notes] });
  const heard = () => page.evaluate(() => window.heard);
  assert.equal((await heard()).contexts, 0);
  await begin(page, {});
  await click(page, "2e", "2d");
  await played(page, "2e2d");
  assert.deepEqual(await heard(), { contexts: 1, notes: 1 });
  await press(page, "#step-back");
  await until(page, () => window.kujira.store.state().current === 0);
  assert.equal((await heard()).notes, 1, "the way back is silent");
  await press(page, "#open-prefs");
  await tick(page, "dialog [name=sound]", false);
  await page.keyboard.press("Escape");
  await click(page, "5e", "5d");
  await played(page, "5e5d");
  assert.equal((await heard()).notes, 1);
  assert.deepEqual(page.problems, []);
  await leave(page);
});
