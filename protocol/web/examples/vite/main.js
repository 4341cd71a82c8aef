import { Board, load } from "whaleshogi";
import { Engine } from "whaleshogi/engine";

await load();
const board = new Board("whale");
const engine = new Engine();
const { best } = await engine.search(board, { nodes: 1000 });
const text = board.sanMove(best);
board.push(best);
engine.terminate();
document.body.textContent = `${text}\n${board}`;
