// The worker that searches, in Node.
import { parentPort } from "node:worker_threads";
import { search } from "./search.js";

search({
  post: (message) => parentPort.postMessage(message),
  listen: (receive) => parentPort.on("message", receive),
});
