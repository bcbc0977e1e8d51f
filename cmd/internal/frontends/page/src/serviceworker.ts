// The service worker keeps the files of one build, so that the page works offline. It
// answers for the page's own files only, and for nothing else on the host: the calls of
// the service (v1/…) always go to the network.
//
// The page itself comes from the network if that answers, so that a new build is used at
// the next visit; its files have the build in their URLs and come from the cache.

declare const self: ServiceWorkerGlobalScope;
declare const BUILD: string; // the name of the build
declare const FILES: readonly string[]; // its files, relative to the scope

const prefix = `robotstxt-page ${new URL(self.registration.scope).pathname} `;
const cacheName = prefix + BUILD;

const page = new URL("./", self.registration.scope).href;
const versioned = new Set(FILES.map((file) => new URL(`${file}?v=${BUILD}`, page).href));

self.addEventListener("install", (event) => {
  event.waitUntil(
    (async () => {
      const cache = await caches.open(cacheName);
      await cache.addAll([page, ...versioned].map((url) => new Request(url, { cache: "no-cache" })));
      await self.skipWaiting();
    })(),
  );
});

self.addEventListener("activate", (event) => {
  event.waitUntil(
    (async () => {
      for (const name of await caches.keys()) {
        if (name.startsWith(prefix) && name !== cacheName) {
          await caches.delete(name);
        }
      }
      await self.clients.claim();
    })(),
  );
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET") {
    return;
  }
  const url = new URL(request.url);
  url.hash = "";
  if (url.href === page) {
    event.respondWith(networkFirst(request));
  } else if (versioned.has(url.href)) {
    event.respondWith(cacheFirst(request, url.href));
  }
});

async function networkFirst(request: Request): Promise<Response> {
  try {
    return await fetch(request);
  } catch (error) {
    const kept = await (await caches.open(cacheName)).match(page);
    if (kept) {
      return kept;
    }
    throw error;
  }
}

async function cacheFirst(request: Request, url: string): Promise<Response> {
  return (await (await caches.open(cacheName)).match(url)) ?? fetch(request);
}

export {};
