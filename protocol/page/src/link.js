// The connection to the server: a WebSocket for the game shown, and requests for everything else.

async function request(path, options) {
  const answer = await fetch(new URL(path, document.baseURI), options);
  const body = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Error(body.error ?? `The server answered ${answer.status}.`);
  return body;
}

export const api = {
  spec: () => request("api/spec"),
  games: () => request("api/games"),
  create: (game) =>
    request("api/games", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(game),
    }),
  remove: (id) => request(`api/games/${id}`, { method: "DELETE" }),
};

/** Milliseconds without a message until the server is asked whether it is there, and again until it is given up. */
const SILENCE = 20000;

/** A connection to one game, which is made again when it breaks. Events go to `handlers` by type. */
export class Link {
  #handlers;
  #socket = null;
  #id = null;
  #wait = 250;
  #timer = 0;
  #since = 0;
  #pinged = false;

  constructor(handlers) {
    this.#handlers = handlers;
    setInterval(() => this.#watch(), 5000);
  }

  open(id) {
    this.#id = id;
    this.#wait = 250;
    clearTimeout(this.#timer);
    this.#socket?.close();
    this.#connect();
  }

  #connect() {
    const id = this.#id;
    const address = new URL(`ws/${id}`, document.baseURI);
    address.protocol = address.protocol.replace("http", "ws");
    address.hash = "";
    const socket = new WebSocket(address);
    this.#socket = socket;
    this.#listen();
    socket.onmessage = (event) => {
      if (socket !== this.#socket) return;
      this.#listen();
      const message = JSON.parse(event.data);
      // A server that is full may have room later; a game that is gone stays so.
      if (message.type === "gone" && message.why !== "full") this.#socket = null;
      if (message.type === "state") this.#wait = 250;
      this.#handlers[message.type]?.(message);
    };
    socket.onopen = () => this.#handlers.up?.();
    socket.onclose = () => socket === this.#socket && this.#again();
  }

  #again() {
    this.#socket.close();
    this.#socket = null;
    this.#handlers.down?.();
    this.#timer = setTimeout(() => this.#connect(), this.#wait);
    this.#wait = Math.min(this.#wait * 2, 5000);
  }

  /** Counts the silence from now. */
  #listen(pinged = false) {
    this.#since = performance.now();
    this.#pinged = pinged;
  }

  /** A network that is gone does not close its sockets: whoever stays silent when asked is given up. */
  #watch() {
    if (!this.#socket || performance.now() - this.#since < SILENCE) return;
    if (this.#pinged || !this.send({ type: "ping" })) return this.#again();
    // Not counted from the last message: the timer of a page in the background may be late.
    this.#listen(true);
  }

  /** Sends a command; `false` while there is no connection. */
  send(command) {
    if (this.#socket?.readyState !== WebSocket.OPEN) return false;
    this.#socket.send(JSON.stringify(command));
    return true;
  }
}
