// Around the board: take back, branches, reload and crash, analysis, hint, editor, texts, links, help.

import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { begin, click, launch, moves, openPage, played, startServer } from "./harness.mjs";

let server, browser, page;

before(async () => {
  server = await startServer();
  browser = await launch();
  page = await openPage(browser, server);
});
afterEach(() => assert.deepEqual(page.problems.filter((text) => !/WebSocket|ERR_CONNECTION/.test(text)), []));
after(async () => {
  await browser?.close();
  await server?.stop();
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
  await page.waitForFunction(() => window.kujira.state().current === 0);
  await click(page, "5e", "5d");
  await played(page, "5e5d");
  assert.match(await page.textContent(".branches"), /D-5d/);
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
  await page.waitForTimeout(300);
  await server.kill();
  await page.waitForSelector("#offline:not([hidden])");
  server = await startServer({ state: server.folder, port: server.port });
  await page.waitForSelector("#offline", { state: "hidden" });
  await click(page, "3h", "3g");
  await played(page, "3h3g");
  assert.deepEqual(await moves(page), ["6h6g", "6d6e", "3h3g"]);
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
  const legal = await page.evaluate(() => window.kujira.state().position.legal.length);
  assert.equal(legal, 7, "analysis follows to the start");
  await page.click(".switch");
  await page.waitForFunction(() => window.kujira.state().analysis === null);
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
  for (const reason of [/one white whale of White, found 2/, /at most 12 of D/, /White is in check/]) assert.match(problems, reason);
  assert.ok(await page.isDisabled("dialog .primary"));
  await page.click('dialog [data-tool="remove"]');
  await page.click('dialog [data-square="3d"]');
  await page.click('dialog [data-square="1c"]');
  await page.click('dialog [data-square="1b"]');
  await page.click('.edit-hand >> nth=0 >> [data-token="D"] >> button >> nth=0');
  await page.waitForFunction(() => document.querySelectorAll(".problems li").length === 0);
  await page.click("text=Use on the board");
  await page.waitForFunction(() => window.kujira.state()?.position.sfen.includes("b D 1"));
  await click(page, "D*", "1c");
  await played(page, "D*1c").catch(async () => assert.fail(await page.textContent("#advice")));
});

test("games go out and in as text, and positions by link", async () => {
  await begin(page, { handicap: "P" });
  await click(page, "6b", "6c");
  await played(page, "6b6c");
  const text = await page.evaluate(
    () => new Promise((resolve) => window.kujira.ask({ type: "export", format: "pgn" }, "text", (reply) => resolve(reply.text))),
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
  await page.waitForFunction(() => window.kujira.state()?.nodes.length === 2);
  assert.deepEqual(await moves(page), ["6b6c"]);
  const sfen = "3w2/6/6/6/6/3W2 w K 1";
  const other = await openPage(browser, server, {}, `#${new URLSearchParams({ v: "whale", sfen })}`);
  await other.waitForFunction((wanted) => window.kujira.state()?.position.sfen === wanted, sfen);
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
    const app = window.kujira;
    const { id } = app.state();
    const cell = document.querySelector('#board .cell[data-square="5e"]');
    cell.dispatchEvent(new PointerEvent("pointerover", { bubbles: true, pointerType: "mouse" }));
    // A server that takes its time: the piece would be shown before it answers.
    const { open } = app.link;
    app.link.open = () => {};
    app.openGame(id);
    await new Promise((resolve) => setTimeout(resolve, 300));
    app.link.open = open;
    app.openGame(id);
  });
  await page.waitForFunction(() => window.kujira.state());
});

test("a game of 200 moves with its graph is stepped through smoothly", async () => {
  await begin(page, {});
  // Whales walk to and fro: a game without end, where repetition is off.
  const cycle = ["3f2e", "3a2b", "2e3f", "2b3a"];
  const list = Array.from({ length: 200 }, (_, index) => cycle[index % 4]);
  const text = `# USI_Variant whale\n# Rules repetition off\nsfen 3w2/6/6/6/6/3W2 b - 1 moves ${list.join(" ")}`;
  await page.evaluate((text) => window.kujira.start({ variant: "whale", text, players: [{ kind: "human" }, { kind: "human" }] }), text);
  await page.waitForFunction(() => window.kujira.state()?.nodes.length === 201);
  await page.waitForFunction(() => window.kujira.state().current === 200);
  const times = await page.evaluate(async () => {
    const times = [];
    for (let step = 0; step < 40; step++) {
      const at = window.kujira.state().current;
      const start = performance.now();
      document.querySelector("#step-back").click();
      while (window.kujira.state().current === at) await new Promise((resolve) => setTimeout(resolve));
      await new Promise(requestAnimationFrame);
      times.push(performance.now() - start);
    }
    return times.sort((a, b) => a - b);
  });
  const median = times[20];
  console.log(`  a step in a game of 200 moves: median ${median.toFixed(0)} ms, slowest ${times.at(-1).toFixed(0)} ms`);
  assert.ok(median < 100, `${median} ms`);
});
