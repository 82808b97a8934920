/*
 * The service worker, served at /sw.js below two lines that name its `version` and the `files` the offline page needs. It
 * keeps that page and those files and nothing else: no page of anybody's and no call is ever stored.
 */
/* global version, files */

const page = "/offline";
const store = `midman-${version}`;

self.addEventListener("install", (event) => {
  event.waitUntil(keep());
});

self.addEventListener("activate", (event) => {
  event.waitUntil(takeOver());
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  // A form that could not be sent is left to the browser, which can send it again.
  if (request.method !== "GET") return;
  if (request.mode === "navigate") event.respondWith(visit(event));
  else if (files.includes(new URL(request.url).pathname)) event.respondWith(file(request));
});

async function keep() {
  const cache = await caches.open(store);
  // Without cookies: what is kept is the same for everybody.
  await cache.addAll([page, ...files].map((path) => new Request(path, { credentials: "omit" })));
  await self.skipWaiting();
}

async function takeOver() {
  for (const name of await caches.keys()) if (name !== store) await caches.delete(name);
  // The page is asked for while this worker still wakes up.
  await self.registration.navigationPreload?.enable();
  await self.clients.claim();
}

async function visit(event) {
  try {
    return (await event.preloadResponse) ?? (await fetch(event.request));
  } catch {
    return (await kept(page)) ?? Response.error();
  }
}

async function file(request) {
  try {
    return await fetch(request);
  } catch {
    return (await kept(request)) ?? Response.error();
  }
}

function kept(what) {
  return caches.match(what, { ignoreVary: true, ignoreSearch: true });
}
