// Games kept in this browser: an IndexedDB of one store, whose records are `{ id, modified, saved }`.

const NAME = "kujira";
const STORE = "games";

/** The most games kept. */
const MOST = 500;

/** What a file of all games calls itself. */
const FORMAT = "Kujira games";

export class Games {
  #opened = null;
  #persisted = false;

  /** The database; a browser that refuses it is asked anew the next time. */
  #database() {
    this.#opened ??= new Promise((resolve, reject) => {
      const asked = indexedDB.open(NAME, 1);
      asked.onupgradeneeded = () => asked.result.createObjectStore(STORE, { keyPath: "id" });
      asked.onsuccess = () => {
        const database = asked.result;
        // A browser may close it at any time, and a page of a later version wants to change it.
        database.onclose = () => (this.#opened = null);
        database.onversionchange = () => {
          database.close();
          this.#opened = null;
        };
        resolve(database);
      };
      asked.onerror = () => reject(asked.error);
      asked.onblocked = () => reject(new Error("another tab keeps an older version open"));
    });
    this.#opened.catch(() => (this.#opened = null));
    return this.#opened;
  }

  /** Runs a transaction; the answer comes when it is on the disk. */
  async #transact(mode, act) {
    const database = await this.#database();
    return new Promise((resolve, reject) => {
      const transaction = database.transaction(STORE, mode, { durability: "strict" });
      const asked = act(transaction.objectStore(STORE));
      transaction.oncomplete = () => resolve(asked.result);
      transaction.onabort = () => reject(refusal(transaction.error));
    });
  }

  /** @returns {Promise<{ id: string, modified: number, saved: string }[]>} all of them, the latest first */
  async all() {
    const games = await this.#transact("readonly", (store) => store.getAll());
    return games.sort((a, b) => b.modified - a.modified);
  }

  /** @returns {Promise<{ id: string, modified: number, saved: string } | undefined>} */
  get(id) {
    return this.#transact("readonly", (store) => store.get(id));
  }

  /** Keeps a game, in place of one of the same name. */
  put(id, saved, modified = Math.floor(Date.now() / 1000)) {
    this.#persist();
    return this.#transact("readwrite", (store) => store.put({ id, modified, saved }));
  }

  /** Asks the browser, once, not to drop games when it has little room. */
  #persist() {
    if (this.#persisted) return;
    this.#persisted = true;
    navigator.storage?.persist?.().catch(() => {});
  }

  /** Keeps a new game. */
  async add(id, saved) {
    const count = await this.#transact("readonly", (store) => store.count());
    if (count >= MOST) throw new Error(`${MOST} games are saved already: delete some first.`);
    await this.put(id, saved);
  }

  remove(id) {
    return this.#transact("readwrite", (store) => store.delete(id));
  }

  /** Removes a game that still is what it was: another tab may have gone on with it. */
  removeUnchanged(id, saved) {
    return this.#transact("readwrite", (store) => {
      const asked = store.get(id);
      asked.onsuccess = () => asked.result?.saved === saved && store.delete(id);
      return asked;
    });
  }

  /** All of them as one text. */
  async exported() {
    return JSON.stringify({ format: FORMAT, version: 1, games: await this.all() }, null, 1);
  }

  /**
   * Takes in the games of such a text, all or none; one that is there already is left as it is.
   * @param {string} text
   * @param {(saved: string) => string | undefined} unreadable why a saved game cannot be read
   * @returns {Promise<{ added: number, known: number }>}
   */
  async take(text, unreadable) {
    const games = parsed(text);
    const all = await this.all();
    const [texts, ids] = [new Set(all.map(({ saved }) => saved)), new Set(all.map(({ id }) => id))];
    const fresh = games.filter(({ saved }) => !texts.has(saved) && texts.add(saved));
    for (const [index, { saved }] of games.entries()) {
      const why = unreadable(saved);
      if (why) throw new Error(`game ${index + 1}: ${why}`);
    }
    if (all.length + fresh.length > MOST) {
      throw new Error(`expected room for ${fresh.length} games, found ${MOST - all.length}: delete some first`);
    }
    await this.#transact("readwrite", (store) => {
      // One of the same name that went on otherwise stays beside it.
      for (const { id: wanted, modified, saved } of fresh) {
        const id = ids.has(wanted) ? freshId() : wanted;
        ids.add(id);
        store.put({ id, modified, saved });
      }
      return store.count();
    });
    return { added: fresh.length, known: games.length - fresh.length };
  }
}

/** The games of a text that holds all of a browser's. */
function parsed(text) {
  let read;
  try {
    read = JSON.parse(text);
  } catch {
    throw new Error("expected a file of saved games, found none");
  }
  if (read?.format !== FORMAT || !Array.isArray(read.games)) {
    throw new Error("expected a file of saved games, found another");
  }
  if (read.version !== 1) throw new Error(`expected version 1 of such files, found ${read.version}`);
  for (const [index, game] of read.games.entries()) {
    const whole = /^[0-9a-f]{24}$/.test(game?.id) && Number.isFinite(game.modified) && typeof game.saved === "string";
    if (!whole) throw new Error(`game ${index + 1}: expected id, modified and saved`);
  }
  return read.games;
}

/** An error as people are told of it. */
function refusal(error) {
  if (error?.name === "QuotaExceededError") return new Error("this browser has no room for more: delete some games");
  return error ?? new Error("the browser gave it up");
}

/** A new name of a game, which nobody can guess. */
export function freshId() {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
