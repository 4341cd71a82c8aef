// The engine as a worker for any page: it takes lines of USI as messages and says lines of USI as messages.
//
//   const engine = new Worker("kujira.js#great", { type: "module" });
//   engine.onmessage = ({ data }) => console.log(data);
//   engine.postMessage("usi");
//
// After the `#` stands the game that it begins with, `whale` if nothing does; the network of another game is fetched
// when USI_Variant chooses it. `kujira.js?timeout=5000` gives up after 5 s without news of a file, else after 60.

import { usi } from "./browser.js";
import { GAMES } from "./controller.js";

const begin = self.location.hash.slice(1);
const timeout = Number(new URLSearchParams(self.location.search).get("timeout"));

const running = usi({
  game: GAMES.includes(begin) ? begin : undefined,
  timeout: timeout > 0 ? timeout : undefined,
  say: (line) => self.postMessage(line),
  over(trouble) {
    // Whoever started this worker is told as of any worker that fails.
    if (trouble) reportError(new Error(trouble));
    self.close();
  },
});
self.onmessage = ({ data }) => running.send(String(data));
