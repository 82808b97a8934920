import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createContext, runInContext } from "node:vm";

/** The service worker in a browser of the test's making: answers what it shows for a push. */
async function shownFor(data: { json(): unknown } | null): Promise<{ title: string; options: object }[]> {
  const listeners = new Map<string, (event: unknown) => void>();
  const shown: { title: string; options: object }[] = [];
  const self = {
    location: new URL("https://midman.mn/sw.js"),
    clients: { matchAll: async () => [] },
    registration: {
      showNotification: async (title: string, options: object) => void shown.push({ title, options }),
    },
    addEventListener: (type: string, hear: (event: unknown) => void) => listeners.set(type, hear),
  };
  const script = readFileSync(join(import.meta.dir, "sw.js"), "utf8");
  runInContext(script, createContext({ self, URL, version: "1", files: [] }));
  const done: unknown[] = [];
  listeners.get("push")?.({ data, waitUntil: (work: unknown) => done.push(work) });
  expect(done).toHaveLength(1);
  await Promise.all(done);
  return shown;
}

const plain = {
  ...{ body: "", tag: "midman", lang: "mn", silent: false, renotify: true, data: { url: "/chat" } },
  ...{ icon: "/icon-192.png", badge: "/badge.png" },
};

test("a push is shown as it was sent", async () => {
  const pushed = {
    title: "New message",
    body: "Room 5",
    url: "/chat/5",
    tag: "room-5",
    silent: true,
    lang: "en",
  };
  expect(await shownFor({ json: () => pushed })).toEqual([
    {
      title: "New message",
      options: {
        ...plain,
        ...{ body: "Room 5", tag: "room-5", lang: "en", silent: true, renotify: false },
        data: { url: "/chat/5" },
      },
    },
  ]);
});

test("a plain text is shown for a push that cannot be read", async () => {
  const broken = () => {
    throw new SyntaxError("not JSON");
  };
  const strange = { title: 5, body: { $: 1 }, url: "http://[", tag: null, silent: "yes", lang: [] };
  for (const data of [
    null,
    { json: broken },
    ...[null, "text", 5, [], {}, strange].map((of) => ({ json: () => of })),
  ])
    expect(await shownFor(data)).toEqual([{ title: "Midman", options: plain }]);
});
