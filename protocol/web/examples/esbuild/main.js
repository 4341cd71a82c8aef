import { Board, load } from "whaleshogi";
import { Engine } from "whaleshogi/engine";

// esbuild leaves files where they are: they were copied to `dist/whaleshogi` (build.mjs).
const base = "whaleshogi/";

await load({ base });
const board = new Board("whale");
const engine = new Engine({ base });
const { best } = await engine.search(board, { nodes: 1000 });
const text = board.sanMove(best);
board.push(best);
engine.terminate();
document.body.textContent = `${text}\n${board}`;
