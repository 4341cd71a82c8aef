// Lines for a worker that is too busy to hear messages: a ring in memory that two threads share.

/** Bytes of the ring. A longer line has to wait until the worker hears messages. */
const ROOM = 1 << 16;
/** Bytes before the ring: where the next byte is written, and where it is read. */
const HEADER = 8;
const WRITTEN = 0;
const READ = 1;

export class Mailbox {
  #words;
  #bytes;

  /** @param {SharedArrayBuffer} [memory] that of another mailbox, to be its other end */
  constructor(memory = new SharedArrayBuffer(HEADER + ROOM)) {
    this.memory = memory;
    this.#words = new Int32Array(memory, 0, 2);
    this.#bytes = new Uint8Array(memory, HEADER);
  }

  /**
   * Puts a line in. Called by one thread only.
   * @param {string} line
   * @returns {boolean} whether there was room
   */
  put(line) {
    const text = new TextEncoder().encode(line);
    const [written, read] = [Atomics.load(this.#words, WRITTEN), Atomics.load(this.#words, READ)];
    if (text.length + 4 >= ROOM - (written - read + ROOM) % ROOM) return false;
    const all = new Uint8Array(4 + text.length);
    new DataView(all.buffer).setUint32(0, text.length);
    all.set(text, 4);
    const before = Math.min(all.length, ROOM - written);
    this.#bytes.set(all.subarray(0, before), written);
    this.#bytes.set(all.subarray(before), 0);
    Atomics.store(this.#words, WRITTEN, (written + all.length) % ROOM);
    Atomics.notify(this.#words, WRITTEN);
    return true;
  }

  /**
   * Takes the next line out. Called by one thread only.
   * @returns {string | null} null if there is none
   */
  take() {
    const [written, read] = [Atomics.load(this.#words, WRITTEN), Atomics.load(this.#words, READ)];
    if (written === read) return null;
    const length = new DataView(this.#copy(read, 4).buffer).getUint32(0);
    const text = this.#copy((read + 4) % ROOM, length);
    Atomics.store(this.#words, READ, (read + 4 + length) % ROOM);
    return new TextDecoder().decode(text);
  }

  /** Waits until there is a line, which only a worker may do. */
  wait() {
    const read = Atomics.load(this.#words, READ);
    Atomics.wait(this.#words, WRITTEN, read);
  }

  #copy(from, length) {
    const copy = new Uint8Array(length);
    const before = Math.min(length, ROOM - from);
    copy.set(this.#bytes.subarray(from, from + before), 0);
    copy.set(this.#bytes.subarray(0, length - before), before);
    return copy;
  }
}
