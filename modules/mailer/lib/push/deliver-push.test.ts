import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { overrideConfig } from "#config";
import { db, runInTransaction } from "#db/client";
import { drainJobs } from "#db/jobs";
import type { Language } from "#locales";
import { ownerDatabase, useDatabase } from "../../../../tests/support/database/test-database.ts";
import { usePushService } from "../../../../tests/support/services/use-push-service.ts";
import { mailMessagesTable } from "../core/schema.ts";
import { keepPushDevice, pushDevicesOf } from "./push-devices.ts";
import { registerPushReader } from "./push-reader.ts";
import { type Push, queuePush } from "./queue-push.ts";
import { pushesTable, pushSubscriptionsTable } from "./schema.ts";
import { vapidPair, vapidPublicKey } from "./vapid-keys.ts";

useDatabase();
const service = usePushService({ PUBLIC_URL: "https://midman.example" });
let reader: { language: Language; withSound: boolean } | undefined;

let restoreReader: (() => void) | undefined;
beforeAll(() => {
  restoreReader = registerPushReader(async () => reader);
});
afterAll(() => restoreReader?.());
beforeEach(async () => {
  reader = { language: "en", withSound: true };
  await ownerDatabase().execute(
    sql`TRUNCATE mailer.push_subscriptions, mailer.pushes, mailer.messages, mailer.mailbox`,
  );
  await db().execute(sql`DELETE FROM pgboss.job`);
});

let sessions = 0;
/** Registers a browser for a user. */
async function device(userId: number, browser = service.browser()) {
  const owner = { userId, sessionId: ++sessions, device: "a test", at: new Date() };
  return runInTransaction((tx) => keepPushDevice(tx, owner, browser));
}
const confirmed: Push = {
  ...{ userId: 7, event: "paymentConfirmed", params: { code: "MM-7K2Q9XAB" }, url: "/chat/3" },
};
const queue = (what: Push) => runInTransaction((tx) => queuePush(tx, what));
const outbox = () => db().select().from(pushesTable).orderBy(pushesTable.id);
const later = (seconds: number) => new Date(Date.now() + seconds * 1000);

describe("a push notification", () => {
  test("reaches each of a person's devices, in their language, with a link and without the amount", async () => {
    reader = { language: "mn", withSound: true };
    await device(7);
    await device(7);
    await device(8);
    await queue(confirmed);
    await drainJobs();
    expect(service.arrived).toHaveLength(2);
    expect(service.arrived[0]?.content).toEqual({
      title: "Төлбөр баталгаажлаа",
      body: "MM-7K2Q9XAB гүйлгээний мөнгө Midman-д хадгалагдлаа",
      url: "/chat/3",
      tag: "trade:/chat/3",
      silent: false,
      lang: "mn",
    });
    const { headers } = service.arrived[0] ?? { headers: new Headers() };
    expect([headers.get("ttl"), headers.get("urgency")]).toEqual(["259200", "high"]);
    expect(headers.get("topic")).toMatch(/^[\w-]{32}$/);
    expect(await outbox()).toMatchObject([{ taken: true, params: {}, waiting: [] }]);
    expect((await pushDevicesOf(db(), 7)).every(({ usedAt }) => usedAt !== null)).toBe(true);
    expect((await pushDevicesOf(db(), 8))[0]?.usedAt).toBeNull();
  });

  test("is silent in quiet hours, and in English for people who read English", async () => {
    reader = { language: "en", withSound: false };
    await device(7);
    await queue({ ...confirmed, event: "reminder", params: { code: "MM-7K2Q9XAB", task: "handOver" } });
    await drainJobs();
    const content = {
      title: "A deadline is coming up",
      body: "Handing over the item: MM-7K2Q9XAB",
      silent: true,
    };
    expect(service.arrived).toMatchObject([{ content }]);
    expect(service.arrived[0]?.headers.get("urgency")).toBe("low");
  });

  test("costs nothing without a device, and is not sent after a rollback", async () => {
    await queue(confirmed);
    expect(await outbox()).toEqual([]);
    await device(7);
    const rolledBack = runInTransaction(async (tx) => {
      await queuePush(tx, confirmed);
      throw new Error("no");
    });
    await expect(rolledBack).rejects.toThrow("no");
    expect(await drainJobs()).toEqual({ done: 0, failed: 0 });
  });

  test("with the same key is sent once", async () => {
    await device(7);
    for (let time = 0; time < 2; time++) await queue({ ...confirmed, key: "confirmed:3" });
    await drainJobs();
    expect(service.arrived).toHaveLength(1);
  });

  test("with invalid parameters is not sent, and does not fail its caller", async () => {
    await device(7);
    for (const url of ["https://evil.example/", "//evil.example/", "/\\evil.example"])
      await queue({ ...confirmed, url });
    await queue({ ...confirmed, params: {} } as unknown as Push);
    expect(await outbox()).toEqual([]);
  });
});

describe("a device", () => {
  test("that is gone (404, 410) is deleted, the others are notified", async () => {
    for (let count = 0; count < 3; count++) await device(7);
    service.answers.push(404, 410);
    await queue(confirmed);
    await drainJobs();
    expect(service.arrived).toHaveLength(1);
    expect(await pushDevicesOf(db(), 7)).toHaveLength(1);
  });

  test("whose service is busy (429, 503) is retried when it asks, and the other is not notified twice", async () => {
    await device(7);
    await device(7);
    service.answers.push(new Response(null, { status: 429, headers: { "retry-after": "120" } }));
    await queue(confirmed);
    await drainJobs();
    expect(service.arrived).toHaveLength(1);
    expect(await outbox()).toMatchObject([{ attempts: 1, endedAt: null, params: { code: "MM-7K2Q9XAB" } }]);
    expect(await drainJobs(later(100))).toEqual({ done: 0, failed: 0 });
    service.answers.push(503);
    await drainJobs(later(130));
    await drainJobs(later(200));
    expect(new Set(service.arrived.map((one) => one.device)).size).toBe(2);
    expect(await outbox()).toMatchObject([{ attempts: 2, taken: true, params: {} }]);
  });

  test("that can no longer be reached is given up: first the push, finally the device", async () => {
    await device(7);
    for (let time = 0; time < 10; time++) {
      await queue(confirmed);
      service.answers.push(...Array<number>(8).fill(500));
      for (let attempt = 0; attempt < 8; attempt++) await drainJobs(later(86_000));
    }
    expect(service.arrived).toEqual([]);
    expect((await outbox()).every(({ endedAt, taken }) => endedAt !== null && !taken)).toBe(true);
    expect(await pushDevicesOf(db(), 7)).toEqual([]);
  });

  test("that redirects is not followed", async () => {
    await device(7);
    service.answers.push(
      new Response(null, { status: 307, headers: { location: `http://${service.host}/x` } }),
    );
    const knocks = service.knocks();
    await queue(confirmed);
    await drainJobs();
    expect(service.knocks()).toBe(knocks + 1);
  });

  test("whose key is not a point of the curve is deleted", async () => {
    const browser = service.browser();
    browser.keys.p256dh = `B${"A".repeat(86)}`;
    await device(7, browser);
    await queue(confirmed);
    await drainJobs();
    expect(await pushDevicesOf(db(), 7)).toEqual([]);
  });

  test("whose service is no longer allowed is deleted without a request", async () => {
    await device(7);
    overrideConfig({ PUSH_HOSTS: "" });
    const knocks = service.knocks();
    await queue(confirmed);
    await drainJobs();
    overrideConfig({ PUSH_HOSTS: service.host });
    expect([service.knocks(), await pushDevicesOf(db(), 7)]).toEqual([knocks, []]);
  });
});

describe("the fallback mail", () => {
  const data = { name: "Bat", other: "Saraa", room: "Steam", url: "/chat/3" };
  const mail = { template: "roomJoined", to: "bat@example.mn", language: "en", data } as const;
  const mails = () => db().select().from(mailMessagesTable);

  test("is sent immediately without a device, and not if one accepted the push", async () => {
    await queue({ ...confirmed, otherwise: mail });
    expect(await mails()).toHaveLength(1);
    await device(7);
    await queue({ ...confirmed, otherwise: mail });
    await drainJobs();
    expect(await mails()).toHaveLength(1);
    expect(await outbox()).toMatchObject([{ otherwise: null }]);
  });

  test("is sent when the last device is gone, and when the person wants no push of this kind", async () => {
    await device(7);
    service.answers.push(410);
    await queue({ ...confirmed, otherwise: mail });
    await drainJobs();
    expect(await mails()).toHaveLength(1);
    await device(7);
    reader = undefined;
    await queue({ ...confirmed, otherwise: mail });
    await drainJobs();
    expect(await mails()).toHaveLength(2);
    expect(service.arrived).toEqual([]);
  });
});

test("all instances share one key, and its private half is sealed", async () => {
  await ownerDatabase().execute(sql`DELETE FROM mailer.vapid_keys`);
  const [one, other] = await Promise.all([vapidPair(), vapidPair()]);
  expect(one).toEqual(other);
  const [row] = await db().execute<{ private_key: Buffer }>(sql`SELECT private_key FROM mailer.vapid_keys`);
  expect(row?.private_key.includes(one.privateKey)).toBe(false);
  await db().execute(
    sql`UPDATE mailer.vapid_keys SET private_key = set_byte(private_key, 20, 255 - get_byte(private_key, 20))`,
  );
  expect(await vapidPublicKey()).toBe(one.publicKey);
  await expect(vapidPair()).rejects.toThrow();
  overrideConfig({ VAPID_PUBLIC_KEY: "public", VAPID_PRIVATE_KEY: "private" });
  expect(await vapidPair()).toEqual({ publicKey: "public", privateKey: "private" });
  overrideConfig({ VAPID_PUBLIC_KEY: undefined, VAPID_PRIVATE_KEY: undefined });
  expect(await db().select().from(pushSubscriptionsTable)).toEqual([]);
});
