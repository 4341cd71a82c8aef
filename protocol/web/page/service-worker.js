// What makes the page work without a network, and isolates it: an isolated page's engines share memory, so that they
// can be stopped at once (see engine/mailbox.js).
//
// The build puts the version and the files that every game needs in here. A version has a cache of its own; the page
// says when the next one may take over, which is never in the middle of a game. What only some games and machines need,
// such as networks, is kept when it is first fetched.

const VERSION = "%VERSION%";
const FILES = "%FILES%".split(" ");
const CACHE = `kujira-${VERSION}`;

self.addEventListener("install", (event) => {
  event.waitUntil(
    (async () => {
      const cache = await caches.open(CACHE);
      await cache.addAll([...FILES, ...(await fetchedBefore())].map((file) => new Request(file, { cache: "no-cache" })));
    })(),
  );
});

/** What the version before has fetched beyond the files of every game: without a network it would be missed. */
async function fetchedBefore() {
  const fetched = new Set();
  for (const name of await caches.keys()) {
    if (!name.startsWith("kujira-") || name === CACHE) continue;
    for (const { url } of await (await caches.open(name)).keys()) fetched.add(url);
  }
  for (const file of FILES) fetched.delete(new URL(file, self.location.href).href);
  // A game that is no more has no network any more.
  const there = async (url) => (await fetch(url, { method: "HEAD" })).ok;
  const found = await Promise.all([...fetched].map(async (url) => ((await there(url)) ? url : "")));
  return found.filter(Boolean);
}

self.addEventListener("activate", (event) => {
  event.waitUntil(
    (async () => {
      for (const name of await caches.keys()) {
        if (name.startsWith("kujira-") && name !== CACHE) await caches.delete(name);
      }
      await self.clients.claim();
    })(),
  );
});

self.addEventListener("message", (event) => {
  if (event.data === "take over") self.skipWaiting();
  // Fetched before there was a service worker.
  if (event.data.keep) event.waitUntil(keep(event.data.keep));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || new URL(request.url).origin !== self.location.origin) return;
  event.respondWith(answer(request));
});

async function keep(address) {
  const cache = await caches.open(CACHE);
  if (!(await cache.match(address))) await cache.add(address);
}

async function answer(request) {
  const cache = await caches.open(CACHE);
  // A folder is its index; what stands behind `?` names no other file.
  const kept = await cache.match(request.mode === "navigate" ? "./" : request, { ignoreSearch: true });
  if (kept) return isolated(kept);
  const found = await fetch(request).catch(() => Response.error());
  // A full store is no reason not to play.
  if (found.status === 200 && request.mode !== "navigate") await cache.put(request, found.clone()).catch(() => {});
  return isolated(found);
}

/** The answer with the headers that isolate a page, which some hosts cannot send. */
function isolated(answer) {
  if (answer.type === "opaque" || answer.status === 0) return answer;
  const headers = new Headers(answer.headers);
  headers.set("cross-origin-opener-policy", "same-origin");
  headers.set("cross-origin-embedder-policy", "require-corp");
  headers.set("cross-origin-resource-policy", "same-origin");
  const { status, statusText } = answer;
  return new Response(answer.body, { status, statusText, headers });
}
