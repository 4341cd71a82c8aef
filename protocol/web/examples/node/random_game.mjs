// Plays a game at random, in numbers, and shows it as people write it.

import { Board, load } from "whaleshogi";

await load();
const board = new Board(process.argv[2]);
let seed = 1;
while (!board.isGameOver() && board.ply() <= 500) {
  const moves = board.moves();
  seed = (seed * 48271) % 2147483647;
  board.push(moves[seed % moves.length]);
}
const start = new Board(board.variant());
console.log(start.variationSan(board.moveStack()));
console.log(`${board}\n${board.result()} ${board.outcome()?.reason ?? ""}`);
