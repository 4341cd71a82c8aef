// A game between two levels of the engine.

import { Board, load } from "whaleshogi";
import { Engine } from "whaleshogi/engine";

await load();
const board = new Board("whale");
const engine = new Engine();
while (!board.isGameOver() && board.ply() <= 200) {
  const level = board.turn() === "black" ? 2 : 1;
  const move = await engine.play(board, { level, nodes: 2000 });
  if (move === null) break;
  board.push(move);
}
engine.terminate();
console.log(board.moveStack());
console.log(board.result());
