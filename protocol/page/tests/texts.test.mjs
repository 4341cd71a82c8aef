// The table of texts: every text is there in both languages and used, what is told in English elsewhere is found there,
// and a page in Japanese shows no English.

import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { test } from "node:test";
import { DIALOGS } from "../src/texts/dialogs.js";
import { GAME } from "../src/texts/game.js";
import { LEARN } from "../src/texts/learn.js";
import { NAMES } from "../src/texts/names.js";
import { RULES } from "../src/texts/rules.js";
import { TOLD } from "../src/texts/told.js";
import { appears, begin, click, leave, openPage, placeAndBrowser, playOn, press, reads, text, tick, until, withBoard } from "./harness.mjs";

const GAMES = ["whale", "paulowich", "great"];
const PARTS = [DIALOGS, GAME, LEARN, RULES];
const TEXTS = Object.assign({}, ...PARTS);
const ROOT = new URL("../../../", import.meta.url);

/** The contents of all files of a kind below a folder of the repository. */
async function sources(folder, kind) {
  const place = new URL(folder, ROOT);
  const names = (await readdir(place, { recursive: true })).filter((name) => kind.test(name) && !/node_modules/.test(name));
  return Promise.all(names.map((name) => readFile(new URL(name, place), "utf8")));
}

const places = (text) => text.match(/\{\w*\}/g) ?? [];

test("every text is there once, in both languages, and used; every text that is used is there", withBoard, async () => {
  assert.equal(Object.keys(TEXTS).length, PARTS.reduce((sum, part) => sum + Object.keys(part).length, 0));
  // Whatever has letters but MB has Japanese ones, and asks for nothing that the English does not; a handicap is told by
  // its letters or by its names.
  const japanese = (text) => !/[A-Za-z]{2}/.test(text.replace(/\{\w*\}/g, "")) || /[\u3000-\u9fff]/.test(text);
  const fits = ([en, ja]) => en && japanese(ja) && places(ja).every((place) => places(en).includes(place));
  const odd = [...Object.entries(TEXTS), ...TOLD.map((pair) => [pair[0], pair])].filter(([, pair]) => !fits(pair));
  assert.deepEqual(odd.map(([key]) => key), ["loading.bytes", "facts.handicap"]);
  const files = [...(await sources("protocol/page/src/", /(?<!texts\/\w+)\.(js|html)$/)), ...(await sources("protocol/web/page/", /\.js$/))];
  const all = files.join("\n");
  const asked = [...all.matchAll(/\bt\(\s*"([^"]+)"|data-(?:text|name)="([^"]+)"/g)].map(([, key, other]) => key ?? other);
  for (const game of GAMES) {
    const { steps } = JSON.parse(await readFile(new URL(`../src/learn/${game}.json`, import.meta.url), "utf8"));
    for (const { text, group } of steps) asked.push(`step.${text}`, `group.${group}`);
  }
  assert.deepEqual(asked.filter((key) => !Object.hasOwn(TEXTS, key)), []);
  // By its name, or by a part of it.
  const parts = (key) => key.split(".").flatMap((part, at, all) => [`${all.slice(0, at).join(".")}.\${`, `}.${all.slice(at).join(".")}`]);
  const used = (key) => all.includes(`"${key}"`) || parts(key).some((part) => all.includes(`\`${part}`) || all.includes(`${part}\``));
  assert.deepEqual(Object.keys(TEXTS).filter((key) => !used(key)), []);
});

test("what others say is translated from what they say, and every name", withBoard, async () => {
  const rust = await sources("protocol/", /src\/.*\.rs$/);
  const rules = await sources("engine/position/src/", /\.rs$/);
  const scripts = [...(await sources("protocol/page/src/", /(?<!texts\/\w+)\.js$/)), ...(await sources("protocol/web/page/", /\.js$/))];
  const bare = (text) => text.replace(/\$?\{[^{}"\n;]*\}/g, "{}").replace(/\\\n\s*/g, "");
  const all = bare([...rust, ...rules, ...scripts].join("\n"));
  assert.deepEqual(TOLD.map(([english]) => english).filter((english) => !all.includes(bare(english))), []);
  const page = await openPage(at.browser, at.place, { welcome: true });
  const names = await page.evaluate(() =>
    window.kujira.store.spec.games.flatMap(({ name, kinds, levels }) => [
      name,
      ...kinds.flatMap((kind) => [kind.name, kind.class]),
      ...levels.map((level) => level.name),
    ]),
  );
  for (const game of GAMES) {
    const file = JSON.parse(await readFile(new URL(`../src/openings/${game}.json`, import.meta.url), "utf8"));
    names.push(...file.names.map(([, , name]) => name));
  }
  assert.deepEqual([...new Set(names.filter((name) => !NAMES[name] && !NAMES[name.replace(/ calf$/, "")]))], []);
  await leave(page);
});

// A walk in Japanese

const at = placeAndBrowser();

const JAPANESE = `try {
  localStorage.setItem("kujira-prefs", '{"language":"ja","pace":"0","animate":false,"openings":true,"attacks":true}');
} catch {
  // Nothing is kept for the blank page before.
}`;

/** Runs in the page: texts and names that are to be seen or heard and have no Japanese letter. */
function foreign() {
  // Letters on tiles and squares, keys, SFEN, and what is chosen by its name in its own language.
  const known = ".tile, .files, .ranks, .arrows, kbd, .sfen, textarea, option[value=en]";
  // Names, formats and units; moves and squares as they are written.
  const names = /Kujira( Board)?|PGN|SFEN|USI|Elo|MiB|MB|byo|\b\+?[A-Z][A-Za-z]{0,2}(?=[\d*x=-])|\d+[a-k]|[a-k]\d+/g;
  const is = (text) => /[A-Za-z]{2}/.test(text.replace(names, "")) && !/[\u3040-\u30ff\u4e00-\u9fff]/.test(text);
  const found = new Set();
  const scope = document.querySelector("dialog[open]:last-of-type") ?? document.body;
  for (const node of scope.querySelectorAll("*")) {
    if (node.closest(known) || node.matches("script, style") || !(node.getClientRects().length || node.matches("option"))) continue;
    const own = [...node.childNodes].filter((child) => child.nodeType === Node.TEXT_NODE).map((child) => child.data);
    const told = ["aria-label", "title", "placeholder", "alt"].map((name) => node.getAttribute(name) ?? "");
    for (const text of [own.join(" "), ...told]) if (is(text)) found.add(text.trim());
  }
  return [...found];
}

test("a page in Japanese shows no English, in no dialog and no panel", async () => {
  const page = await openPage(at.browser, at.place, { welcome: true, newcomer: true, prepare: [JAPANESE] });
  const english = [];
  const look = async (where) => english.push(...(await page.evaluate(foreign)).map((text) => `${where}: ${text}`));
  const close = () => page.evaluate(() => document.querySelectorAll("dialog").forEach((node) => node.close()));
  /** Looks at a dialog, with each of its tabs. */
  const dialog = async (where, press, next = async () => {}) => {
    await press();
    await appears(page, "dialog[open]");
    for (let tab = 0; ; tab++) {
      const tabs = await page.$$("dialog[open] .tabs button");
      if (tabs.length > 0) await page.evaluate((tab) => document.querySelectorAll("dialog .tabs button")[tab].click(), tab);
      await next();
      await look(where);
      if (tab >= tabs.length - 1) break;
    }
    await close();
  };
  const button = (id) => () => page.evaluate((id) => document.querySelector(id).click(), id);

  await appears(page, ".welcome-card");
  await look("welcome");
  await dialog("new game", button("#open-new"), async () => {
    for (const name of ["human", "engines", "engine"]) await tick(page, `dialog [value=${name}]`);
    await page.evaluate(() => (document.querySelector("dialog details").open = true));
    await page.select("dialog [name=clock]", "byoyomi");
  });
  await dialog("games", button("#open-games"));
  await dialog("pieces", button("#open-pieces"), async () => {
    const kinds = await page.$$eval("dialog .piece-list button", (list) => list.length);
    for (let kind = 0; kind < kinds; kind++) {
      await page.evaluate((kind) => document.querySelectorAll("dialog .piece-list button")[kind].click(), kind);
      await look("pieces");
    }
  });
  await dialog("rules", button("#open-rules"), async () => {
    for (let more = true; more; ) {
      await look("rules");
      more = await page.evaluate(() => {
        const [next] = [...document.querySelectorAll("dialog .modal-foot .primary")];
        if (next.textContent !== "次へ") return false;
        next.click();
        return true;
      });
    }
  });
  await dialog("settings", button("#open-prefs"));

  // A game with a handicap, against the engine, with a coach.
  await begin(page, { handicap: "PG", players: ["human", 1], time: { main: 600000, increment: 0, byoyomi: 5000 } });
  await until(page, () => window.kujira.store.state().nodes.length > 1 && window.kujira.store.state().movable);
  assert.match(await text(page, "#near .who-name"), /^下手：人間$/);
  assert.match(await text(page, "#far .who-name"), /^上手：エンジン 1 · プランクトン$/);
  const game = await page.evaluate(() => window.kujira.store.state().id);
  await look("handicap");
  await click(page, "1a", "3c");
  await look("why not");
  for (const id of ["#do-resign", "#do-draw", "#do-opponents", "#open-editor", "#share"]) await dialog(id, button(id));
  await playOn(page, 1);
  await page.evaluate(() => window.kujira.store.send({ type: "draw" }));
  await reads(page, "#toast", /断りました/);
  await page.evaluate(() => window.kujira.store.send({ type: "resign", side: "b" }));
  await appears(page, "#ending");
  await reads(page, "#ending .why", /^上手の勝ち：投了$/);
  await press(page, "#ending button", { text: "検討" });
  await appears(page, "#analysis .lines li");
  await look("analysis");
  await page.evaluate(() => window.kujira.store.send({ type: "sweep", on: true }));
  await appears(page, "#ending .moments, #ending .facts");
  await look("review");
  await dialog("share", button("#share"));

  // A free board: openings, the editor, a claim, promotion, a check.
  await begin(page, {});
  await appears(page, "#openings table");
  await look("openings");
  await page.evaluate(() => window.kujira.store.send({ type: "take_back" }));
  await reads(page, "#toast", /[ぁ-ん]/);
  await dialog("editor", button("#open-editor"), async () => {
    await page.select("dialog [aria-label=配置の選択]", "empty");
    await reads(page, "dialog .problems", /白鯨/);
  });
  await begin(page, { sfen: "W5/6/6/6/5w/6 b 2G4D8d 1", rules: { impasse: true, retreat_two: true, retreat_file_limit: true, repetition: false } });
  await dialog("claim", button("#do-claim"));
  await look("claim");
  await begin(page, { variant: "great", sfen: "5,w,5/11/11/4,BR,6/11/11/11/11/11/11/5,W,5 b - 1" });
  await click(page, "7d", "7c");
  await appears(page, ".choices");
  await look("promotion");
  await page.keyboard.press("Escape");

  // Puzzles and lessons, and what was played before.
  for (const game of GAMES) {
    await page.evaluate((game) => window.kujira.puzzles.open(game), game);
    await until(page, (game) => window.kujira.puzzles.now()?.game === game, game);
    await look("puzzle");
    await dialog("choose", button("#puzzle-choose"), () => appears(page, "dialog [name=kind]"));
    await press(page, "#puzzle-solution");
    await until(page, () => window.kujira.puzzles.now()?.phase === "solved");
    await look("solved");
    await page.evaluate((game) => window.kujira.lessons.open(game), game);
    await appears(page, "#lesson .task");
    await look("lesson");
    await dialog("course", button("#lesson-all"), () => appears(page, "dialog .course-step"));
  }
  await page.evaluate(() => window.kujira.lessons.open("whale", 99));
  await reads(page, "#toast", /レッスンを表示できません/);
  await page.evaluate((id) => window.kujira.store.openGame(id), game);
  await until(page, (id) => window.kujira.store.state()?.id === id, game);
  await page.evaluate(() => window.kujira.store.leave());
  await appears(page, ".last-game");
  await look("welcome, later");
  await dialog("games, later", button("#open-games"));
  assert.deepEqual([...new Set(english)], []);
  assert.deepEqual(page.problems, []);
  await leave(page);
});
