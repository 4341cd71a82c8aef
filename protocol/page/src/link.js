// The page's only way to whoever keeps its games: another driver replaces this file, and nothing else.
//
// A driver is a class `Link` with the methods below (`Driver` in `messages.d.ts`, where commands and messages are
// described, too). A game is saved by whoever keeps it, after every move;
// one comes in as text by `create`, and goes out by the command `export`, which a message `text` answers.
//
// This driver talks to a server: a WebSocket for the game shown, requests for everything else, at addresses relative to
// the document.

/** Milliseconds without a message until the server is asked whether it is there, and again until it is given up. */
const SILENCE = 20000;

/** Milliseconds after which a server that does not answer is given up. */
const PATIENCE = 60000;

/** @implements {Wire.Driver} */
export class Link {
  /** @type {Wire.Listener} */
  #listener = null;
  #socket = null;
  #id = null;
  #wait = 250;
  #timer = 0;
  #since = 0;
  #pinged = false;

  /**
   * A server has loaded all it needs.
   * @param {(loading: Wire.Loading | null) => void} _
   */
  constructor(_) {}

  /**
   * Names who is told of messages.
   * @param {Wire.Listener} listener
   */
  listen(listener) {
    this.#listener = listener;
    setInterval(() => this.#watch(), 5000);
  }

  // Games

  /**
   * What there is to play.
   * @returns {Promise<Wire.Spec>}
   */
  spec() {
    return request("api/spec");
  }

  /**
   * The saved games.
   * @returns {Promise<Wire.Saved[]>}
   */
  list() {
    return request("api/games");
  }

  /**
   * Begins a game, or reads one from `newGame.text`; it is saved then. A refusal is thrown.
   * @param {Wire.NewGame} newGame
   * @returns {Promise<{ id: string, notice?: string }>}
   */
  create(newGame) {
    return request("api/games", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(newGame),
    });
  }

  /**
   * The puzzles of a game. A refusal is thrown.
   * @param {string} game
   */
  puzzles(game) {
    return request(`puzzles/${game}.json`);
  }

  /**
   * The openings of a game. A refusal is thrown.
   * @param {string} game
   */
  openings(game) {
    return request(`openings/${game}.json`);
  }

  /**
   * The course of a game. A refusal is thrown.
   * @param {string} game
   */
  course(game) {
    return request(`learn/${game}.json`);
  }

  /**
   * Deletes a saved game. A refusal is thrown.
   * @param {string} id
   */
  remove(id) {
    return request(`api/games/${id}`, { method: "DELETE" });
  }

  // The game shown

  /**
   * Opens a saved game in place of the one before: its state is the next message, what changes come after it.
   * @param {string} id
   */
  open(id) {
    this.#id = id;
    this.#wait = 250;
    this.close();
    this.#connect();
  }

  /** Opens none: nothing is told any more. */
  close() {
    clearTimeout(this.#timer);
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
  }

  /**
   * Sends a command; `false` while there is no connection.
   * @param {Wire.Command} command
   */
  send(command) {
    if (this.#socket?.readyState !== WebSocket.OPEN) return false;
    this.#socket.send(JSON.stringify(command));
    return true;
  }

  #connect() {
    const url = address(`ws/${this.#id}`);
    url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(url);
    this.#socket = socket;
    this.#heard();
    socket.onmessage = (event) => {
      if (socket !== this.#socket) return;
      this.#heard();
      const message = JSON.parse(event.data);
      // A server that is full may have room later; a game that is gone stays so.
      if (message.type === "gone" && message.why !== "full") this.#socket = null;
      if (message.type === "state") this.#wait = 250;
      this.#listener?.receive(message);
    };
    socket.onopen = () => this.#listener?.up();
    socket.onclose = () => socket === this.#socket && this.#again();
  }

  #again() {
    this.#socket.close();
    this.#socket = null;
    this.#listener?.down();
    // A board that was started anew has another link.
    request("api/spec").catch(({ status, message }) => status === 403 && this.#shutOut(message));
    this.#timer = setTimeout(() => this.#connect(), this.#wait);
    this.#wait = Math.min(this.#wait * 2, 5000);
  }

  /** Nothing will be answered any more. */
  #shutOut(text) {
    this.close();
    this.#listener?.receive({ type: "gone", why: "closed", text });
  }

  /** Counts the silence from now. */
  #heard(pinged = false) {
    this.#since = performance.now();
    this.#pinged = pinged;
  }

  /** A network that is gone does not close its sockets: whoever stays silent when asked is given up. */
  #watch() {
    if (!this.#socket || performance.now() - this.#since < SILENCE) return;
    if (this.#pinged || !this.send({ type: "ping" })) return this.#again();
    // Not counted from the last message: the timer of a page in the background may be late.
    this.#heard(true);
  }
}

/** An address of the server, which serves the page from below the same folder. */
function address(path) {
  return new URL(path, document.baseURI);
}

async function request(path, options = {}) {
  const stop = new AbortController();
  const late = setTimeout(() => stop.abort(new Error(`The server did not answer for ${PATIENCE / 1000} s.`)), PATIENCE);
  // What is sent may take its time.
  if (options.body) clearTimeout(late);
  const answer = await fetch(address(path), { ...options, signal: stop.signal }).finally(() => clearTimeout(late));
  const body = await answer.json().catch(() => ({}));
  if (!answer.ok) {
    const error = new Error(body.error ?? `The server answered ${answer.status}.`);
    throw Object.assign(error, { why: body.why, status: answer.status });
  }
  return body;
}
