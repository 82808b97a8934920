import { expect, test } from "bun:test";
import type { PendingMessage } from "../types.ts";
import {
  type DeliveryOutcome,
  maxUnaskedAgeMs,
  maxWaitingEntries,
  type OutboxParts,
  openOutbox,
} from "./outbox.ts";
import type { OutboxStore } from "./outbox-store.ts";

const day = 24 * 60 * 60 * 1_000;
const text = (content: string) => ({ kind: "text", content }) as const;

/** A browser's storage that several pages share and that outlives them. */
function storage() {
  const kept = new Map<string, PendingMessage>();
  const store: OutboxStore = {
    all: async () => [...kept.values()],
    put: async (entry) => void kept.set(entry.clientId, entry),
    drop: async ({ clientId }) => void kept.delete(clientId),
  };
  return { store, kept };
}

/** A server that stores each client id once, unless `refuse` returns a reason for an entry. */
function server() {
  const stored: string[] = [];
  const tries: string[] = [];
  const known = new Set<string>();
  const far = {
    stored,
    tries,
    refuse: (_: PendingMessage): DeliveryOutcome | undefined => undefined,
    async deliver(entry: PendingMessage): Promise<DeliveryOutcome> {
      const content = entry.kind === "text" ? entry.content : "";
      tries.push(content);
      await Bun.sleep(1);
      const refused = far.refuse(entry);
      if (refused !== undefined) return refused;
      if (!known.has(entry.clientId)) stored.push(content);
      known.add(entry.clientId);
      return { kind: "sent" };
    },
  };
  return far;
}

/** A lock that all tabs of a browser share. */
function lock() {
  let last: Promise<unknown> = Promise.resolve();
  return (work: () => Promise<void>) => {
    const done = last.then(work);
    last = done.catch(() => {});
    return done;
  };
}

function page(parts: Pick<OutboxParts, "store" | "deliver"> & Partial<OutboxParts>) {
  const shown = new Map<string, PendingMessage>();
  const outbox = openOutbox({
    show: (entry) => void shown.set(entry.clientId, entry),
    isKnown: () => false,
    alone: (work) => work(),
    outdated: "too old",
    now: () => 1_000,
    ...parts,
  });
  return { ...outbox, shown };
}

const offline: DeliveryOutcome = { kind: "later" };

test("messages are sent in order, each once, and are stored until the server has them", async () => {
  const [{ store, kept }, far] = [storage(), server()];
  const tab = page({ store, deliver: far.deliver });
  await Promise.all(["one", "two", "three"].map((words) => tab.add(text(words))));
  expect(kept.size).toBe(3);
  await tab.flush();
  expect(far.stored).toEqual(["one", "two", "three"]);
  expect(kept.size).toBe(0);
});

test("the next page sends what the previous one had not sent, with the same client id", async () => {
  const [{ store, kept }, far] = [storage(), server()];
  far.refuse = () => offline;
  const first = page({ store, deliver: far.deliver });
  await first.add(text("kept"));
  await first.flush();
  first.close();
  const [id] = kept.keys();
  far.refuse = () => undefined;
  const second = page({ store, deliver: far.deliver });
  await second.flush();
  expect(far.stored).toEqual(["kept"]);
  expect([...second.shown.keys()]).toEqual([id ?? ""]);
  expect(kept.size).toBe(0);
});

test("stored data that is not an entry of this version stays there, and the rest is sent", async () => {
  const [{ store, kept }, far] = [storage(), server()];
  const strange = [
    null,
    "text",
    { kind: "voice", clientId: "v", at: 1 },
    { kind: "text", clientId: "t", at: 1 },
  ];
  const whole = { ...text("whole"), clientId: "w", at: 2 };
  const tab = page({ store: { ...store, all: async () => [...strange, whole] }, deliver: far.deliver });
  kept.set("w", whole);
  await tab.flush();
  expect(far.stored).toEqual(["whole"]);
  expect([...tab.shown.keys()]).toEqual(["w"]);
  expect(kept.size).toBe(0);
});

test("two tabs of one room send each entry once, in the order of writing", async () => {
  const [{ store }, far, alone] = [storage(), server(), lock()];
  let time = 0;
  const now = () => ++time;
  far.refuse = () => offline;
  const one = page({ store, deliver: far.deliver, alone, now });
  const two = page({ store, deliver: far.deliver, alone, now });
  for (const n of [0, 1, 2, 3]) await (n % 2 === 0 ? one : two).add(text(`${n}`));
  await Promise.all([one.flush(), two.flush()]);
  far.refuse = () => undefined;
  await Promise.all([one.flush(), two.flush()]);
  expect(far.stored).toEqual(["0", "1", "2", "3"]);
});

test("without locks two tabs both send, and the client id makes it one message", async () => {
  const [{ store }, far] = [storage(), server()];
  far.refuse = () => offline;
  const one = page({ store, deliver: far.deliver });
  await one.add(text("once"));
  await one.flush();
  far.refuse = () => undefined;
  await Promise.all([one.flush(), page({ store, deliver: far.deliver }).flush()]);
  expect(far.tries.length).toBeGreaterThan(2);
  expect(far.stored).toEqual(["once"]);
});

test("a refused entry shows the reason, does not block others, and is sent again only on request", async () => {
  const [{ store, kept }, far] = [storage(), server()];
  far.refuse = (entry) =>
    entry.kind === "text" && entry.content === "bad" ? { kind: "refused", reason: "no" } : undefined;
  const tab = page({ store, deliver: far.deliver });
  await tab.add(text("bad"));
  await tab.add(text("good"));
  await tab.flush();
  expect(far.stored).toEqual(["good"]);
  const [refused] = [...kept.values()];
  expect(refused?.failed).toBe("no");
  await page({ store, deliver: far.deliver }).flush();
  expect(far.tries).toEqual(["bad", "good"]);
  far.refuse = () => undefined;
  if (refused) await tab.retry(refused);
  expect(far.stored).toEqual(["good", "bad"]);
  expect(kept.size).toBe(0);
});

test("temporary failures are retried automatically, in order, after the delay that the server asks for", async () => {
  const [{ store }, far] = [storage(), server()];
  let left = 1;
  far.refuse = () => (left-- > 0 ? { kind: "later", seconds: 0.05 } : undefined);
  const tab = page({ store, deliver: far.deliver });
  await tab.add(text("first"));
  await tab.add(text("second"));
  await Bun.sleep(150);
  expect(far.stored).toEqual(["first", "second"]);
});

test("an attempt that throws loses nothing", async () => {
  const [{ store, kept }, far] = [storage(), server()];
  const tab = page({ store, deliver: () => Promise.reject(new Error("the network")) });
  await tab.add(text("kept"));
  await tab.flush();
  tab.close();
  expect(kept.size).toBe(1);
  await page({ store, deliver: far.deliver }).flush();
  expect(far.stored).toEqual(["kept"]);
});

test("an entry that is days old is not sent without asking", async () => {
  const [{ store }, far] = [storage(), server()];
  const old = { ...text("old"), clientId: "a", at: 0 };
  await store.put(old);
  await store.put({ ...text("new"), clientId: "b", at: 2 * day });
  const tab = page({ store, deliver: far.deliver, now: () => maxUnaskedAgeMs + 1 });
  await tab.flush();
  expect(far.stored).toEqual(["new"]);
  expect(tab.shown.get("a")?.failed).toBe("too old");
  await tab.retry(old);
  expect(far.stored).toEqual(["new", "old"]);
});

test("an entry whose message has already arrived is not sent again", async () => {
  const [{ store, kept }, far] = [storage(), server()];
  await store.put({ ...text("said"), clientId: "a", at: 1 });
  await page({ store, deliver: far.deliver, isKnown: (id) => id === "a" }).flush();
  expect(far.tries).toEqual([]);
  expect(kept.size).toBe(0);
});

test("if the browser cannot store entries, the page keeps them and warns", async () => {
  const far = server();
  const refuses = () => Promise.reject(new Error("private"));
  far.refuse = () => offline;
  const tab = page({ store: { all: refuses, put: refuses, drop: refuses }, deliver: far.deliver });
  await tab.add(text("kept"));
  await tab.flush();
  expect(tab.atRisk()).toBe(true);
  far.refuse = () => undefined;
  await tab.flush();
  expect(far.stored).toEqual(["kept"]);
  expect(tab.atRisk()).toBe(false);
});

test("a discarded entry is gone, even if its attempt is refused later", async () => {
  const [{ store, kept }, far] = [storage(), server()];
  far.refuse = () => ({ kind: "refused", reason: "late" });
  const tab = page({ store, deliver: far.deliver });
  await tab.add(text("away"));
  const trying = tab.flush();
  const [id = ""] = tab.shown.keys();
  await tab.forget(id);
  await trying;
  expect(kept.size).toBe(0);
  expect(tab.shown.get(id)?.failed).toBeUndefined();
});

test("the number of waiting entries is limited", async () => {
  const far = server();
  far.refuse = () => offline;
  const tab = page({ store: storage().store, deliver: far.deliver });
  for (let n = 0; n < maxWaitingEntries; n++) expect(tab.add(text(`${n}`))).toBeDefined();
  expect(tab.add(text("too much"))).toBeUndefined();
  tab.close();
});
