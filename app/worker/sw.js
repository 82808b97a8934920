/*
 * The service worker, served at /sw.js below two lines that name its `version` and the `files` that the offline page needs. It stores that
 * page and those files and nothing else: no personal page and no API response.
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
  // Without cookies: the stored copy is the same for everyone.
  await cache.addAll([page, ...files].map((path) => new Request(path, { credentials: "omit" })));
  await self.skipWaiting();
}

async function takeOver() {
  for (const name of await caches.keys()) if (name !== store) await caches.delete(name);
  // Requests the page while this worker is still starting.
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

self.addEventListener("push", (event) => {
  event.waitUntil(tell(read(event.data)));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data.url));
});

self.addEventListener("pushsubscriptionchange", (event) => {
  event.waitUntil(renew(event.newSubscription));
});

// What was pushed; a part of another form gives way to a plain one, since something must be shown for every push.
function read(data) {
  let given;
  try {
    given = data?.json();
  } catch {
    // Not JSON.
  }
  const text = (name, otherwise) => (typeof given?.[name] === "string" ? given[name] : otherwise);
  const url = text("url", "/chat");
  return {
    title: text("title", "Midman"),
    body: text("body", ""),
    url: URL.canParse(url, self.location.origin) ? url : "/chat",
    tag: text("tag", "midman"),
    silent: given?.silent === true,
    lang: text("lang", "mn"),
  };
}

// A browser requires a visible notification for every push. None is shown if its page has the focus already, except for a test.
async function tell({ title, body, url, tag, silent, lang }) {
  const seen = (await windows()).some((one) => one.focused && shows(one, url));
  if (seen && tag !== "test") return;
  const look = { icon: "/icon-192.png", badge: "/badge.png" };
  await self.registration.showNotification(title, {
    body,
    tag,
    lang,
    silent,
    renotify: !silent,
    ...look,
    data: { url },
  });
}

async function open(url) {
  // Opens only pages of Midman, whatever the push contained.
  const { origin, pathname } = new URL(url, self.location.origin);
  const path = origin === self.location.origin ? pathname : "/chat";
  const there = (await windows()).find((one) => shows(one, path));
  await (there === undefined ? self.clients.openWindow(path) : there.focus());
}

// The browser has replaced its push subscription: the server must learn the new one. If the person has signed out by now, the server
// refuses it and sends them nothing.
async function renew(given) {
  const { key } = await (await fetch("/api/push/key")).json();
  if (typeof key !== "string") throw new TypeError("no key");
  const options = { userVisibleOnly: true, applicationServerKey: key };
  const own = given ?? (await self.registration.pushManager.subscribe(options));
  const headers = { "Content-Type": "application/json" };
  await fetch("/api/push/subscriptions", { method: "POST", headers, body: JSON.stringify(own) });
}

function windows() {
  return self.clients.matchAll({ type: "window", includeUncontrolled: true });
}

function shows(one, path) {
  return new URL(one.url).pathname === path;
}
