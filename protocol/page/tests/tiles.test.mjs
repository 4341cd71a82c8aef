// The tiles for Fairyground are drawn by the page's own modules, one for every piece of its games and each side.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const KIT = new URL("../../fairyground/", import.meta.url);

test("Fairyground gets a tile of every piece, turned or not", async (t) => {
  const rules = await readFile(new URL("variants.ini", KIT), "utf8");
  const letters = new Set([...rules.matchAll(/^(?:king|shogiPawn|customPiece\d+) = (\w)/gm)].map(([, letter]) => letter));
  for (const [, from, to] of rules.match(/^promotedPieceType = .*/m)[0].matchAll(/(\w):(\w)/g)) {
    letters.delete(to);
    letters.add(`+${from}`);
  }
  const wanted = [...letters].flatMap((letter) => [`b${letter}.svg`, `w${letter}.svg`]).sort();
  assert.equal(wanted.length, 20);

  const folder = await mkdtemp(join(tmpdir(), "kujira-tiles-"));
  t.after(() => rm(folder, { recursive: true }));
  const draw = async (...words) => {
    await promisify(execFile)(process.execPath, [fileURLToPath(new URL("tiles.mjs", KIT)), folder, ...words]);
    const names = (await readdir(folder)).sort();
    assert.deepEqual(names, wanted);
    return Promise.all(names.map((name) => readFile(join(folder, name), "utf8")));
  };
  const upright = await draw();
  for (const [at, picture] of upright.entries()) {
    assert.match(picture, /^<svg xmlns[^]*<symbol id="(s-\w+)"[^]*<path [^]*href="#\1"[^]*>[A-Z]<\/text>[^]*<\/svg>\n$/);
    assert.equal(picture.includes("rotate(180 "), wanted[at].startsWith("b"), wanted[at]);
  }
  const turned = await draw("turned");
  for (const [at, picture] of turned.entries())
    assert.equal(picture.includes("rotate(180 "), wanted[at].startsWith("w"), wanted[at]);
});
