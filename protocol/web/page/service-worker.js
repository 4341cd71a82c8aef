// What makes the page work without a network, and isolates it: an isolated page's engines share memory, so that they
// can be stopped at once (see engine/mailbox.js).
//
// The build puts the version and the files that every game needs in here. A version has a cache of its own; the page
// says when the next one may take over, which is never in the middle of a game.

const VERSION = "%VERSION%";
const FILES = "%FILES%".split(" ");
const POLICY = "%POLICY%";

/** The page's address; caches are those of a whole host, which may hold another copy of the page. */
const HOME = new URL("./", self.location.href).href;
const PLACE = `kujira-${new URL(HOME).pathname}-`;
const CACHE = PLACE + VERSION;

/** What only some games and machines need: kept when it is first fetched. */
const EXTRA = /\/(engine\/[^/]+\.net|engine\/[^/]+_plain\.wasm|(puzzles|openings)\/[^/]+\.json|icon-[^/]+\.png)$/;

self.addEventListener("install", (event) => {
  event.waitUntil(
    (async () => {
      const cache = await caches.open(CACHE);
      await cache.addAll(FILES.map((file) => new Request(file, { cache: "no-cache" })));
      await Promise.all((await fetchedBefore()).map((url) => keep(url)));
    })(),
  );
});

/** What the version before has fetched beyond the files of every game: without a network it would be missed. */
async function fetchedBefore() {
  const fetched = new Set();
  for (const name of await caches.keys()) {
    if (!name.startsWith(PLACE) || name === CACHE) continue;
    for (const { url } of await (await caches.open(name)).keys()) if (EXTRA.test(url)) fetched.add(url);
  }
  return [...fetched];
}

self.addEventListener("activate", (event) => {
  event.waitUntil(
    (async () => {
      for (const name of await caches.keys()) {
        if (name.startsWith(PLACE) && name !== CACHE) await caches.delete(name);
      }
      await self.clients.claim();
    })(),
  );
});

self.addEventListener("message", (event) => {
  if (event.data === "take over") event.waitUntil(takeOver(event.source));
  // Fetched before there was a service worker.
  if (event.data.keep) event.waitUntil(keep(event.data.keep));
});

/** Takes over, unless a game goes on in another tab: its next engine would not fit its page. */
async function takeOver(asked) {
  const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  if (pages.some(({ id, url }) => id !== asked.id && url.startsWith(HOME))) return asked.postMessage("others");
  return self.skipWaiting();
}

/** Keeps a file, unless it is there; one that cannot be had may be had later. */
async function keep(url) {
  const cache = await caches.open(CACHE);
  if (!EXTRA.test(url) || (await cache.match(url))) return;
  const found = await fetch(new Request(url, { cache: "no-cache" })).catch(() => null);
  if (found?.status === 200) await cache.put(url, found).catch(() => {});
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET") return;
  const { origin, pathname } = new URL(request.url);
  if (origin !== self.location.origin) return;
  const folder = new URL(HOME).pathname;
  // Below the same folder there may be pages of others.
  const home = pathname === folder || pathname === `${folder}index.html`;
  if (request.mode === "navigate" && !home) return;
  event.respondWith(answer(home ? "./" : request));
});

async function answer(asked) {
  const cache = await caches.open(CACHE);
  // What stands behind `?` names no other file.
  const kept = await cache.match(asked, { ignoreSearch: true });
  if (kept) return isolated(kept);
  const found = await fetch(asked).catch(() => Response.error());
  // A full store is no reason not to play.
  if (found.status === 200 && EXTRA.test(found.url)) await cache.put(asked, found.clone()).catch(() => {});
  return isolated(found);
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
