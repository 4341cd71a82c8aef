// What makes the page work without a network, and isolates it: an isolated page's engines share memory, so that they
// can be stopped at once (see engine/mailbox.js).
//
// The build puts in here what a version consists of, each file with its hash. A version has a cache of its own. Only
// what has the right hash is kept there, whatever a server says of it; what is missing is fetched at every start. The
// page says when the next version may take over, which is never in the middle of a game.

const VERSION = "%VERSION%";
const POLICY = "%POLICY%";

/** What every game needs: there after the first visit. */
const FILES = {
  /* %FILES% */
};

/** What only some games and machines need: kept when it is first fetched. */
const EXTRA = {
  /* %EXTRA% */
};

/** The page's address; caches are those of a whole host, which may hold another copy of the page. */
const HOME = new URL("./", self.location.href).href;
const PLACE = `kujira-${new URL(HOME).pathname}-`;
const CACHE = PLACE + VERSION;

/** Whether a cache is this copy's: the name of one in a folder may begin alike, but a `/` follows. */
const isOurs = (name) => name.startsWith(PLACE) && !name.slice(PLACE.length).includes("/");

/** What files are: not every server knows. */
const TYPES = {
  css: "text/css",
  js: "text/javascript",
  json: "application/json",
  png: "image/png",
  svg: "image/svg+xml",
  wasm: "application/wasm",
  webmanifest: "application/manifest+json",
};

/**
 * Whether something was missing when the page was loaded last: parts of two versions make no page. Null in a worker that
 * has not looked yet, as browsers stop one that has nothing to do.
 * @type {boolean | null}
 */
let lacking = null;

/** Files that a page is fetching, by their names: whether each is right, once that is known. */
const underWay = new Map();

self.addEventListener("install", (event) => {
  event.waitUntil(
    (async () => {
      const missing = await fill();
      if (missing.length > 0) throw new Error(`expected version ${VERSION}, could not keep ${missing}`);
      await Promise.all((await fetchedBefore()).map(keep));
    })(),
  );
});

/** The caches of the versions before. */
async function cachesBefore() {
  const names = (await caches.keys()).filter((name) => isOurs(name) && name !== CACHE);
  return Promise.all(names.map((name) => caches.open(name)));
}

/** What the versions before have fetched beyond the files of every game: without a network it would be missed. */
async function fetchedBefore() {
  const kept = await Promise.all((await cachesBefore()).map((cache) => cache.keys()));
  return [...new Set(kept.flat().map(({ url }) => nameOf(url)))].filter((name) => Object.hasOwn(EXTRA, name));
}

self.addEventListener("activate", (event) => {
  event.waitUntil(
    (async () => {
      for (const name of await caches.keys()) if (isOurs(name) && name !== CACHE) await caches.delete(name);
      await self.clients.claim();
    })(),
  );
});

self.addEventListener("message", (event) => {
  // Where the browser's store is broken nothing is kept.
  const tried = (act) => event.waitUntil(act.catch(() => {}));
  if (event.data === "take over") event.waitUntil(takeOver(event.source));
  if (event.data === "fill") tried(fill());
  // Fetched before there was a service worker.
  if (event.data.keep) tried(keep(nameOf(event.data.keep)));
});

/** Takes over, unless a game goes on in another tab: its next engine would not fit its page. */
async function takeOver(asked) {
  const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  if (pages.some(({ id, url }) => id !== asked.id && nameOf(url) === "./")) return asked.postMessage("others");
  asked.postMessage("alone");
  return self.skipWaiting();
}

/** The name by which the lists have a file, or null; what stands behind `?` names no other. */
function nameOf(url) {
  const { origin, pathname } = new URL(url);
  const whole = origin + pathname;
  if (!whole.startsWith(HOME)) return null;
  return whole === HOME || whole === `${HOME}index.html` ? "./" : whole.slice(HOME.length);
}

/** The files of every game that are not kept. */
async function missing() {
  const cache = await caches.open(CACHE);
  const kept = new Set((await cache.keys()).map(({ url }) => nameOf(url)));
  return Object.keys(FILES).filter((name) => !kept.has(name));
}

/** Keeps the files of every game; returns those that cannot be had now. */
async function fill() {
  await Promise.all((await missing()).map(keep));
  return missing();
}

/** Keeps a file, unless it is there: from a version before where that had the same, or from the server. */
async function keep(name) {
  await underWay.get(name);
  const cache = await caches.open(CACHE);
  if (await cache.match(name)) return;
  for (const before of await cachesBefore()) if (await checked(name, await before.match(name))) return;
  await checked(name, await fetched(name));
}

/** What the server answers now; null without a network. */
const fetched = (name) => fetch(new Request(name, { cache: "no-cache" })).catch(() => null);

/** A file of the page, whatever type the server says it has. */
function file(name, body) {
  const type = name === "./" ? "text/html" : TYPES[name.split(".").at(-1)];
  return new Response(body, { headers: { "content-type": type ?? "application/octet-stream" } });
}

/** Whether an answer holds the file of this version, which is kept then. */
async function checked(name, found) {
  const bytes = await found?.arrayBuffer().catch(() => null);
  if (!bytes) return false;
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  const hash = Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
  if (hash !== (FILES[name] ?? EXTRA[name])) return false;
  try {
    await (await caches.open(CACHE)).put(name, file(name, bytes));
  } catch {
    // A full store, or a broken one, is no reason not to play.
  }
  return true;
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const name = nameOf(request.url);
  if (request.method !== "GET" || name === null) return;
  // Below the same folder there may be pages of others.
  if (request.mode === "navigate" && name !== "./") return;
  // Where the browser's store is broken, the page is there as long as the network is.
  const answered = answer(event, name).catch(() => fetch(request));
  event.respondWith(answered.then(isolated));
});

async function answer(event, name) {
  const { request } = event;
  const extra = Object.hasOwn(EXTRA, name);
  if (!extra && !Object.hasOwn(FILES, name)) return fetch(request);
  if (lacking === null || request.mode === "navigate") lacking = (await missing()).length > 0;
  const kept = await (await caches.open(CACHE)).match(name);
  if (kept && !lacking) return kept;
  const coming = fetched(name);
  const right = coming.then((found) => found?.ok && checked(name, found.clone()));
  underWay.set(name, right);
  event.waitUntil(right.finally(() => underWay.get(name) === right && underWay.delete(name)));
  const found = await coming;
  if (!found?.ok) return kept ?? found ?? Response.error();
  // Where the whole page comes from the network, so does the rest of its version.
  if (lacking || !extra) return file(name, found.body);
  // Each piece is passed on as it comes; whoever reads another file learns that at its end.
  const flush = async () => {
    if (!(await right)) throw new TypeError("Not the file of this version");
  };
  return file(name, found.body.pipeThrough(new TransformStream({ flush })));
}

/** The answer with the headers that isolate a page and bind its workers, which some hosts cannot send. */
function isolated(answer) {
  if (answer.type === "opaque" || answer.status === 0) return answer;
  const headers = new Headers(answer.headers);
  headers.set("cross-origin-opener-policy", "same-origin");
  headers.set("cross-origin-embedder-policy", "require-corp");
  headers.set("cross-origin-resource-policy", "same-origin");
  headers.set("content-security-policy", POLICY);
  const { status, statusText } = answer;
  return new Response(answer.body, { status, statusText, headers });
}
