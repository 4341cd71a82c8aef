// Files of games, read and written by the package.

import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { after, before, test } from "node:test";
import { entry, installed } from "./installed.mjs";

const CORPUS = new URL("../../record/tests/corpus/", import.meta.url);

let remove, games, Board;
before(async () => {
  const { folder, remove: away } = await installed();
  remove = away;
  games = await entry(folder, "whaleshogi/games");
  assert.throws(() => [...games.readGames("")], /expected `await load\(\)` before anything else/);
  await games.load();
  const rules = await entry(folder, "whaleshogi");
  await rules.load();
  ({ Board } = rules);
});
after(() => remove());

const PGN = `[Event "a match"]
[Variant "whale"]
[White "Ahab"]
[Black "Moby"]

1. D-e3 {quiet} D-c4 (1... D-d4 $2) 2. D-e4 1-0
`;

test("a game has its moves, branches, notes and players, and is written in every format", () => {
  const [game, ...others] = games.readGames(PGN);
  assert.equal(others.length, 0);
  assert.deepEqual(game, {
    variant: "whale",
    black: { name: "Ahab", limit: "" },
    white: { name: "Moby", limit: "" },
    tags: [["Event", "a match"]],
    opening: "startpos",
    moves: [{ usi: "2e2d", comment: "quiet" }, { usi: "4b4c" }, { usi: "2d2c" }],
    branches: [{ after: 1, usi: "3b3c", nags: [2] }],
    winner: "black",
    reason: "recorded",
  });
  for (const format of ["pgn", "hodges", "jsonl"]) {
    const text = games.writeGames([game, game], { format, squares: "western" });
    assert.deepEqual([...games.readGames(text, { format })], [game, game], format);
    assert.deepEqual([...games.readGames(new TextEncoder().encode(text), { format })], [game, game], format);
  }
  assert.match(games.writeGames([game], { format: "usi" }), /startpos moves 2e2d 4b4c 2d2c/);
});

test("files of the corpus come through and back", async () => {
  const names = (await readdir(CORPUS)).filter((name) => name.endsWith(".pgn"));
  assert.ok(names.length > 0);
  let count = 0;
  for (const name of names) {
    const file = await readFile(new URL(name, CORPUS));
    const told = [];
    for (const game of games.readGames(file, { onError: (error) => told.push(error) })) {
      const [again] = games.readGames(games.writeGames([game], { format: "jsonl" }), { format: "jsonl" });
      assert.deepEqual(again, game, name);
      const board = Board.fromRecord(game);
      assert.equal(board.played().length, game.moves.length + (game.opening.split(" moves ")[1]?.split(" ").length ?? 0));
      count += 1;
    }
    for (const error of told) assert.match(error.message, /expected/);
  }
  assert.ok(count > 0);
});

test("a board is written with nobody's name, and what is wrong says where", () => {
  const board = new Board("great");
  board.push(board.moves()[0]);
  const [game] = games.readGames(games.writeGames([board.toRecord()]));
  assert.equal(Board.fromRecord(game).fen(), board.fen());
  for (const [ask, type, text] of [
    [() => [...games.readGames(5)], TypeError, "expected a file, or its bytes, as a string, found number"],
    [() => [...games.readGames("", { format: "x" })], RangeError, 'expected one of usi, jsonl, pgn, hodges, found "x"'],
    [() => [...games.readGames("", { game: "x" })], RangeError, 'expected one of whale, paulowich, great, found "x"'],
    [() => [...games.readGames("", { formats: "x" })], RangeError, "expected options with format, game, onError, found formats"],
    [() => [...games.readGames("1. 2e2c", { game: "whale" })], RangeError, /^line 1, column 4: game 1, move 1: expected a legal move/],
    [() => games.writeGames([{ variant: "whale" }]), RangeError, "game 1: missing field `opening`"],
    [() => games.writeGames([board.toRecord()], { squares: "x" }), RangeError, 'expected one of western, japanese, found "x"'],
    [() => games.writeGames([board.toRecord(), null]), TypeError, /^expected game 2 as an object with variant, .*, found null$/],
    ...[
      [{ result: "1-0" }, RangeError, /^expected game 1 with variant, .*, found result$/],
      [{ black: "Ahab" }, TypeError, "expected game 1: black as an object with name, limit, options, found string"],
      [{ white: { nam: "Ahab" } }, RangeError, "expected game 1: white with name, limit, options, found nam"],
      [{ white: {} }, RangeError, "game 1: missing field `name`"],
      [{ moves: ["2e2d"] }, TypeError, /^expected game 1: moves\[0\] as an object with usi, .*, found string$/],
      [{ moves: "2e2d" }, TypeError, "expected game 1: moves as an array or iterable, found string"],
      [{ moves: [{ usi: 3 }] }, RangeError, "game 1: invalid type: integer `3`, expected a string"],
      [{ branches: [{ usi: "2e2d", note: "" }] }, RangeError, /^expected game 1: branches\[0\] with usi, .*, found note$/],
      [{ round: NaN }, RangeError, "expected game 1 with all of round, engines, leg or none, found round"],
      [{ round: NaN, engines: [0, 1], leg: 0 }, RangeError, "expected game 1: round as a number that JSON has, found NaN"],
      [{ round: 1, engines: [0, Infinity], leg: 0 }, RangeError, "expected game 1: engines[1] as a number that JSON has, found Infinity"],
      [{ comment: () => {} }, TypeError, "expected game 1: comment as a value that JSON has, found Function"],
      [{ tags: new Map([["Event", "e"]]) }, TypeError, "expected game 1: tags as a value that JSON has, found Map"],
      [{ tags: [["Date", new Date(0)]] }, TypeError, "expected game 1: tags[0][1] as a value that JSON has, found Date"],
      [{ nags: [1n] }, TypeError, "expected game 1: nags[0] as a value that JSON has, found BigInt"],
      [{ nags: new Uint8Array(1) }, TypeError, "expected game 1: nags as a value that JSON has, found Uint8Array"],
      [{ black: { name: "a", options: { Hash: Symbol("1") } } }, TypeError, "expected game 1: black.options.Hash as a value that JSON has, found Symbol"],
      [{ moves: [{ usi: "6h6g", score: { cp: NaN } }] }, RangeError, "expected game 1: moves[0].score.cp as a number that JSON has, found NaN"],
      [{ moves: [{ usi: "6h6g", after: 0 }] }, RangeError, /^expected game 1: moves\[0\] with usi, .*, found after$/],
      [{ moves: [{ usi: "6h6g", depth: 3 }] }, RangeError, "expected game 1: moves[0] with a score beside its depth, found none"],
      ...["Result", "fen", "WHITE"].map((tag) => [
        { tags: [["Event", "e"], [tag, "x"]] },
        RangeError,
        `expected game 1: tags[1] as one that says what the game does not say, found ${tag}`,
      ]),
      [{ began: "2026-11-28" }, RangeError, "expected game 1: began as a date and a time with T between them, found 2026-11-28"],
      [{ variant: "chess" }, RangeError, 'game 1: expected a game among whale, paulowich, great, found "chess"'],
    ].map(([other, type, text]) => [() => games.writeGames([{ ...board.toRecord(), ...other }]), type, text]),
    ...[0, null, NaN, false, 0n, -0].map((game) => [() => [...games.readGames("1. D-e3 *", { game })], TypeError, /^expected a game as a string/]),
    [() => [...games.readGames("", { onError: 5 })], TypeError, "expected onError as a function, found number"],
    ...[5, null, undefined, true, "", {}, () => {}, Promise.resolve([]), board.toRecord()].map(
      (all) => [() => games.writeGames(all), TypeError, /^expected games as an array or iterable, found \w+$/],
    ),
  ]) {
    assert.throws(ask, (error) => {
      assert.ok(error instanceof type, `${ask}: ${error}`);
      if (typeof text === "string") assert.equal(error.message, text);
      else assert.match(error.message, text);
      return true;
    });
  }
  const told = [];
  const file = `[Variant "whale"]\n\n1. 2e2c\n\n${PGN}`;
  assert.equal([...games.readGames(file, { onError: ({ message }) => told.push(message) })].length, 1);
  assert.equal(told.length, 1);
});
