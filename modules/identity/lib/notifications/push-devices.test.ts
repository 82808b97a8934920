import { describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { db, runInTransaction } from "#db/client";
import { drainJobs } from "#db/jobs";
import { pushSubscriptionInput } from "#forms/mailer";
import { queuePush } from "#modules/mailer";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import { usePushService } from "../../../../tests/support/services/use-push-service.ts";
import { deleteOwnAccount } from "../account/delete-own-account.ts";
import { downloadPersonalData } from "../account/personal-data.ts";
import { signInWithPassword } from "../login/login.ts";
import { changePassword, confirmPassword } from "../password/change-password.ts";
import { signOut } from "../sessions/logout.ts";
import { revokeOtherSessions, revokeSession } from "../sessions/signed-in-devices.ts";
import { notifiedDevices, sendTestNotification, turnPushOff, turnPushOn } from "./push-devices.ts";
import "./push-reader.ts";
import { actorBy, someone, visitor } from "../core/people.fixture.ts";
import { sweepExpiredRows } from "../core/sweep-expired.ts";
import { chooseNotificationPreferences } from "./notification-preferences.ts";

useDatabase();
const service = usePushService();

type Person = Awaited<ReturnType<typeof someone>>;
/** A person with a second browser, both subscribed. */
async function withTwo() {
  const person = await someone();
  const second = await signedIn(person);
  const browsers = [service.browser(), service.browser()] as const;
  await turnPushOn(person.actor, browsers[0]);
  await turnPushOn(second, browsers[1]);
  return { person, second, browsers };
}
const device = "Mozilla/5.0 (Android 15) Firefox/140.0";
async function signedIn({ username, password }: Person) {
  const done = await signInWithPassword(visitor({ device }), { username, password });
  if (!done.ok) throw new Error(done.code);
  return { ...(await actorBy(done.session.token)), device };
}
const kept = async (userId: number) => {
  const rows = await db().execute(sql`SELECT 1 FROM mailer.push_subscriptions WHERE user_id = ${userId}`);
  return rows.length;
};

describe("a browser", () => {
  test("is turned on, listed by its name, tested, and turned off only by its owner", async () => {
    const { person, second } = await withTwo();
    const listed = await notifiedDevices(second);
    expect(listed).toMatchObject({
      devices: [
        { browser: null, system: null, current: false, usedAt: null },
        { browser: "Firefox", system: "Android", current: true },
      ],
    });
    expect(await sendTestNotification(person.actor)).toEqual({ ok: true });
    await drainJobs();
    expect(service.arrived.map(({ content }) => content.body)).toEqual(
      Array(2).fill("Notifications reach this device"),
    );
    const [first] = listed.ok ? listed.devices : [];
    const stranger = await someone();
    expect(await turnPushOff(stranger.actor, first?.id)).toEqual({ ok: false, code: "NOT_FOUND" });
    expect(await turnPushOff(second, first?.id)).toEqual({ ok: true });
    expect(await turnPushOff(second)).toEqual({ ok: true });
    expect(await turnPushOff(second)).toEqual({ ok: false, code: "NOT_FOUND" });
    expect(await sendTestNotification(person.actor)).toEqual({ ok: false, code: "PUSH_OFF" });
    const log = await db().execute<{ action: string }>(sql`
      SELECT action FROM audit.entries WHERE user_id = ${person.id} AND action LIKE 'push%' ORDER BY id`);
    expect(log.map(({ action }) => action).join(" ")).toBe("push_on push_on push_off push_off");
  });

  test("that another person turns on belongs to them from then on", async () => {
    const { person, browsers } = await withTwo();
    const other = await someone();
    await turnPushOn(other.actor, browsers[0]);
    expect([await kept(person.id), await kept(other.id)]).toEqual([1, 1]);
  });

  test("stays its owner's when another person sends its address without its keys", async () => {
    const { person, browsers } = await withTwo();
    const thief = await someone();
    const own = service.browser();
    await turnPushOn(thief.actor, own);
    const { endpoint, keys } = browsers[0];
    for (const stolen of [own.keys, { ...own.keys, auth: keys.auth }, { ...keys, auth: own.keys.auth }]) {
      expect(await turnPushOn(thief.actor, { endpoint, keys: stolen })).toEqual({
        ok: false,
        code: "PUSH_OF_ANOTHER",
      });
    }
    expect([await kept(person.id), await kept(thief.id)]).toEqual([2, 1]);
    await sendTestNotification(person.actor);
    await drainJobs();
    // Each browser could decrypt its notification: it still has its own keys.
    expect(service.arrived.map(({ device }) => device).sort()).toEqual(
      browsers.map(({ endpoint }) => endpoint.replace(/.*\//, "")).sort(),
    );
    // The owner's browser may subscribe again with new keys.
    expect(await turnPushOn(person.actor, { endpoint, keys: own.keys })).toEqual({ ok: true });
  });

  test("of an eleventh session replaces the oldest", async () => {
    const person = await someone();
    for (let count = 0; count < 11; count++) await turnPushOn(await signedIn(person), service.browser());
    expect(await kept(person.id)).toBe(10);
  });

  test("can be subscribed only by a signed-in person", async () => {
    const refused = { ok: false, code: "AUTH_REQUIRED" } as const;
    expect(await turnPushOn(visitor(), service.browser())).toEqual(refused);
    expect(await turnPushOff(visitor())).toEqual(refused);
    expect(await sendTestNotification(visitor())).toEqual(refused);
    expect(await notifiedDevices(visitor())).toEqual(refused);
  });
});

describe("an address that is not a push service", () => {
  const { keys } = { keys: { p256dh: `B${"A".repeat(86)}`, auth: "A".repeat(22) } };
  test.each([
    "http://fcm.googleapis.com/fcm/send/x",
    "https://fcm.googleapis.com:8443/fcm/send/x",
    "https://fcm.googleapis.com@10.0.0.1/",
    "https://fcm.googleapis.com.evil.example/",
    "https://evilpush.apple.com.example/",
    "https://xpush.apple.com.evil.example/#.push.apple.com",
    "https://notpush.services.mozilla.com.example/",
    "https://127.0.0.1/",
    "https://[::1]/",
    "https://[::ffff:10.0.0.1]/",
    "https://2130706433/",
    "https://0x7f.1/",
    "https://169.254.169.254/latest/meta-data/",
    "https://metadata.google.internal/",
    "https://localhost/",
    "http://127.0.0.1:1/",
    "http://127.0.0.1/",
    "https://midman.example/api/auth/logout",
    "file:///etc/passwd",
    "gopher://127.0.0.1:6379/_x",
    "https://xn--fcm-googleapis-com/",
  ])("%s is refused and never called", async (endpoint) => {
    const person = await someone();
    const asked = await turnPushOn(person.actor, { endpoint, keys });
    expect([asked, await kept(person.id)]).toEqual([{ ok: false, code: "PUSH_SERVICE_UNKNOWN" }, 0]);
  });

  test.each([
    "https://fcm.googleapis.com/fcm/send/x:y",
    "https://updates.push.services.mozilla.com/wpush/v2/x",
    "https://wns2-pn1p.notify.windows.com/w/?token=x",
    "https://web.push.apple.com/x",
  ])("%s is accepted", async (endpoint) => {
    expect(await turnPushOn((await someone()).actor, { endpoint, keys })).toEqual({ ok: true });
  });

  test("keys of another length are refused", () => {
    const endpoint = "https://web.push.apple.com/x";
    const good = { endpoint, keys };
    expect(pushSubscriptionInput.safeParse(good).success).toBe(true);
    for (const wrong of [
      { ...good, keys: { ...keys, auth: "A".repeat(23) } },
      { ...good, keys: { ...keys, p256dh: `C${"A".repeat(86)}` } },
      { ...good, keys: { ...keys, p256dh: `B${"A".repeat(87)}` } },
      { ...good, endpoint: `${endpoint}${"x".repeat(1000)}` },
      { ...good, endpoint: "no address" },
    ]) {
      expect(pushSubscriptionInput.safeParse(wrong).success).toBe(false);
    }
  });
});

describe("a browser gets no more notifications once signed out:", () => {
  test("by itself, from another, or with all others", async () => {
    const one = await withTwo();
    await signOut(one.second);
    expect(await kept(one.person.id)).toBe(1);
    const two = await withTwo();
    await revokeSession(two.person.actor, two.second.sessionId);
    expect(await kept(two.person.id)).toBe(1);
    const three = await withTwo();
    await revokeOtherSessions(three.second);
    expect(await notifiedDevices(three.second)).toMatchObject({ devices: [{ current: true }] });
  });

  test("by a change of password, except the browser where it was changed", async () => {
    const { person, second } = await withTwo();
    const currentPassword = person.password;
    const changed = await changePassword(second, { currentPassword, newPassword: "another fine word" });
    if (!changed.ok) throw new Error(changed.code);
    const now = await actorBy(changed.session.token);
    expect(await notifiedDevices(now)).toMatchObject({ devices: [{ browser: "Firefox", current: true }] });
    const confirmed = await confirmPassword(now, { password: "another fine word" });
    if (!confirmed.ok) throw new Error(confirmed.code);
    expect(await notifiedDevices(await actorBy(confirmed.session.token))).toMatchObject({
      devices: [{ browser: "Firefox", current: true }],
    });
  });

  test("but not because its owner is away for long", async () => {
    const { person } = await withTwo();
    await sweepExpiredRows(new Date(Date.now() + 40 * 24 * 3_600_000));
    expect(await kept(person.id)).toBe(2);
    const back = await signedIn(person);
    await revokeOtherSessions(back);
    expect(await kept(person.id)).toBe(0);
  });

  test("or by deleting the account, including pending notifications", async () => {
    const { person } = await withTwo();
    await runInTransaction((tx) =>
      queuePush(tx, { userId: person.id, event: "test", params: {}, url: "/settings" }),
    );
    const { password, username } = person;
    expect(await deleteOwnAccount(person.actor, { password, confirmation: username })).toEqual({ ok: true });
    await drainJobs();
    expect([await kept(person.id), service.arrived]).toEqual([0, []]);
  });
});

test("one's own data has the browsers and the preferences, and no address or key", async () => {
  const { person, browsers } = await withTwo();
  const answer = await downloadPersonalData(person.actor);
  if (!answer.ok) throw new Error(answer.code);
  expect(answer.data.notifiedDevices).toHaveLength(2);
  expect(answer.data.telling).toMatchObject({ pushMessages: true, quietFrom: null });
  for (const { endpoint, keys } of browsers) {
    for (const secret of [endpoint, keys.auth, keys.p256dh])
      expect(JSON.stringify(answer)).not.toContain(secret);
  }
});

test("in quiet hours notices about money have sound and others do not; unwanted ones are not sent", async () => {
  const { person } = await withTwo();
  const all = { quietFrom: "00:00", quietTo: "23:59", pushMessages: false, mailMessages: true };
  await chooseNotificationPreferences(person.actor, all);
  const code = "MM-7K2Q9XAB";
  const whose = { userId: person.id, url: "/chat/3" };
  await runInTransaction(async (tx) => {
    await queuePush(tx, { ...whose, event: "paidOut", params: { code } });
    await queuePush(tx, { ...whose, event: "handedOver", params: { code, other: "Bat" } });
    await queuePush(tx, { ...whose, event: "unreadMessages", params: { room: "Steam", unread: 3 } });
  });
  await drainJobs();
  const told = service.arrived.map(({ content }) => `${content.title} ${content.silent}`).sort();
  expect([...new Set(told)]).toEqual(["Item handed over true", "Your money was sent false"]);
});
