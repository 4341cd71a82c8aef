// Games kept in this browser: an IndexedDB of one store, whose records are `{ id, modified, saved }`.

const NAME = "kujira";
const STORE = "games";
const VERSION = 1;

/** The most games kept. */
const MOST = 500;

/** What is said of games that a later version keeps. */
const LATER = "a later version of this page keeps games here, which this one cannot read: load the page again";

/** What a file of all games calls itself. */
const FORMAT = "Kujira games";

export class Games {
  #opened = null;
  #persisted = false;
  /** The names of games that were seen in the database as it is: one that is missing there has been deleted. */
  #seen = new Set();
  /** Games that the browser did not take: they last as long as the page. */
  #unkept = new Map();
  /** Why, as it was told last. */
  #why = null;
  #tell;

  /** @param {(why: string | null) => void} tell is told why games are not kept, and null when they are again */
  constructor(tell) {
    this.#tell = tell;
  }

  /** The database; a browser that refuses it is asked anew the next time. */
  #database() {
    if (this.#opened) return this.#opened;
    const made = () => this.#seen.clear();
    const opening = opened(made).then((database) => {
      // A browser may drop it at any time, and a page of a later version wants to change it.
      database.onclose = () => {
        made();
        this.#drop(opening);
      };
      database.onversionchange = () => {
        database.close();
        this.#drop(opening);
      };
      return database;
    });
    opening.catch(() => this.#drop(opening));
    return (this.#opened = opening);
  }

  /** Has the database opened anew the next time, unless it was already. */
  #drop(opening) {
    if (this.#opened === opening) this.#opened = null;
  }

  /** Runs a transaction; the answer comes when it is on the disk. */
  async #transact(mode, act, again = true) {
    const opening = this.#database();
    try {
      const database = await opening;
      const result = await new Promise((resolve, reject) => {
        const transaction = database.transaction(STORE, mode, { durability: "strict" });
        const refuse = (error) => (reject(error), transaction.abort());
        const asked = act(transaction.objectStore(STORE), refuse);
        transaction.oncomplete = () => resolve(asked.result);
        transaction.onabort = () => reject(transaction.error);
      });
      if (this.#unkept.size === 0) this.#say(null);
      return result;
    } catch (error) {
      if (error?.name !== "InvalidStateError" || !again) throw refusal(error);
      // Some browsers close a database without a word.
      this.#drop(opening);
      return this.#transact(mode, act, false);
    }
  }

  /** What the database answers, and the games that it did not take: all there is where there is none. */
  async #kept(act, otherwise) {
    try {
      return await this.#transact("readonly", act);
    } catch (error) {
      this.#say(error.message);
      return otherwise;
    }
  }

  /** Tells why games are not kept, or that they are. */
  #say(why) {
    if (why !== this.#why) this.#tell((this.#why = why));
  }

  /** @returns {Promise<{ id: string, modified: number, saved: string }[]>} all of them, the latest first */
  async all() {
    const games = await this.#kept((store) => store.getAll(), []);
    return [...games, ...this.#unkept.values()].sort((a, b) => b.modified - a.modified);
  }

  /** @returns {Promise<{ id: string, modified: number, saved: string } | undefined>} */
  async get(id) {
    const found = this.#unkept.get(id) ?? (await this.#transact("readonly", (store) => store.get(id)));
    if (found) this.#seen.add(id);
    return found;
  }

  /** Keeps a game as it is now; one that is gone, as another tab has deleted it, stays so: that is thrown. */
  async put(id, saved) {
    const game = { id, modified: now(), saved };
    if (this.#unkept.has(id)) return this.#take(game);
    await this.#transact("readwrite", (store, refuse) => {
      const asked = store.getKey(id);
      asked.onsuccess = () => {
        const deleted = !asked.result && this.#seen.has(id);
        if (deleted) return refuse(gone("unknown", "This game has been deleted in another tab."));
        try {
          store.put(game);
        } catch (error) {
          refuse(error);
        }
      };
      return asked;
    });
    this.#seen.add(id);
  }

  /** Keeps a game that is not kept yet, if only as long as the page lasts. */
  async #take(game) {
    this.#unkept.set(game.id, game);
    if (await this.#attempt(game)) await this.#takeOthers();
  }

  /** Tries to keep a game; whether the browser took it. */
  async #attempt(game) {
    try {
      await this.#transact("readwrite", (store) => store.put(game));
    } catch (error) {
      this.#say(error.message);
      return false;
    }
    this.#seen.add(game.id);
    // It may have gone on meanwhile.
    if (this.#unkept.get(game.id) === game) this.#unkept.delete(game.id);
    if (this.#unkept.size === 0) this.#say(null);
    return true;
  }

  /** Tries again to keep the games that are not, now that there may be room. */
  async #takeOthers() {
    for (const game of this.#unkept.values()) if (!(await this.#attempt(game))) return;
  }

  /** Asks the browser, once, not to drop games when it has little room. */
  #persist() {
    if (this.#persisted) return;
    this.#persisted = true;
    // It may also refuse to be asked.
    Promise.resolve()
      .then(() => navigator.storage?.persist?.())
      .catch(() => {});
  }

  /** Keeps a new game. */
  async add(id, saved) {
    const count = (await this.#kept((store) => store.count(), 0)) + this.#unkept.size;
    if (count >= MOST) throw gone("crowded", `${MOST} games are saved already: delete some first.`);
    this.#persist();
    await this.#take({ id, modified: now(), saved });
  }

  async remove(id) {
    const unkept = this.#unkept.delete(id);
    try {
      // One that was not kept may be so by now.
      await this.#transact("readwrite", (store) => store.delete(id));
    } catch (error) {
      if (!unkept) throw error;
    }
    await this.#takeOthers();
  }

  /** Removes a game that still is what it was: another tab may have gone on with it. */
  async removeUnchanged(id, saved) {
    if (this.#unkept.delete(id)) return;
    await this.#transact("readwrite", (store) => {
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

/** The database with its store, anew where there is nothing in it; `made` is called when it is new. */
async function opened(made) {
  if (!globalThis.indexedDB) throw new Error("this browser has no store for them");
  const found = await asked((blocked) => {
    const asked = indexedDB.open(NAME);
    asked.onupgradeneeded = () => {
      asked.result.createObjectStore(STORE, { keyPath: "id" });
      made();
    };
    asked.onblocked = blocked;
    return asked;
  });
  const stores = [...found.objectStoreNames];
  if (found.version === VERSION && stores.includes(STORE)) return found;
  const counted = stores.map((store) => asked(() => found.transaction(store).objectStore(store).count()));
  const empty = (await Promise.all(counted)).every((count) => count === 0);
  found.close();
  if (!empty && found.version > VERSION) throw new Error(LATER);
  if (!empty) throw new Error("another page of this address keeps something in their place");
  await asked((blocked) => {
    const asked = indexedDB.deleteDatabase(NAME);
    asked.onblocked = blocked;
    return asked;
  });
  return opened(made);
}

/** What a request of the database answers. */
function asked(ask) {
  return new Promise((resolve, reject) => {
    const request = ask(() => reject(new Error("another tab keeps an older version open")));
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** An error as people are told of it. */
function refusal(error) {
  if (error?.name === "QuotaExceededError") return new Error("this browser has no room for more: delete some games");
  if (error?.name === "SecurityError") return new Error("this browser lets the page keep no data");
  return error?.message ? error : new Error("the browser gave it up");
}

/** Why a game cannot be had. */
export function gone(why, text) {
  return Object.assign(new Error(text), { why });
}

/** The time in seconds since 1970. */
const now = () => Math.floor(Date.now() / 1000);

/** A new name of a game, which nobody can guess. */
export function freshId() {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
