// Offline after the first visit, where the site is served: all of its files are kept. A site that was written anew has another
// name, and is fetched whole before it takes the place of the old one. What is large and seldom used is kept once it was used.
const OWN = `mivspool ${self.registration.scope} `;
const KEPT = OWN + NAME;

self.addEventListener("install", (event) => event.waitUntil(caches.open(KEPT).then((cache) => cache.addAll(FILES))));

self.addEventListener("activate", (event) => event.waitUntil(tidy()));

async function tidy() {
  const old = (await caches.keys()).filter((name) => name.startsWith(OWN) && name !== KEPT);
  await Promise.all(old.map((name) => caches.delete(name)));
  await self.clients.claim();
}

self.addEventListener("fetch", (event) => event.request.method === "GET" && event.respondWith(answer(event.request)));

async function answer(request) {
  const cache = await caches.open(KEPT);
  const kept = await cache.match(request, { ignoreSearch: true });
  if (kept) return kept;
  const found = await fetch(request);
  if (found.ok && LATER.some((file) => request.url === new URL(file, self.registration.scope).href)) await cache.put(request, found.clone());
  return found;
}
