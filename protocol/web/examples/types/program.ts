// What TypeScript knows of the package.

import { Board, type Game, type IllegalMoveError, type Outcome, type Placed, load, spec, variants } from "whaleshogi";
import { type Analysis, Engine, type Line, type Mate, type Score, usi } from "whaleshogi/engine";

import { type GameRecord, load as loadGames, readGames, writeGames } from "whaleshogi/games";

await loadGames();
await load({ base: new URL("https://example.org/whaleshogi/") });
const game: Game = variants()[0] ?? "great";
const board: Board = new Board(game, undefined, { rules: { retreat: "two" } });
const moves: Uint32Array = board.moves();
board.push(moves[0] ?? "2e2d");
board.pushMoves(["D-c4", 7]);
const outcome: Outcome | null = board.outcome();
const winner: "black" | "white" | null | undefined = outcome?.winner;
const taken: Placed[] = board.captured("2d2c");
const why: string | null = board.whyNot("2e2d");
const held: number | undefined = board.pocket("black")["D"];
const key: bigint = board.key();
const tokens: string[] = spec(game).kinds.map((kind) => kind.token);
try {
  board.pop();
} catch (error) {
  const near: string[] = (error as IllegalMoveError).candidates;
  console.log(near);
}

const engine = new Engine({ hash: 16 });
const found: Analysis = await engine.search(board, {
  nodes: 1000,
  lines: 2,
  signal: AbortSignal.timeout(1000),
  onLine: (line: Line) => console.log(line.pv.join(" ")),
});
const score: Score | null = found.score;
if (score && "mate" in score) console.log(score.mate);
const mate: Mate = await engine.mate(board, { time: 100 });
const move: string | null = await engine.play("startpos", { level: 3 });
const isLegal: boolean = board.isLegal(move);
board[Symbol.dispose]();
const lines = usi({ game: "great", say: (line, told) => console.log(line, told?.type) });
lines.send("usi");
console.log(winner, taken, why, held, key, tokens, mate.status, isLegal);

for (const game of readGames("1. D-e3 1-0", { format: "pgn", onError: (error: Error) => console.log(error.message) })) {
  const record: GameRecord = game;
  const played: Board = Board.fromRecord(record);
  const text: string = writeGames([record, { ...played.toRecord(), black: { name: "Ahab" } }], { squares: "western" });
  const picture: string = played.svg({ theme: "dark", arrows: [["2e", "2d", "red"]], marks: { "2d": "#fc0" }, turned: true });
  console.log(text, picture, record.white.name, record.branches?.[0]?.after);
}

// @ts-expect-error: no such game.
new Board("chess");
// @ts-expect-error: a limit is needed.
void engine.search(board);
// @ts-expect-error: no such side.
board.pocket("red");
