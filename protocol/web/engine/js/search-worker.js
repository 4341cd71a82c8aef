// The worker that searches, in a browser.
import { search } from "./search.js";

search({
  post: (message) => self.postMessage(message),
  listen: (receive) => (self.onmessage = ({ data }) => receive(data)),
});
