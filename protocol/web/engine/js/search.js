// The worker that searches: it holds the WebAssembly module, and while it searches it hears what stands in the
// mailbox alone.

import init, { hear, lend, serve, sources, start } from "./kujira_web_engine.js";
import { Mailbox } from "./mailbox.js";
import { worker } from "./outside.js";

/** Thrown through the module by a search that has to wait where nothing can be heard: this worker has had its day. */
class Parked extends Error {}

/**
 * Does what the messages of a controller ask.
 * @param {{
 *   post(message: object): void, listen(receive: (message: any) => void): void,
 *   read(address: string, timeout: number): Uint8Array,
 * }} port `read` gives what a file holds, at once; it gives up after `timeout` milliseconds
 */
export function search(port) {
  /** @type {Mailbox | null} */
  let mailbox = null;
  let heard = 0;
  /** Whether a search waits for what cannot be heard here: nothing is answered any more. */
  let parked = false;
  /** Milliseconds after which a file is given up. */
  let timeout = 0;
  /** Where files lie that may be read. */
  let addresses = {};

  const take = (line) => {
    heard += 1;
    hear(line);
  };
  const listen = () => {
    for (let line = mailbox?.take(); line != null; line = mailbox.take()) take(line);
  };
  worker.listen = listen;
  worker.wait = () => {
    if (!mailbox) throw new Parked("nothing can be heard");
    mailbox.wait();
  };
  worker.say = (line, told) => port.post({ type: "line", line, told: told && JSON.parse(told) });
  worker.read = (name) => {
    try {
      return port.read(addresses[name], timeout);
    } catch (error) {
      worker.say(`info string error engine: expected ${name}, could not load it: ${error.message}`);
      return new Uint8Array();
    }
  };
  worker.fail = (message) => port.post({ type: "failed", message });

  /** @type {(run: () => void, done?: () => object) => void} */
  const work = (run, done = () => ({ type: "idle", heard })) => {
    if (parked) return;
    try {
      run();
      serve();
      port.post(done());
    } catch (error) {
      // After a trap nothing in the module can be relied on; a defect has been told by `fail` then, mostly.
      parked = error instanceof Parked;
      if (!parked) port.post({ type: "failed", message: String(error) });
    }
  };
  port.listen(async (message) => {
    switch (message.type) {
      case "begin": {
        try {
          await init({ module_or_path: message.module });
          timeout = message.timeout;
          addresses = message.books;
          mailbox = message.mailbox && new Mailbox(message.mailbox);
          lend(message.game, message.network);
          start(message.game);
        } catch (error) {
          // Of two versions the names differ by which a module finds what it needs.
          return port.post({ type: "refused", message: String(error), stale: error instanceof WebAssembly.LinkError });
        }
        // What is said of it has been said before, but for what goes wrong only here.
        const [said, say] = [[], worker.say];
        worker.say = (line) => said.push(line);
        work(() => message.lines.forEach(hear), () => ({ type: "begun", said, sources: sources() }));
        worker.say = say;
        break;
      }
      case "network":
        try {
          lend(message.game, message.network);
          port.post({ type: "lent" });
        } catch (error) {
          port.post({ type: "refused", message: String(error) });
        }
        break;
      case "lines":
        work(() => message.lines.forEach(take));
        break;
      case "mail":
        work(listen);
        break;
    }
  });
}
