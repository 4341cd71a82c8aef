// The worker that searches, in Node.
import { readFileSync } from "node:fs";
import { parentPort } from "node:worker_threads";
import { search } from "./search.js";

search({
  post: (message) => parentPort.postMessage(message),
  listen: (receive) => parentPort.on("message", receive),
  read: (address) => new Uint8Array(readFileSync(new URL(address))),
});
