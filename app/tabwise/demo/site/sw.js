// @ts-check
// Keeps the page for visits without a network. FILES and VERSION are written in by the build: what the page
// loads, "" being the page itself, and a digest of it all. A new version is fetched beside the old one and takes over with the next visit.
// The language model is far larger than everything else: it is kept when the reader first uses it.
const VERSION = "dev";
/** @type {string[]} */
const FILES = [];
/** @type {any} the types of a page know no service worker */
const worker = self;
const CACHE = `tabwise-demo ${worker.registration.scope} `;
const KEPT_ONCE_USED = "models/smollm2/";

worker.addEventListener("install", (/** @type {any} */ event) => event.waitUntil(caches.open(CACHE + VERSION).then(fill)));

worker.addEventListener("activate", (/** @type {any} */ event) => event.waitUntil(dropOthers().then(() => worker.clients.claim())));

worker.addEventListener("fetch", (/** @type {any} */ event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== "GET" || !url.href.startsWith(worker.registration.scope)) return;
  event.respondWith(answer(event.request, url));
});

/** @param {Cache} cache */
async function fill(cache) {
  await cache.addAll(FILES.map((path) => new URL(path, worker.registration.scope).href));
}

/**
 * @param {Request} request
 * @param {URL} url
 */
async function answer(request, url) {
  const cache = await caches.open(CACHE + VERSION);
  const path = url.href.slice(worker.registration.scope.length).split(/[?#]/)[0];
  const kept = await cache.match(new URL(path === "index.html" ? "" : path, worker.registration.scope).href);
  if (kept) return kept;
  const fetched = await fetch(request);
  if (fetched.ok && path.startsWith(KEPT_ONCE_USED)) await cache.put(url.href, fetched.clone());
  return fetched;
}

async function dropOthers() {
  const names = await caches.keys();
  const old = names.filter((name) => name.startsWith(CACHE) && name !== CACHE + VERSION);
  await Promise.all(old.map((name) => caches.delete(name)));
}
