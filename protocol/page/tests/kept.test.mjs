// What the page keeps: as many games as there can be, settings that are damaged, links that somebody wrote anew.

import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import {
  appears,
  begin,
  click,
  count,
  enter,
  exists,
  leave,
  listen,
  openPage,
  placeAndBrowser,
  played,
  press,
  property,
  reads,
  said,
  shelf,
  text,
  tick,
  until,
  vanishes,
} from "./harness.mjs";

const at = placeAndBrowser();

const MOST = 500;
const WHALE = '.welcome-card[data-game="whale"]';

const visit = (options = {}, hash = "") => openPage(at.browser, at.place, { welcome: true, ...options }, hash);
const state = (page) => page.evaluate(() => window.kujira.store.state());
const games = (page) => page.evaluate(() => window.kujira.store.games());
const nameOf = (number) => number.toString(16).padStart(24, "0");

describe("where there is room for no other game", () => {
  let page;
  const over = 60;

  before(async () => {
    page = await visit();
    const saved = shelf(page, at.place);
    // One that goes on, and one that is over.
    const texts = [];
    for (const ends of [false, true]) {
      await begin(page, {});
      await click(page, "2e", "2d");
      await played(page, "2e2d");
      if (ends) await page.evaluate(() => window.kujira.store.send({ type: "resign", side: "w" }));
      await until(page, (ends) => window.kujira.store.state().playing !== ends, ends);
      const { id } = await state(page);
      texts.push(await saved.read(id));
    }
    await page.evaluate(() => (location.hash = ""));
    await appears(page, WHALE);
    const more = Array.from({ length: MOST - (await games(page)).length }, (_, number) => number);
    await Promise.all(more.map((number) => saved.write(nameOf(number), texts[number < over ? 1 : 0], 1e9 + number)));
  });

  test("none is offered to go where there is no list of them", async () => {
    await page.evaluate(() => (window.kujira.link.list = () => Promise.reject(new Error("no list"))));
    await listen(page);
    await press(page, `${WHALE} .primary`);
    await reads(page, "#toast", /saved already: delete some/);
    assert.equal(await count(page, "dialog"), 0);
    await page.evaluate(() => delete window.kujira.link.list);
  });

  test("the oldest finished ones are offered to go, and the game begins", async () => {
    assert.equal((await games(page)).length, MOST);
    await press(page, `${WHALE} .primary`);
    await reads(page, "dialog", /500 games are saved/);
    await press(page, "dialog button", { text: "Cancel" });
    await vanishes(page, "dialog");
    assert.match(await said(page), /saved already: delete some/);
    assert.equal((await games(page)).length, MOST);
    // Pressed twice, and what is left cannot be told.
    await press(page, `${WHALE} .primary`);
    await reads(page, "dialog .primary", /^Delete the 50 oldest finished games$/);
    await page.evaluate(() => {
      const { link } = window.kujira;
      const { remove } = link;
      window.removed = [];
      link.remove = (id) => (window.removed.push(id), remove.call(link, id));
      link.list = () => Promise.reject(new Error("no list"));
      const button = document.querySelector("dialog .primary");
      button.click();
      button.click();
    });
    await until(page, () => window.kujira.store.state()?.variant === "whale");
    assert.equal(await page.evaluate(() => window.removed.length), 50);
    await page.evaluate(() => {
      delete window.kujira.link.remove;
      delete window.kujira.link.list;
    });
    const left = await games(page);
    assert.equal(left.length, MOST - 50 + 1);
    assert.deepEqual([left.some(({ id }) => id === nameOf(49)), left.some(({ id }) => id === nameOf(50))], [false, true]);
    assert.equal(left.filter(({ ending }) => !ending).length, MOST - over, "what goes on stays");
  });

  test("games are searched, and several are deleted after a question", async () => {
    await press(page, "#open-games");
    const seen = () => count(page, ".game-item:not([hidden])");
    await exists(page, ".game-item");
    const all = await seen();
    await enter(page, "dialog input[type=search]", "whale RESIGN");
    const found = await seen();
    assert.equal(found, 11);
    await tick(page, ".game-item:not([hidden]) input");
    await reads(page, ".games-tools button", /^Delete 1 game$/);
    await tick(page, ".games-tools input[type=checkbox]");
    await reads(page, ".games-tools button", new RegExp(`^Delete ${found} games$`));
    await press(page, ".games-tools button");
    await reads(page, "dialog[aria-label=Delete]", new RegExp(`^Delete${found} games will be gone`));
    await press(page, "dialog[aria-label=Delete] .primary");
    await until(page, (left) => document.querySelectorAll(".game-item").length === left, all - found);
    assert.equal(await seen(), 0);
    await enter(page, "dialog input[type=search]", "");
    assert.equal(await seen(), all - found);
    assert.match(await text(page, ".games"), /not finished/);
    assert.deepEqual(
      page.problems.filter((text) => !/429/.test(text)),
      [],
    );
    await leave(page);
  });
});

/** Values of the right names and of no use, as of another version. */
const OTHER = JSON.stringify({
  variant: "gone",
  whale: 99,
  paulowich: { x: 1 },
  opponent: null,
  clock: "hourglass",
  main: "long",
  games: null,
  theme: 5,
  coordinates: "polar",
  pace: "soon",
  resources: "many",
  streak: null,
  done: null,
});

/** Numbers that nobody takes. */
const TOO_MUCH = JSON.stringify({ resources: { threads: 1e12, hash: 1e12 } });

test("what the browser keeps and is damaged counts as never kept", async () => {
  const kept = ["prefs", "streak", "last-game", "levels", "strength-whale", "game", "puzzles-whale", "learn-whale"];
  const names = kept.map((name) => `kujira-${name}`);
  for (const damaged of [[OTHER], [TOO_MUCH], ["null", "null", "{broken", "[]", '"text"']]) {
    const pairs = names.map((name, index) => [name, damaged[index % damaged.length]]);
    const page = await visit({
      prepare: [`for (const [name, kept] of ${JSON.stringify(pairs)}) localStorage.setItem(name, kept)`],
    });
    await press(page, "#open-new");
    const chosen = (name) => page.$eval(`dialog [name=${name}]`, (node) => new FormData(node.form).get(node.name));
    assert.deepEqual(
      [
        await chosen("variant"),
        await chosen("opponent"),
        await chosen("clock"),
        // Hidden as long as people play, and no part of the form.
        await property(page, "dialog [name=level2]", "value"),
      ],
      ["whale", "engine", "none", "13"],
    );
    await press(page, "dialog .primary");
    await until(page, () => window.kujira.store.state());
    // The end of a game is counted.
    await page.evaluate(() => window.kujira.store.send({ type: "resign", side: "b" }));
    await appears(page, "#ending");
    const { threads, hash } = await state(page);
    assert.ok(threads >= 1 && hash >= 1);
    assert.doesNotMatch(await page.$eval("#toast", (node) => node.className), /bad/);
    await press(page, "#open-prefs");
    const settings = await page.$$eval("dialog select", (nodes) => nodes.map(({ value }) => value));
    assert.deepEqual(settings, ["auto", "auto", "japanese", "chances", "auto", "600"]);
    assert.deepEqual([damaged, ...page.problems], [damaged]);
    await leave(page);
  }
});

test("a link that somebody wrote anew keeps its rules, or is refused", async () => {
  const sfen = "3w2/6/6/6/6/3W2 w K 1";
  const link = (rules) => `#${new URLSearchParams({ v: "whale", sfen, rules })}`;
  const page = await visit();
  for (const written of [
    link("impasse+repetition"),
    decodeURIComponent(link("impasse+repetition")),
    decodeURIComponent(link("impasse+repetition").replaceAll("+", " ")),
    link("impasse+repetition").replaceAll("&", "&amp;"),
  ]) {
    await page.evaluate((hash) => (location.hash = hash), written);
    await until(page, (sfen) => window.kujira.store.state()?.position.sfen === sfen, sfen);
    const { rules } = await state(page);
    assert.deepEqual([written, rules.impasse, rules.repetition], [written, true, false]);
    await page.evaluate(() => window.kujira.store.leave());
  }
  await listen(page);
  await page.evaluate((hash) => (location.hash = hash), link("impasse+nonsense"));
  await reads(page, "#toast", /leads to no position: there is no rule nonsense/);
  assert.equal(await state(page), null);
  for (const lost of [`#${encodeURIComponent(link("").slice(1))}`, "#nonsense", "#game=1"]) {
    await listen(page);
    await page.evaluate((hash) => (location.hash = hash), lost);
    await reads(page, "#toast", /leads to no position: it names no game/);
    assert.equal(await state(page), null);
  }
  // The link to the board is no such.
  await listen(page);
  await page.evaluate(
    () =>
      new Promise((resolve) => {
        addEventListener("hashchange", () => setTimeout(resolve), { once: true });
        location.hash = "#board";
      }),
  );
  assert.equal(await said(page), "");
  assert.deepEqual(page.problems, []);
  await leave(page);
});

test("a link is read as text, too, as it is and decoded", async () => {
  const sfen = "3w2/6/6/6/6/3W2 w K 1";
  const link = (rules) => `${at.place.address}#${new URLSearchParams({ v: "whale", sfen, rules })}`;
  const page = await visit();
  const load = async (text) => {
    await press(page, "#open-games");
    // The button stands below the list.
    await reads(page, "dialog .games", /\w/);
    await press(page, "dialog button", { text: "Load a game or position…" });
    await enter(page, "dialog textarea", text);
    await press(page, "dialog .primary");
  };
  for (const written of [link("impasse"), decodeURIComponent(link("impasse").replaceAll("+", " "))]) {
    await load(`${written}\n`);
    await until(page, (sfen) => window.kujira.store.state()?.position.sfen === sfen, sfen);
    await vanishes(page, "dialog");
    assert.equal((await state(page)).rules.impasse, true);
    await page.evaluate(() => window.kujira.store.leave());
    // Until it is there, the buttons have other places.
    await appears(page, WHALE);
  }
  for (const [written, why] of [
    [decodeURIComponent(link("nonsense").replaceAll("+", " ")), /no rule nonsense/],
    [`${at.place.address}#nonsense`, /names no game/],
  ]) {
    await load(written);
    await reads(page, "dialog .problem", why);
    await page.keyboard.press("Escape");
    await vanishes(page, "dialog");
  }
  assert.deepEqual([await state(page), ...page.problems], [null]);
  await leave(page);
});
