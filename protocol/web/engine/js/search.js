// The worker that searches: it holds the WebAssembly module, and while it searches it hears what stands in the
// mailbox alone.

import init, { hear, lend, serve, sources, start } from "./kujira_web_engine.js";
import { Mailbox } from "./mailbox.js";
import { worker } from "./outside.js";

/** Thrown through the module by a search that has to wait where nothing can be heard: this worker has had its day. */
class Parked extends Error {}

/**
 * Does what the messages of a controller ask.
 * @param {{ post(message: object): void, listen(receive: (message: any) => void): void }} port
 */
export function search(port) {
  /** @type {Mailbox | null} */
  let mailbox = null;
  let heard = 0;
  /** Whether a search waits for what cannot be heard here: nothing is answered any more. */
  let parked = false;

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
  worker.say = (line) => port.post({ type: "line", line });
  worker.fail = (message) => port.post({ type: "failed", message });

  const work = (run) => {
    if (parked) return;
    try {
      run();
      serve();
      port.post({ type: "idle", heard });
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
          mailbox = message.mailbox && new Mailbox(message.mailbox);
          lend(message.game, message.network);
          start(message.game);
          port.post({ type: "begun", sources: sources() });
        } catch (error) {
          port.post({ type: "refused", message: String(error) });
        }
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
