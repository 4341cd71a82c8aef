// The worker that searches, in a browser.
import { search } from "./search.js";

search({
  post: (message) => self.postMessage(message),
  listen: (receive) => (self.onmessage = ({ data }) => receive(data)),
  read(address, timeout) {
    const question = new XMLHttpRequest();
    question.open("GET", address, false);
    question.responseType = "arraybuffer";
    question.timeout = timeout;
    question.send();
    if (question.status !== 200) throw new Error(`the server answered ${question.status}`);
    return new Uint8Array(question.response);
  },
});
