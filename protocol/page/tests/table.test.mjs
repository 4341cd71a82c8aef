// Around the board: take back, branches, reload and crash, analysis, hint, editor, texts, links, help.

import assert from "node:assert/strict";
import { rename } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, test } from "node:test";
import {
  DRIVER,
  again,
  appears,
  begin,
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
  property,
  reads,
  reload,
  said,
  shelf,
  startServer,
  text,
  tick,
  until,
  vanishes,
  withBoard,
  withStatic,
} from "./harness.mjs";

let page;
const at = placeAndBrowser(async () => {
  page = await openPage(at.browser, at.place);
  // Other files meet the page of static files on the first visit, this one on the second.
  if (DRIVER === "static") await again(page);
});

afterEach(() =>
  assert.deepEqual(
    page.problems.filter((text) => !/WebSocket|ERR_CONNECTION|ws:\/\//.test(text)),
    [],
  ),
);

test("a game begins from the dialog as chosen there, which the next dialog remembers", async () => {
  await press(page, "#open-new");
  await tick(page, "dialog [value=great]");
  await tick(page, "dialog [value=engines]");
  await tick(page, "dialog [value=human]");
  await page.select("dialog [name=clock]", "byoyomi");
  await enter(page, "dialog [name=main]", "2");
  await enter(page, "dialog [name=byoyomi]", "7");
  await press(page, "dialog .primary");
  await until(page, () => window.kujira.store.state()?.variant === "great");
  const begun = await page.evaluate(() => window.kujira.store.state());
  assert.deepEqual(begun.players, [{ kind: "human" }, { kind: "human" }]);
  assert.deepEqual(begun.time, { main: 120000, increment: 0, byoyomi: 7000 });
  assert.equal(begun.handicap, null, "White gives nothing unless asked to");
  assert.equal(begun.rules.repetition, true);
  await press(page, "#open-new");
  assert.ok(await property(page, "dialog [value=great]", "checked"));
  assert.equal(await property(page, "dialog [name=byoyomi]", "value"), "7");
  await tick(page, "dialog [value=whale]");
  await page.select("dialog [name=handicap]", "P");
  await press(page, "dialog summary");
  await tick(page, "dialog [name=repetition]", false);
  await press(page, "dialog .primary");
  await until(page, () => window.kujira.store.state()?.handicap === "P");
  assert.equal(await page.evaluate(() => window.kujira.store.state().rules.repetition), false);
});

test("moves are taken back, stepped through and branched", async () => {
  await begin(page, {});
  await click(page, "2e", "2d");
  await played(page, "2e2d");
  await click(page, "3b", "3c");
  await played(page, "3b3c");
  await press(page, "#do-take-back");
  await played(page, "2e2d");
  assert.deepEqual(await moves(page), ["2e2d"]);
  await click(page, "5b", "5c");
  await played(page, "5b5c");
  await press(page, "#step-first");
  await until(page, () => window.kujira.store.state().current === 0);
  await click(page, "5e", "5d");
  await played(page, "5e5d");
  assert.deepEqual(await moves(page), ["5e5d"], "the game goes on there");
  assert.match(await text(page, ".branches"), /D-2d.*D-5c/);
  await press(page, "#moves button", { text: "D-5c" });
  await played(page, "5b5c");
});

test("a reload and a crash of the server lose nothing", withBoard, async () => {
  await begin(page, { variant: "great" });
  await click(page, "6h", "6g");
  await played(page, "6h6g");
  await reload(page);
  assert.deepEqual(await moves(page), ["6h6g"]);
  await click(page, "6d", "6e");
  await played(page, "6d6e");
  const id = await page.evaluate(() => window.kujira.store.state().id);
  await at.place.kill();
  assert.match(await shelf(page, at.place).read(id), /6d6e/, "what is shown is saved");
  await appears(page, "#offline");
  at.place = await startServer({ state: at.place.folder, port: at.place.port });
  await vanishes(page, "#offline");
  await click(page, "3h", "3g");
  await played(page, "3h3g");
  assert.deepEqual(await moves(page), ["6h6g", "6d6e", "3h3g"]);
});

test("a reload and the end of a page lose nothing", withStatic, async () => {
  const first = await openPage(at.browser, at.place);
  const context = first.browserContext();
  await begin(first, { variant: "great" });
  await click(first, "6h", "6g");
  await played(first, "6h6g");
  await reload(first);
  assert.deepEqual(await moves(first), ["6h6g"]);
  await click(first, "6d", "6e");
  await played(first, "6d6e");
  const id = await first.evaluate(() => window.kujira.store.state().id);
  assert.match(await shelf(first).read(id), /6d6e/, "what is shown is saved");
  await first.close();
  const second = await openPage(at.browser, at.place, { context });
  await click(second, "3h", "3g");
  await played(second, "3h3g");
  assert.deepEqual(await moves(second), ["6h6g", "6d6e", "3h3g"]);
  assert.deepEqual([...first.problems, ...second.problems], []);
  await leave(second);
});

test("a game that cannot be saved says so until it can", withBoard, async () => {
  await begin(page, {});
  const games = join(at.place.folder, "games");
  await rename(games, `${games}-away`);
  await click(page, "2e", "2d");
  await played(page, "2e2d");
  await rename(`${games}-away`, games);
  assert.match(await text(page, "#trouble-unsaved"), /not saved: expected a folder/);
  await click(page, "3b", "3c");
  await played(page, "3b3c");
  await vanishes(page, "#trouble-unsaved");
});

test("a game that finds no room says so until it can be saved", withStatic, async () => {
  await begin(page, {});
  const id = await page.evaluate(() => window.kujira.store.state().id);
  await page.evaluate(() => {
    const { put } = IDBObjectStore.prototype;
    window.room = () => (IDBObjectStore.prototype.put = put);
    IDBObjectStore.prototype.put = () => {
      throw new DOMException("The quota has been exceeded.", "QuotaExceededError");
    };
  });
  await click(page, "2e", "2d");
  await played(page, "2e2d");
  assert.match(await text(page, "#trouble-unsaved"), /not saved: .*(no room|quota)/);
  assert.doesNotMatch(await shelf(page).read(id), /2e2d/);
  await page.evaluate(() => window.room());
  await click(page, "3b", "3c");
  await played(page, "3b3c");
  await vanishes(page, "#trouble-unsaved");
  assert.match(await shelf(page).read(id), /2e2d.*3b3c/s);
});

test("analysis shows lines in people's notation, a bar, arrows and a graph; a hint its arrow", async () => {
  await begin(page, {});
  await click(page, "2e", "2d");
  await press(page, ".switch");
  await until(page, () => document.querySelectorAll(".lines li").length === 3);
  assert.match(await text(page, ".lines"), /[A-Z](-|x)\d[a-f]/);
  await exists(page, ".arrows .best");
  await until(page, () => document.querySelector("#bar span").textContent !== "");
  await page.keyboard.press("ArrowLeft");
  await until(page, () => document.querySelector(".graph-line").getAttribute("d") !== "");
  const legal = await page.evaluate(() => window.kujira.store.state().position.legal.length);
  assert.equal(legal, 7, "analysis follows to the start");
  await press(page, ".switch");
  await until(page, () => window.kujira.store.state().analysis === null);
  await press(page, "#do-hint");
  await exists(page, ".arrows .hint");
});

test("in a game its thoughts are shown to whoever asks for them, and its scores are no weak engine's", async () => {
  const shown = () =>
    page.evaluate(() => ({
      scores: document.querySelectorAll("#moves .move small").length > 0,
      graph: document.querySelector(".graph-line").getAttribute("d") !== "",
      bar: document.querySelector("#bar span").textContent !== "",
      lines: document.querySelectorAll(".lines li").length > 0,
    }));
  const setting = async (on) => {
    await press(page, "#open-prefs");
    await tick(page, "dialog [name=thoughts]", on);
    await page.keyboard.press("Escape");
  };
  const nothing = { scores: false, graph: false, bar: false, lines: false };
  await begin(page, { players: ["human", 5] });
  // Whatever is seen at some moment, while the engine thinks, too.
  await page.evaluate(() => {
    const { store } = window.kujira;
    window.lines = 0;
    store.on("lines", () => (window.lines += document.querySelectorAll(".lines li").length));
  });
  await playOn(page, 2);
  assert.deepEqual([await page.evaluate(() => window.lines), await shown()], [0, nothing]);
  await setting(true);
  await playOn(page, 1);
  assert.ok((await page.evaluate(() => window.lines)) > 0, "the setting shows them");
  await setting(false);
  assert.deepEqual(await shown(), nothing);
  await press(page, "#do-resign");
  await press(page, "dialog .primary");
  await until(page, () => !window.kujira.store.state().playing);
  const { scores } = await shown();
  assert.ok(!scores, "what an engine of that level thought is no score");
  await press(page, "#ending button", { text: "What decided it" });
  await until(page, () => window.kujira.store.state().moments);
  const after = await shown();
  assert.ok(after.scores && after.graph, "the engine has looked at the game in full strength");
});

test("the editor refuses with every reason, and plays what is possible", async () => {
  await begin(page, {});
  await press(page, "#open-editor");
  await press(page, 'dialog [data-tool="w"]');
  await press(page, 'dialog [data-square="3d"]');
  await press(page, 'dialog [data-tool="D"]');
  await press(page, 'dialog [data-square="1c"]');
  await until(page, () => document.querySelectorAll(".problems li").length === 3);
  const problems = await text(page, ".problems");
  for (const reason of [/one white whale of White, found 2/, /at most 12 of D/, /White is in check/])
    assert.match(problems, reason);
  assert.ok(await property(page, "dialog .primary", "disabled"));
  await press(page, 'dialog [data-tool="remove"]');
  await press(page, 'dialog [data-square="3d"]');
  await press(page, 'dialog [data-square="1c"]');
  await press(page, 'dialog [data-square="1b"]');
  await press(page, '.edit-hand [data-token="D"] button');
  await until(page, () => document.querySelectorAll(".problems li").length === 0);
  await listen(page);
  await press(page, "dialog button", { text: "Use on the board" });
  await until(page, () => window.kujira.store.state()?.position.sfen.includes("b D 1"));
  assert.equal(await page.evaluate(() => window.kujira.store.state().playing), false);
  assert.match(await text(page, "#status"), /free board/);
  await click(page, "D*", "1c");
  await played(page, "D*1c").catch(async () => assert.fail(await text(page, "#advice")));
  assert.equal(await said(page), "", "nothing went wrong on the way");
});

test("a click in a line plays it on the free board, and nothing in a game", async () => {
  await begin(page, {});
  await press(page, ".switch");
  // A click on the third move of a line of the position shown, as soon as there is one.
  const third = () =>
    until(page, () => {
      const { analysis } = window.kujira.table;
      const move =
        analysis.lines?.node === window.kujira.store.state().current && analysis.list.querySelector("[data-ply='2']");
      if (move) move.click();
      return Boolean(move);
    });
  await listen(page);
  await third();
  assert.match(await said(page), /pause it/);
  await click(page, "2e", "2d");
  await played(page, "2e2d");
  await click(page, "3b", "3c");
  await played(page, "3b3c");
  assert.deepEqual(await moves(page), ["2e2d", "3b3c"], "nothing was left to be played later");
  await press(page, "#do-pause");
  await until(page, () => !window.kujira.store.state().playing);
  await third();
  await until(page, () => window.kujira.store.state().nodes.length === 6);
  await press(page, ".switch");
});

test("lines are numbered as the moves are", async () => {
  const first = (pattern) =>
    until(page, (text) => new RegExp(text).test(document.querySelector(".lines .line")?.textContent), pattern);
  await begin(page, {});
  await click(page, "2e", "2d");
  await played(page, "2e2d");
  await press(page, ".switch");
  await first("^1… \\S+ 2\\. \\S+");
  await begin(page, { handicap: "P" });
  await press(page, ".switch");
  await first("^1… \\S+ 2\\. \\S+");
  await press(page, ".switch");
});

test("more than one move goes only after a question, by a button that everybody finds", async () => {
  await begin(page, {});
  for (const [from, to] of [
    ["2e", "2d"],
    ["3b", "3c"],
    ["2d", "2c"],
  ]) {
    await click(page, from, to);
    await played(page, from + to);
  }
  await press(page, "#do-pause");
  await until(page, () => !window.kujira.store.state().playing);
  const remove = async () => {
    await press(page, "#move-menu");
    await press(page, ".menu button", { text: "Delete from here" });
  };
  await remove();
  await played(page, "3b3c");
  await page.keyboard.press("ArrowLeft");
  await played(page, "2e2d");
  await remove();
  assert.match(await text(page, "dialog"), /D-2d and all that follows, 2 moves/);
  await press(page, "dialog button", { text: "Cancel" });
  assert.deepEqual(await moves(page), ["2e2d", "3b3c"]);
  await remove();
  await press(page, "dialog .primary");
  await until(page, () => window.kujira.store.state().nodes.length === 1);
  assert.ok(await property(page, "#move-menu", "disabled"));
});

test("saved games go only after a question; one that cannot be read says so", async () => {
  await begin(page, {});
  await click(page, "2e", "2d");
  await played(page, "2e2d");
  const id = await page.evaluate(() => window.kujira.store.state().id);
  const saved = shelf(page, at.place);
  const [copy, broken] = ["a".repeat(24), "b".repeat(24)];
  await saved.write(copy, await saved.read(id));
  await saved.write(broken, "no game");
  // Asked for by its address it is refused with a reason, and the game before comes back.
  await listen(page);
  await page.evaluate((id) => (location.hash = `game=${id}`), broken);
  await reads(page, "#toast", /cannot be read/);
  await until(page, (id) => window.kujira.store.state()?.id === id, id);
  await press(page, "#open-games");
  for (const [id, opens] of [
    [copy, 1],
    [broken, 0],
  ]) {
    const item = `.game-item[data-game="${id}"]`;
    await appears(page, item);
    assert.equal(await count(page, `${item} button.game-text`), opens);
    await press(page, `${item} [aria-label='Delete this game']`);
    await reads(page, "dialog[aria-label=Delete]", /will be gone/);
    await press(page, "dialog[aria-label=Delete] button", { text: "Cancel" });
    assert.notEqual(await saved.read(id), null);
    await press(page, `${item} [aria-label='Delete this game']`);
    await reads(page, "dialog[aria-label=Delete]", /will be gone/);
    await press(page, "dialog[aria-label=Delete] .primary");
    await vanishes(page, item);
    assert.equal(await saved.read(id), null);
  }
  await page.keyboard.press("Escape");
  assert.deepEqual(await moves(page), ["2e2d"]);
});

test("games go out and in as text, and positions by link", async () => {
  await begin(page, { handicap: "P" });
  await click(page, "6b", "6c");
  await played(page, "6b6c");
  const text = await page.evaluate(
    () =>
      new Promise((resolve) =>
        window.kujira.store.ask({ type: "export", format: "pgn" }, "text", (reply) => resolve(reply.text)),
      ),
  );
  assert.match(text, /\[SFEN "bn1wgh/);
  const id = await page.evaluate(() => window.kujira.store.state().id);
  await begin(page, {});
  await press(page, "#open-games");
  // The button stands below the list.
  await appears(page, `.game-item[data-game="${id}"]`);
  await press(page, "dialog button", { text: "Load a game or position" });
  await enter(page, "dialog textarea", "[Variant nonsense");
  await press(page, "dialog .primary");
  await reads(page, ".problem", /expected/);
  page.problems.length = 0;
  await enter(page, "dialog textarea", text);
  await press(page, "dialog .primary");
  await until(page, () => window.kujira.store.state()?.nodes.length === 2);
  assert.deepEqual(await moves(page), ["6b6c"]);
  const sfen = "3w2/6/6/6/6/3W2 w K 1";
  const link = `${new URL(page.url()).origin}/#${new URLSearchParams({ v: "whale", sfen })}`;
  await press(page, "#open-games");
  await reads(page, `.game-item[data-game="${id}"]`, /\D1 move ·/);
  await press(page, "dialog button", { text: "Load a game or position" });
  await enter(page, "dialog textarea", link);
  await press(page, "dialog .primary");
  await until(page, (wanted) => window.kujira.store.state()?.position.sfen === wanted, sfen);
  const other = await openPage(at.browser, at.place, {}, `#${new URLSearchParams({ v: "whale", sfen })}`);
  await until(other, (wanted) => window.kujira.store.state()?.position.sfen === wanted, sfen);
  assert.deepEqual(other.problems, []);
  await leave(other);
});

test("every kind of every game has its help, and the rules their tour", async () => {
  await press(page, "#open-pieces");
  for (const [index, kinds] of [8, 9, 52].entries()) {
    await press(page, "dialog .tabs button", { nth: index });
    const helps = await page.$$eval(".piece-grid button", (buttons) =>
      buttons.map((button) => {
        button.click();
        const detail = document.querySelector(".piece-detail");
        return {
          name: button.querySelector(".piece-name").textContent,
          heading: detail.querySelector("h3").textContent,
          cells: detail.querySelectorAll(".diagram .d-cell").length,
        };
      }),
    );
    assert.equal(helps.length, kinds);
    for (const { name, heading, cells } of helps) {
      assert.equal(heading, name);
      assert.ok(cells >= 15, name);
    }
  }
  await page.keyboard.press("Escape");
  await press(page, "#open-rules");
  let pages = 1;
  while ((await text(page, ".tour-buttons .primary")) !== "Done") {
    await press(page, ".tour-buttons .primary");
    pages++;
  }
  assert.ok(pages >= 5);
  await page.keyboard.press("Escape");
});

test("a piece pointed at while another game opens does no harm", async () => {
  await begin(page, {});
  // A game without a move is gone once it is closed.
  await click(page, "2e", "2d");
  await played(page, "2e2d");
  await page.evaluate(async () => {
    const { link, store } = window.kujira;
    const { id } = store.state();
    const cell = document.querySelector('#board .cell[data-square="5e"]');
    cell.dispatchEvent(new PointerEvent("pointerover", { bubbles: true, pointerType: "mouse" }));
    // A server that takes its time: the piece would be shown before it answers.
    const { open } = link;
    link.open = () => {};
    store.openGame(id);
    await new Promise((resolve) => setTimeout(resolve, 300));
    link.open = open;
    store.openGame(id);
  });
  await until(page, () => window.kujira.store.state());
});

test("a game of 200 moves with its graph is stepped through", async () => {
  await begin(page, {});
  // Whales walk to and fro: a game without end, where repetition is off.
  const cycle = ["3f2e", "3a2b", "2e3f", "2b3a"];
  const list = Array.from({ length: 200 }, (_, index) => cycle[index % 4]);
  const text = `# USI_Variant whale\n# Rules repetition off\nsfen 3w2/6/6/6/6/3W2 b - 1 moves ${list.join(" ")}`;
  await page.evaluate(
    (text) => window.kujira.store.start({ variant: "whale", text, players: [{ kind: "human" }, { kind: "human" }] }),
    text,
  );
  await until(page, () => window.kujira.store.state()?.nodes.length === 201);
  await until(page, () => window.kujira.store.state().current === 200);
  const times = await page.evaluate(async () => {
    const times = [];
    for (let step = 0; step < 40; step++) {
      const at = window.kujira.store.state().current;
      const start = performance.now();
      document.querySelector("#step-back").click();
      while (window.kujira.store.state().current === at) await new Promise((resolve) => setTimeout(resolve));
      await new Promise(requestAnimationFrame);
      times.push(performance.now() - start);
    }
    return times.sort((a, b) => a - b);
  });
  const median = times[20];
  console.log(`  a step in a game of 200 moves: median ${median.toFixed(0)} ms, slowest ${times.at(-1).toFixed(0)} ms`);
});
