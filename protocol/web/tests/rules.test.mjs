// The rules of the package: boards in numbers and texts, and what is refused.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cp, readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { inspect } from "node:util";
import { entry, installed } from "./installed.mjs";

let folder, remove, rules, Board;
before(async () => {
  ({ folder, remove } = await installed());
  rules = await entry(folder, "whaleshogi");
  assert.throws(() => new rules.Board("whale"), /^Error: expected `await load\(\)` before anything else/);
  await rules.load();
  await rules.load();
  ({ Board } = rules);
});
after(() => remove());

const START = "bnpwgh/dddddd/6/6/DDDDDD/HGWPNB b - 1";
const MATE = "5w/3K2/5W/6/6/6 b - 1";

test("perft counts are those of tests/perft, and nothing is left of a count", async () => {
  for (const [game, deepest] of Object.entries({ whale: 3, paulowich: 3, great: 2 })) {
    const file = await readFile(new URL(`../../../tests/perft/${game}.epd`, import.meta.url), "utf8");
    for (const line of file.split("\n").slice(0, 30)) {
      const [sfen, ...counts] = line.split(" ;");
      const board = new Board(game, sfen);
      for (const [depth, count] of counts.map((text) => text.slice(1).split(" ").map(Number))) {
        if (depth <= deepest) assert.equal(board.perft(depth), count, `${game} ${sfen} ${depth}`);
      }
      assert.equal(board.fen(), sfen);
    }
  }
});

test("a board has its pieces, moves, texts and what happened", () => {
  const board = new Board();
  assert.deepEqual([board.variant(), board.turn(), board.ply(), board.sfen()], ["whale", "black", 1, START]);
  assert.equal(board.legalMoves(), "2f2d 6e6d 5e5d 4e4d 3e3d 2e2d 1e1d");
  assert.equal(board.legalMovesSan("japanese"), "N-2d D-6d D-5d D-4d D-3d D-2d D-1d");
  const moves = board.moves();
  assert.ok(moves instanceof Uint32Array && moves.length === board.numberLegalMoves());
  assert.equal([...moves].map((m) => board.usi(m)).join(" "), board.legalMoves());
  assert.equal(board.sanMove("2e2d"), "D-e3");
  assert.equal(board.sanMove("2e2d", "japanese"), "D-2d");
  board.push("D-e3");
  board.push(board.parse("D-4c"));
  board.push("2d2c");
  assert.equal(board.moveStack(), "2e2d 4b4c 2d2c");
  assert.deepEqual([...board.played()].map((m) => board.usi(m)), board.moveStack().split(" "));
  assert.equal(new Board().variationSan(board.moveStack()), "1. D-e3 D-c4 2. D-e4");
  assert.equal(new Board().variationSan(board.played(), "japanese", false), "D-2d D-4c D-2c");
  assert.deepEqual(board.captured("2b2c"), [{ square: "2c", piece: "D" }]);
  assert.deepEqual([board.isCapture("2b2c"), board.givesCheck("2b2c"), board.isLegal("2e2d")], [true, false, false]);
  assert.equal(board.isLegal(null), false);
  board.push("2b2c");
  assert.deepEqual([board.pocket("black"), board.pocket("white")], [{}, { D: 1 }]);
  assert.deepEqual([board.piece("2c"), board.piece("2d"), board.pieces()["6a"]], ["d", null, "b"]);
  assert.deepEqual(board.attackers("2c", "black"), []);
  assert.equal([...board.movesFrom("1e")].map((m) => board.usi(m)).join(), "1e1d");
  assert.equal(board.drops("D").length, 0);
  assert.match(String(board), /White in hand: d\n[^]*Black to move\nsfen /);
  const turned = board.turned();
  assert.deepEqual([turned.turn(), turned.pocket("black"), turned.mirrored().mirrored().sfen()], ["white", { D: 1 }, turned.sfen()]);
  const copy = board.copy();
  assert.equal(board.usi(board.pop()), "2b2c");
  assert.deepEqual([copy.ply(), board.ply(), copy.copy(false).moveStack()], [5, 4, ""]);
  assert.notEqual(copy.key(), board.key());
  board.reset();
  assert.deepEqual([board.fen(), board.moveStack()], [START, ""]);
  copy.delete();
  assert.throws(() => copy.fen(), /^Error: expected an object that is still there, found one after its `delete\(\)`$/);
});

test("what an object that is given throws is passed on, and the board stays as it was", () => {
  const board = new Board("whale");
  const thrown = new Error("of the caller");
  const fails = () => {
    throw thrown;
  };
  const given = [
    new Proxy({}, { ownKeys: fails }),
    { get retreat() { return fails(); }, get theme() { return fails(); } },
  ];
  for (const options of given) {
    assert.throws(() => board.setRules(options), /of the caller|expected/);
    assert.throws(() => board.svg(options), /of the caller|expected/);
  }
  assert.throws(() => board.setRules({ get retreat() { return fails(); }, impasse: true }), thrown);
  assert.throws(() => board.setRules(new Map([["retreat", "two"]])), TypeError);
  assert.throws(() => board.svg({ marks: new Proxy({}, { ownKeys: fails }) }), thrown);
  // Whatever part of it throws.
  const { proxy, revoke } = Proxy.revocable([], {});
  revoke();
  const late = { next: () => ({ get done() { return fails(); } }) };
  const empty = { next: () => ({ done: false, get value() { return fails(); } }) };
  const iterables = [late, empty, { next: fails }, { get next() { return fails(); } }].map((it) => ({ [Symbol.iterator]: () => it }));
  for (const given of [proxy, ...iterables, { [Symbol.iterator]: fails }, { get [Symbol.iterator]() { return fails(); } }]) {
    for (const ask of [
      () => board.setRules(given), () => board.svg(given), () => board.pushMoves(given), () => board.variationSan(given),
      () => board.svg({ arrows: given }), () => board.svg({ arrows: [given] }), () => board.svg({ marks: given }),
      () => board.push(given), () => board.copy(given), () => board.svg({ last: given }),
      () => Board.fromRecord(given), () => Board.fromRecord({ opening: "startpos", moves: given }), () => new Board("whale", "", given),
    ]) {
      try {
        ask();
      } catch (error) {
        assert.match(error.message, /of the caller|expected|revoked/);
      }
      board.pushMoves([]);
    }
  }
  for (const given of iterables) assert.throws(() => board.pushMoves(given), thrown);
  // Who asks in the middle of a call is told so.
  const asks = { [Symbol.iterator]: () => ({ next: () => ({ done: board.ply() > 0 }) }) };
  assert.throws(() => board.pushMoves(asks), /^Error: expected an object that nothing uses now, found one inside a call of its own$/);
  assert.deepEqual(board.rules(), new Board("whale").rules());
  board.push("2e2d");
  board.pop();
  board.delete();
});

test("a game ends, and says how", () => {
  const board = new Board("whale", MATE);
  assert.deepEqual([board.isGameOver(), board.result(), board.outcome(), board.claim()], [false, "*", null, null]);
  board.push("3b2b");
  assert.deepEqual([board.isGameOver(), board.isCheck(), board.result()], [true, true, "1-0"]);
  assert.deepEqual(board.outcome(), { winner: "black", reason: "checkmate" });
  assert.deepEqual([board.moves().length, board.legalMoves()], [0, ""]);
  assert.match(board.whyNot("1a1b"), /./);
  const shuffle = new Board("whale", "2w3/6/6/6/6/3W2 b - 1");
  for (let times = 0; times < 3; times++) shuffle.pushMoves("3f2f 4a5a 2f3f 5a4a");
  assert.deepEqual([shuffle.occurrences(), shuffle.outcome()], [4, { winner: null, reason: "repetition" }]);
  assert.equal(shuffle.result(), "1/2-1/2");
  shuffle.setRules({ repetition: false });
  assert.equal(shuffle.isGameOver(), false);
});

test("rules, odds and games are chosen and told", () => {
  const board = new Board("paulowich", undefined, { handicap: "PG", rules: { retreat: "two", impasse: true } });
  assert.deepEqual(board.rules(), { retreat: "two", retreatFileLimit: false, impasse: true, repetition: true });
  assert.deepEqual([board.turn(), board.fen()], ["white", rules.spec("paulowich").handicaps.PG]);
  assert.deepEqual(board.toUsi(), [
    "setoption name USI_Variant value paulowich",
    "setoption name Rule_DolphinRetreat value two",
    "setoption name Rule_RetreatFileLimit value off",
    "setoption name Rule_Impasse value points",
    "setoption name Rule_Repetition value fourfold",
    `position sfen ${board.fen()}`,
  ]);
  assert.deepEqual(rules.variants(), ["whale", "paulowich", "great"]);
  const spec = rules.spec("great");
  assert.deepEqual([spec.files, spec.ranks, spec.kinds.length, spec.handKinds, spec.actions], [11, 11, 52, 26, 34122]);
  assert.deepEqual(spec.kinds.find(({ token }) => token === "BRC"), {
    token: "BRC", name: "black right whale calf", betza: "fW", promotesTo: "+BRC", inHand: "BRC",
  });
  assert.equal(rules.validateFen(START), null);
  assert.match(rules.validateFen("6/6/6/6/6/6 b - 1", "whale"), /expected one white whale of Black, found 0/);
  const lion = Board.fromUsi("sfen w,10/11/11/11/4,p,1,P,4/5,K,5/11/11/11/11/W,10 b - 1 moves 6f7e8d", "great");
  assert.equal(lion.moveStack(), "6f7e8d");
});

test("a game goes into a record and comes back", () => {
  const board = new Board("whale", MATE, { rules: { retreat: "two" } });
  assert.deepEqual(board.toRecord(), { variant: "whale", rules: "retreat two", opening: `sfen ${MATE}`, moves: [] });
  board.push("3b2b");
  const record = board.toRecord();
  assert.deepEqual([record.moves, record.winner, record.reason], [[{ usi: "3b2b" }], "black", "checkmate"]);
  const again = Board.fromRecord(record);
  assert.deepEqual([again.fen(), again.moveStack(), again.rules()], [board.fen(), "3b2b", board.rules()]);
  assert.deepEqual(new Board("great").toRecord(), { variant: "great", opening: "startpos", moves: [] });
  assert.throws(() => Board.fromRecord(7), /^TypeError: expected an object with variant, found 7$/);
  assert.throws(() => Board.fromRecord({ opening: "startpos" }), /^TypeError: expected moves as an array, found undefined$/);
  assert.throws(() => Board.fromRecord({ ...record, rules: "none" }), /^RangeError: expected/);
});

test("actions tell moves apart, and planes are what they are in Python", () => {
  for (const game of rules.variants()) {
    const board = new Board(game);
    const [moves, actions] = [board.moves(), board.actions()];
    assert.equal(new Set(actions).size, moves.length);
    moves.forEach((m, at) => {
      assert.equal(board.action(m), actions[at]);
      assert.equal(board.fromAction(actions[at]), m);
    });
    const [planes, ranks, files] = rules.spec(game).planesShape;
    assert.equal(board.planes().length, planes * ranks * files);
  }
  // As docs/python.md has it.
  assert.deepEqual([new Board().action("2e2d"), new Board().usi(new Board().fromAction(1030)), rules.encoding()], [1030, "2e2d", 1]);
});

test("what is wrong says what was expected, and changes nothing", () => {
  const board = new Board();
  for (const [ask, type, text] of [
    [() => new Board("chess"), RangeError, 'expected one of whale, paulowich, great, found "chess"'],
    [() => new Board(7), TypeError, "expected the id of a game, found 7"],
    [() => new Board("whale", "x"), RangeError, /^sfen: expected 6 ranks/],
    [() => new Board("whale", START, { handicap: "G" }), RangeError, "expected an SFEN or a handicap, found both"],
    [() => new Board("great", undefined, { handicap: "G" }), RangeError, /^expected one of no handicaps: the game has none/],
    [() => new Board("whale", undefined, { rule: {} }), RangeError, "expected options with rules, handicap, found rule"],
    [() => new Board("whale", undefined, { rules: { retreat: "far" } }), RangeError, 'expected one of slide, two, found "far"'],
    [() => new Board("whale", undefined, { rules: { impasse: 1 } }), TypeError, "expected impasse as a boolean, found 1"],
    [() => new Board("whale", null), TypeError, "expected an SFEN, found null"],
    [() => board.push("2e2c"), Error, /^expected a legal move, found 2e2c in bnpwgh.*: The dolphin does not move from 2e to 2c\.$/],
    [() => board.push("hello"), RangeError, /^expected/],
    [() => board.push(), TypeError, "expected a move as a text, or its number, found undefined"],
    [() => board.push(-1), RangeError, /^expected a move as a text, or its number from 0 to 4294967295, found -1/],
    [() => board.push(1.5), RangeError, /found 1.5/],
    [() => board.perft(1.5), RangeError, "expected a depth in plies as a whole number from 0 to 30, found 1.5"],
    [() => new Board("whale", undefined, { handicap: 5 }), TypeError, "expected handicap as a string, found 5"],
    [() => new Board("whale", undefined, { rules: 5 }), TypeError, /^expected rules as an object with retreat, .*, found 5$/],
    [() => board.svg({ squares: 5 }), TypeError, "expected squares as western or japanese, found 5"],
    [() => board.svg({ theme: 5 }), TypeError, "expected theme as a string, found 5"],
    [() => board.svg({ size: 1.5 }), RangeError, "expected size in pixels as a whole number from 0 to 100000, found 1.5"],
    [() => board.svg({ last: null }), TypeError, "expected last as a text, or its number, found null"],
    [() => board.svg({ arrows: "2e2d" }), TypeError, "expected arrows as an array, found string"],
    [() => board.svg({ arrows: ["2e2d"] }), TypeError, "expected arrows[0] as an array of two squares and, if wanted, a color, found string"],
    [() => board.svg({ arrows: [["2e"]] }), RangeError, "expected arrows[0] as an array of two squares and, if wanted, a color, found 1 of them"],
    [() => board.svg({ arrows: [["2e", "2d"], ["2e", 5]] }), TypeError, "expected arrows[1][1] as a string, found 5"],
    [() => board.svg({ marks: 5 }), TypeError, "expected marks as an object of colors by squares, found 5"],
    [() => board.svg({ marks: { "2e": 5 } }), TypeError, 'expected marks["2e"] as a string, found 5'],
    [() => board.pushMoves(["2e2d", null]), TypeError, "expected moves[1] as a text, or its number, found null"],
    [() => board.push(NaN), RangeError, /found NaN/],
    [() => board.push(1030), RangeError, /^expected the number of a move of whale, found 1030; those of actions are others/],
    [() => board.pushMoves("2e2d 2e2d"), Error, /^expected a legal move, found 2e2d/],
    [() => board.pushMoves(3), TypeError, /^expected moves as a text with blanks between them, or in an array, found 3/],
    [() => board.pop(), RangeError, "expected a move to take back, found none"],
    [() => board.piece("7a"), RangeError, 'expected a square from 6a to 1f, found "7a"'],
    [() => board.pocket("red"), RangeError, 'expected one of black, white, found "red"'],
    [() => board.sanMove("2e2d", "french"), RangeError, 'expected one of western, japanese, found "french"'],
    [() => board.drops("Z"), RangeError, /^expected one of W, K/],
    [() => board.perft(-1), RangeError, "expected a depth in plies from 0 to 30, found -1"],
    [() => board.perft("3"), TypeError, "expected a depth in plies, found string"],
    [() => board.fromAction(1512), RangeError, "expected an action from 0 to 1511, found 1512"],
    [() => board.fromAction(0), Error, /^expected a legal move, found 6a6a in bnpwgh.*: The piece on 6a is White's/],
    [() => board.fromAction(600), Error, /^expected a legal action, found 600 \(\w+, as Black would write it\)/],
    [() => board.setFen("6/6/6/6/6/6 b - 1"), RangeError, /expected one white whale of Black, found 0.*of White, found 0/],
    [() => board.whyNot("hello"), RangeError, /^expected/],
    [() => Board.fromUsi("startpos moves 2e2c"), RangeError, /^move 1: expected a legal move/],
    [() => rules.spec("chess"), RangeError, /^expected one of whale/],
  ]) {
    assert.throws(ask, (error) => {
      assert.ok(error instanceof type, `${ask}: ${error}`);
      if (typeof text === "string") assert.equal(error.message, text);
      else assert.match(error.message, text);
      return true;
    });
    assert.deepEqual([board.fen(), board.moveStack()], [START, ""], `${ask}`);
  }
  assert.throws(() => board.push("2e2c"), { name: "IllegalMoveError", candidates: ["2e2d"] });
  assert.equal(board.whyNot("2e2c"), "The dolphin does not move from 2e to 2c.");
  assert.equal(board.whyNot("2e2d"), null);
});

test("nothing that is given makes a trap", () => {
  const odd = [
    undefined, null, 0, -0, 1, -1, 1.5, NaN, Infinity, 2 ** 31, 2 ** 32, 2 ** 53, 10n, "", " ", "2e2d", "🐳", "\ud800", "6a6a",
    "D*3c", "+", "*", "startpos", "x".repeat(100000), true, Symbol.iterator, {}, [], ["2e2d", 5], [[]], () => {}, new Map(),
    new Uint32Array([1, 2]), { rules: { retreat: {} } }, { rules: null }, Object.create(null), new Proxy({}, {}),
  ];
  const names = Object.getOwnPropertyNames(Board.prototype);
  const own = names.filter((name) => !["constructor", "delete", "free", "__destroy_into_raw", "perft"].includes(name));
  assert.ok(own.length > 40);
  const board = new Board("whale");
  const other = new Board("great");
  const plain = (error) => error instanceof Error && !(error instanceof WebAssembly.RuntimeError);
  for (const one of odd) {
    for (const two of [undefined, odd[(odd.indexOf(one) * 7) % odd.length]]) {
      for (const ask of [
        () => new Board(one, two), () => new Board("whale", one, two), () => new Board("great", undefined, one),
        () => Board.fromUsi(one, two), () => Board.fromUsi("startpos", one, two), () => Board.fromRecord(one),
        () => Board.fromRecord({ variant: one, opening: two }), () => Board.fromRecord({ opening: "startpos", moves: [one] }),
        () => rules.spec(one), () => rules.validateFen(one, two), () => rules.startingFen(one),
        ...[board, other].flatMap((at) => own.map((name) => () => at[name](one, two))),
      ]) {
        try {
          ask();
        } catch (error) {
          assert.ok(plain(error), `${ask}: ${inspect(one)}, ${inspect(two)}: ${inspect(error)}`);
        }
      }
    }
  }
  for (const at of [board, other]) assert.equal(rules.validateFen(at.fen(), at.variant()), null);
});

test("load says what it expected", async () => {
  for (const wrong of [5, "x", null, { bas: "x" }, { base: "" }, { base: "/srv/whaleshogi" }, { base: 5 }]) {
    await assert.rejects(rules.load(wrong), /^(TypeError: expected (options|base) as|RangeError: expected options with base, found bas$)/);
  }
});

test("boards that nobody uses any more give their memory back", () => {
  for (let times = 0; times < 20000; times++) new Board("great").delete();
});

for (const example of ["random_game.mjs", "levels.mjs"]) {
  test(`examples/node/${example} runs as it stands`, async () => {
    const file = join(folder, example);
    await cp(new URL(`../examples/node/${example}`, import.meta.url), file);
    const said = execFileSync(process.execPath, [file], { encoding: "utf8", timeout: 60000 });
    assert.match(said, /(1-0|0-1|1\/2-1\/2|\*)/);
  });
}
