// The connection to the server: a WebSocket for the game shown, and requests for everything else.

async function request(path, options) {
  const answer = await fetch(path, options);
  const body = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Error(body.error ?? `The server answered ${answer.status}.`);
  return body;
}

export const api = {
  spec: () => request("/api/spec"),
  games: () => request("/api/games"),
  create: (game) =>
    request("/api/games", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(game),
    }),
  remove: (id) => request(`/api/games/${id}`, { method: "DELETE" }),
};

/** A connection to one game, which is made again when it breaks. Events go to `handlers` by type. */
export class Link {
  #handlers;
  #socket = null;
  #id = null;
  #wait = 250;
  #timer = 0;

  constructor(handlers) {
    this.#handlers = handlers;
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
    const socket = new WebSocket(`ws://${location.host}/ws/${id}`);
    this.#socket = socket;
    let gone = false;
    socket.onmessage = (event) => {
      if (socket !== this.#socket) return;
      const message = JSON.parse(event.data);
      if (message.type === "gone") gone = true;
      if (message.type === "state") this.#wait = 250;
      this.#handlers[message.type]?.(message);
    };
    socket.onopen = () => this.#handlers.up?.();
    socket.onclose = () => {
      if (socket !== this.#socket || gone) return;
      this.#handlers.down?.();
      this.#timer = setTimeout(() => this.#connect(), this.#wait);
      this.#wait = Math.min(this.#wait * 2, 5000);
    };
  }

  /** Sends a command; `false` while there is no connection. */
  send(command) {
    if (this.#socket?.readyState !== WebSocket.OPEN) return false;
    this.#socket.send(JSON.stringify(command));
    return true;
  }
}
