// Around the board: take back, branches, reload and crash, analysis, hint, editor, texts, links, help.

import assert from "node:assert/strict";
import { access, copyFile, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, afterEach, before, test } from "node:test";
import { begin, click, launch, listen, moves, openPage, played, said, startServer } from "./harness.mjs";

let server, browser, page;

before(async () => {
  server = await startServer();
  browser = await launch();
  page = await openPage(browser, server);
});
afterEach(() =>
  assert.deepEqual(
    page.problems.filter((text) => !/WebSocket|ERR_CONNECTION/.test(text)),
    [],
  ),
);
after(async () => {
  await browser?.close();
  await server?.stop();
});

test("a game begins from the dialog as chosen there, which the next dialog remembers", async () => {
  await page.click("#open-new");
  await page.check("dialog [value=great]");
  await page.check("dialog [value=engines]");
  await page.check("dialog [value=human]");
  await page.selectOption("dialog [name=clock]", "byoyomi");
  await page.fill("dialog [name=main]", "2");
  await page.fill("dialog [name=byoyomi]", "7");
  await page.click("dialog .primary");
  await page.waitForFunction(() => window.kujira.store.state()?.variant === "great");
  const begun = await page.evaluate(() => window.kujira.store.state());
  assert.deepEqual(begun.players, [{ kind: "human" }, { kind: "human" }]);
  assert.deepEqual(begun.time, { main: 120000, increment: 0, byoyomi: 7000 });
  assert.equal(begun.handicap, null, "White gives nothing unless asked to");
  assert.equal(begun.rules.repetition, true);
  await page.click("#open-new");
  assert.ok(await page.isChecked("dialog [value=great]"));
  assert.equal(await page.inputValue("dialog [name=byoyomi]"), "7");
  await page.check("dialog [value=whale]");
  await page.selectOption("dialog [name=handicap]", "P");
  await page.click("dialog summary");
  await page.uncheck("dialog [name=repetition]");
  await page.click("dialog .primary");
  await page.waitForFunction(() => window.kujira.store.state()?.handicap === "P");
  assert.equal(await page.evaluate(() => window.kujira.store.state().rules.repetition), false);
});

test("moves are taken back, stepped through and branched", async () => {
  await begin(page, {});
  await click(page, "2e", "2d");
  await played(page, "2e2d");
  await click(page, "3b", "3c");
  await played(page, "3b3c");
  await page.click("#do-take-back");
  await played(page, "2e2d");
  assert.deepEqual(await moves(page), ["2e2d"]);
  await click(page, "5b", "5c");
  await played(page, "5b5c");
  await page.click("#step-first");
  await page.waitForFunction(() => window.kujira.store.state().current === 0);
  await click(page, "5e", "5d");
  await played(page, "5e5d");
  assert.deepEqual(await moves(page), ["5e5d"], "the game goes on there");
  assert.match(await page.textContent(".branches"), /D-2d.*D-5c/);
  await page.click('#moves button:has-text("D-5c")');
  await played(page, "5b5c");
});

test("a reload and a crash of the server lose nothing", async () => {
  await begin(page, { variant: "great" });
  await click(page, "6h", "6g");
  await played(page, "6h6g");
  await page.reload();
  await page.waitForSelector("#board .cell .tile");
  assert.deepEqual(await moves(page), ["6h6g"]);
  await click(page, "6d", "6e");
  await played(page, "6d6e");
  const file = join(server.folder, "games", `${await page.evaluate(() => window.kujira.store.state().id)}.json`);
  await server.kill();
  assert.match(await readFile(file, "utf8"), /6d6e/, "what is shown is saved");
  await page.waitForSelector("#offline:not([hidden])");
  server = await startServer({ state: server.folder, port: server.port });
  await page.waitForSelector("#offline", { state: "hidden" });
  await click(page, "3h", "3g");
  await played(page, "3h3g");
  assert.deepEqual(await moves(page), ["6h6g", "6d6e", "3h3g"]);
});

test("a game that cannot be saved says so until it can", async () => {
  await begin(page, {});
  const games = join(server.folder, "games");
  await rename(games, `${games}-away`);
  await click(page, "2e", "2d");
  await played(page, "2e2d");
  await rename(`${games}-away`, games);
  assert.match(await page.textContent("#unsaved"), /not saved: expected a folder/);
  await click(page, "3b", "3c");
  await played(page, "3b3c");
  await page.waitForSelector("#unsaved", { state: "detached" });
});

test("analysis shows lines in people's notation, a bar, arrows and a graph; a hint its arrow", async () => {
  await begin(page, {});
  await click(page, "2e", "2d");
  await page.click(".switch");
  await page.waitForFunction(() => document.querySelectorAll(".lines li").length === 3);
  assert.match(await page.textContent(".lines"), /[A-Z](-|x)\d[a-f]/);
  await page.waitForSelector(".arrows .best", { state: "attached" });
  await page.waitForFunction(() => document.querySelector("#bar span").textContent !== "");
  await page.keyboard.press("ArrowLeft");
  await page.waitForFunction(() => document.querySelector(".graph-line").getAttribute("d") !== "");
  const legal = await page.evaluate(() => window.kujira.store.state().position.legal.length);
  assert.equal(legal, 7, "analysis follows to the start");
  await page.click(".switch");
  await page.waitForFunction(() => window.kujira.store.state().analysis === null);
  await page.click("#do-hint");
  await page.waitForSelector(".arrows .hint", { state: "attached" });
});

test("the editor refuses with every reason, and plays what is possible", async () => {
  await begin(page, {});
  await page.click("#open-editor");
  await page.click('dialog [data-tool="w"]');
  await page.click('dialog [data-square="3d"]');
  await page.click('dialog [data-tool="D"]');
  await page.click('dialog [data-square="1c"]');
  await page.waitForFunction(() => document.querySelectorAll(".problems li").length === 3);
  const problems = await page.textContent(".problems");
  for (const reason of [/one white whale of White, found 2/, /at most 12 of D/, /White is in check/])
    assert.match(problems, reason);
  assert.ok(await page.isDisabled("dialog .primary"));
  await page.click('dialog [data-tool="remove"]');
  await page.click('dialog [data-square="3d"]');
  await page.click('dialog [data-square="1c"]');
  await page.click('dialog [data-square="1b"]');
  await page.click('.edit-hand >> nth=0 >> [data-token="D"] >> button >> nth=0');
  await page.waitForFunction(() => document.querySelectorAll(".problems li").length === 0);
  await listen(page);
  await page.click("text=Use on the board");
  await page.waitForFunction(() => window.kujira.store.state()?.position.sfen.includes("b D 1"));
  assert.equal(await page.evaluate(() => window.kujira.store.state().playing), false);
  assert.match(await page.textContent("#status"), /free board/);
  await click(page, "D*", "1c");
  await played(page, "D*1c").catch(async () => assert.fail(await page.textContent("#advice")));
  assert.equal(await said(page), "", "nothing went wrong on the way");
});

test("a click in a line plays it on the free board, and nothing in a game", async () => {
  await begin(page, {});
  await page.click(".switch");
  // A click on the third move of a line of the position shown, as soon as there is one.
  const third = () =>
    page.waitForFunction(() => {
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
  await page.click("#do-pause");
  await page.waitForFunction(() => !window.kujira.store.state().playing);
  await third();
  await page.waitForFunction(() => window.kujira.store.state().nodes.length === 6);
  await page.click(".switch");
});

test("lines are numbered as the moves are", async () => {
  const first = (pattern) =>
    page.waitForFunction((text) => new RegExp(text).test(document.querySelector(".lines .line")?.textContent), pattern);
  await begin(page, {});
  await click(page, "2e", "2d");
  await played(page, "2e2d");
  await page.click(".switch");
  await first("^1… \\S+ 2\\. \\S+");
  await begin(page, { handicap: "P" });
  await page.click(".switch");
  await first("^1… \\S+ 2\\. \\S+");
  await page.click(".switch");
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
  await page.click("#do-pause");
  await page.waitForFunction(() => !window.kujira.store.state().playing);
  const remove = async () => {
    await page.click("#move-menu");
    await page.click(".menu >> text=Delete from here");
  };
  await remove();
  await played(page, "3b3c");
  await page.keyboard.press("ArrowLeft");
  await played(page, "2e2d");
  await remove();
  assert.match(await page.textContent("dialog"), /D-2d and all that follows, 2 moves/);
  await page.click("dialog >> text=Cancel");
  assert.deepEqual(await moves(page), ["2e2d", "3b3c"]);
  await remove();
  await page.click("dialog .primary");
  await page.waitForFunction(() => window.kujira.store.state().nodes.length === 1);
  assert.ok(await page.isDisabled("#move-menu"));
});

test("saved games go only after a question; one that cannot be read says so", async () => {
  await begin(page, {});
  await click(page, "2e", "2d");
  await played(page, "2e2d");
  const id = await page.evaluate(() => window.kujira.store.state().id);
  const file = (id) => join(server.folder, "games", `${id}.json`);
  const [copy, broken] = ["a".repeat(24), "b".repeat(24)];
  await copyFile(file(id), file(copy));
  await writeFile(file(broken), "no game");
  // Asked for by its address it is refused with a reason, and the game before comes back.
  await listen(page);
  await page.evaluate((id) => (location.hash = `game=${id}`), broken);
  await page.waitForFunction(() => /cannot be read/.test(document.querySelector("#toast").textContent));
  await page.waitForFunction((id) => window.kujira.store.state()?.id === id, id);
  await page.click("#open-games");
  for (const [id, opens] of [
    [copy, 1],
    [broken, 0],
  ]) {
    const item = page.locator(`.game-item[data-game="${id}"]`);
    await item.waitFor();
    assert.equal(await item.locator("button.game-text").count(), opens);
    await item.locator("[aria-label='Delete this game']").click();
    await page.click("dialog:has-text('will be gone') >> text=Cancel");
    await access(file(id));
    await item.locator("[aria-label='Delete this game']").click();
    await page.click("dialog:has-text('will be gone') .primary");
    await item.waitFor({ state: "detached" });
    await assert.rejects(access(file(id)));
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
  await begin(page, {});
  await page.click("#open-games");
  await page.click("text=Load a game or position");
  await page.fill("dialog textarea", "[Variant nonsense");
  await page.click("dialog .primary");
  await page.waitForFunction(() => /expected/.test(document.querySelector(".problem").textContent));
  page.problems.length = 0;
  await page.fill("dialog textarea", text);
  await page.click("dialog .primary");
  await page.waitForFunction(() => window.kujira.store.state()?.nodes.length === 2);
  assert.deepEqual(await moves(page), ["6b6c"]);
  const sfen = "3w2/6/6/6/6/3W2 w K 1";
  const other = await openPage(browser, server, {}, `#${new URLSearchParams({ v: "whale", sfen })}`);
  await other.waitForFunction((wanted) => window.kujira.store.state()?.position.sfen === wanted, sfen);
  assert.deepEqual(other.problems, []);
  await other.context().close();
});

test("every kind of every game has its help, and the rules their tour", async () => {
  await page.click("#open-pieces");
  for (const [index, kinds] of [8, 9, 52].entries()) {
    await page.click(`dialog .tabs button >> nth=${index}`);
    assert.equal(await page.locator(".piece-grid button").count(), kinds);
    for (const button of await page.locator(".piece-grid button").all()) {
      await button.click();
      const name = await button.getAttribute("aria-label");
      assert.equal(await page.textContent(".piece-detail h3"), name);
      assert.ok((await page.locator(".piece-detail .diagram .d-cell").count()) >= 15, name);
    }
  }
  await page.keyboard.press("Escape");
  await page.click("#open-rules");
  let pages = 1;
  while ((await page.textContent(".tour-buttons .primary")) !== "Done") {
    await page.click(".tour-buttons .primary");
    pages++;
  }
  assert.ok(pages >= 5);
  await page.keyboard.press("Escape");
});

test("a piece pointed at while another game opens does no harm", async () => {
  await begin(page, {});
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
  await page.waitForFunction(() => window.kujira.store.state());
});

test("a game of 200 moves with its graph is stepped through smoothly", async () => {
  await begin(page, {});
  // Whales walk to and fro: a game without end, where repetition is off.
  const cycle = ["3f2e", "3a2b", "2e3f", "2b3a"];
  const list = Array.from({ length: 200 }, (_, index) => cycle[index % 4]);
  const text = `# USI_Variant whale\n# Rules repetition off\nsfen 3w2/6/6/6/6/3W2 b - 1 moves ${list.join(" ")}`;
  await page.evaluate(
    (text) => window.kujira.store.start({ variant: "whale", text, players: [{ kind: "human" }, { kind: "human" }] }),
    text,
  );
  await page.waitForFunction(() => window.kujira.store.state()?.nodes.length === 201);
  await page.waitForFunction(() => window.kujira.store.state().current === 200);
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
  assert.ok(median < 100, `${median} ms`);
});
