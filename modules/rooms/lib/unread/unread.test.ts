import { beforeEach, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { db, runInTransaction } from "#db/client";
import { setClock } from "#db/clock";
import { drainJobs } from "#db/jobs";
import { chooseNotificationPreferences } from "#modules/identity";
import { keepPushDevice } from "#modules/mailer";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import { usePushService } from "../../../../tests/support/services/use-push-service.ts";
import { onRoomSignal, sendRoomSignal } from "../core/room-signals.ts";
import { aPair, type TestPerson, unthrottled, withoutTrades } from "../core/rooms.fixture.ts";
import { deleteRoom } from "../membership/delete-room.ts";
import { markRead } from "../messages/mark-read.ts";
import { sendMessage } from "../messages/send-message.ts";
import { searchUnread } from "./search-unread.ts";

useDatabase();
unthrottled();
withoutTrades();
const service = usePushService();
beforeEach(async () => {
  await db().execute(sql`DELETE FROM pgboss.job`);
});

const minute = 60_000;
const say = (who: TestPerson, roomId: number, content = "are you there?") =>
  sendMessage(who.actor, roomId, { content });

/** Moves the clock `minutes` ahead, and runs the search and every job due by then. */
async function inMinutes(minutes: number): Promise<void> {
  const at = new Date(Date.now() + minutes * minute);
  const restore = setClock(() => at);
  try {
    await searchUnread(at);
    await drainJobs(at);
  } finally {
    restore();
  }
}
const mailed = async ({ id }: TestPerson) => {
  const rows = await db().execute<{ template: string }>(
    sql`SELECT template FROM mailer.messages WHERE user_id = ${id} AND template = 'unreadMessages'`,
  );
  return rows.length;
};
async function notified({ id, actor }: TestPerson): Promise<void> {
  const owner = { userId: id, sessionId: actor.sessionId, device: "a test", at: new Date() };
  await runInTransaction((tx) => keepPushDevice(tx, owner, service.browser()));
}

describe("unread messages", () => {
  test("are notified after five minutes: how many, without their text", async () => {
    const { seller, buyer, roomId } = await aPair();
    await notified(buyer);
    for (let count = 0; count < 3; count++) await say(seller, roomId, "the password is hunter2");
    await inMinutes(4);
    expect(service.arrived).toEqual([]);
    await inMinutes(6);
    expect(service.arrived.map(({ content }) => content)).toMatchObject([
      {
        title: "New messages",
        body: "3 unread",
        url: `/chat/${roomId}`,
        tag: `talk:/chat/${roomId}`,
      },
    ]);
    expect(JSON.stringify(service.arrived)).not.toContain("hunter2");
    expect([await mailed(buyer), await mailed(seller)]).toEqual([0, 0]);
  });

  test("are notified once until they are read, or after a day", async () => {
    const { seller, buyer, roomId } = await aPair();
    await notified(buyer);
    await say(seller, roomId);
    await inMinutes(6);
    await say(seller, roomId);
    await inMinutes(12);
    expect(service.arrived).toHaveLength(1);
    await markRead(buyer.actor, roomId, 100);
    await say(seller, roomId);
    await inMinutes(18);
    expect(service.arrived).toHaveLength(2);
    await say(seller, roomId);
    await inMinutes(26 * 60);
    expect(service.arrived).toHaveLength(3);
  });

  test("are mailed to people without a device, and not to those who want neither", async () => {
    const { seller, buyer, roomId } = await aPair();
    await say(seller, roomId);
    await inMinutes(6);
    expect(await mailed(buyer)).toBe(1);
    const neither = { pushMessages: false, mailMessages: false, quietFrom: null, quietTo: null };
    await notified(seller);
    await chooseNotificationPreferences(seller.actor, neither);
    await say(buyer, roomId);
    await inMinutes(12);
    expect([await mailed(seller), service.arrived]).toEqual([0, []]);
    await chooseNotificationPreferences(seller.actor, { ...neither, mailMessages: true });
    await say(buyer, roomId);
    await inMinutes(26 * 60);
    expect([await mailed(seller), service.arrived]).toEqual([1, []]);
  });

  test("are mailed when the last device turns out to be gone", async () => {
    const { seller, buyer, roomId } = await aPair();
    await notified(buyer);
    service.answers.push(410);
    await say(seller, roomId);
    await inMinutes(6);
    expect([await mailed(buyer), service.arrived]).toEqual([1, []]);
  });

  test("wait for the end of quiet hours, and are dropped if they were read by then", async () => {
    const [one, other] = [await aPair(), await aPair()];
    const clock = (minutes: number) =>
      new Intl.DateTimeFormat("en-GB", { timeStyle: "short", timeZone: "Asia/Ulaanbaatar" }).format(
        new Date(Date.now() + minutes * minute),
      );
    const quiet = { pushMessages: true, mailMessages: true, quietFrom: clock(-60), quietTo: clock(120) };
    for (const { seller, buyer, roomId } of [one, other]) {
      await notified(buyer);
      await chooseNotificationPreferences(buyer.actor, quiet);
      await say(seller, roomId);
    }
    await inMinutes(6);
    await inMinutes(110);
    expect(service.arrived).toEqual([]);
    await markRead(other.buyer.actor, other.roomId, 100);
    await inMinutes(125);
    expect(service.arrived.map(({ content }) => content.url)).toEqual([`/chat/${one.roomId}`]);
  });

  test("are not notified to someone looking at the room, until they have left", async () => {
    const { seller, buyer, roomId } = await aPair();
    const stop = onRoomSignal(roomId, ({ kind }) => {
      if (kind !== "who") return;
      sendRoomSignal(roomId, { kind: "presence", userId: buyer.id, instance: "another", status: "online" });
    });
    await say(seller, roomId);
    await inMinutes(6);
    expect(await mailed(buyer)).toBe(0);
    stop();
    await inMinutes(12);
    expect(await mailed(buyer)).toBe(1);
  });

  test("are dropped once they are read, or their room is gone", async () => {
    const [read, gone] = [await aPair(), await aPair()];
    for (const { seller, roomId } of [read, gone]) await say(seller, roomId);
    await markRead(read.buyer.actor, read.roomId, 100);
    expect(await deleteRoom(gone.seller.actor, gone.roomId)).toMatchObject({ ok: true });
    await inMinutes(6);
    expect([await mailed(read.buyer), await mailed(gone.buyer)]).toEqual([0, 0]);
  });
});

test("each message is examined once, however many searches run in parallel", async () => {
  const { seller, buyer, roomId } = await aPair();
  for (let count = 0; count < 30; count++) await say(seller, roomId);
  const at = new Date(Date.now() + 6 * minute);
  const found = await Promise.all(Array.from({ length: 4 }, () => searchUnread(at)));
  expect(found.sort()).toEqual([0, 0, 0, 1]);
  await inMinutes(6);
  expect(await mailed(buyer)).toBe(1);
});

test("sending a message writes nothing for the search", async () => {
  const { seller, roomId } = await aPair();
  const rows = () => db().execute(sql`SELECT 1 FROM rooms.unread_told`);
  const told = (await rows()).length;
  await say(seller, roomId);
  expect((await rows()).length).toBe(told);
  expect(await db().execute(sql`SELECT 1 FROM pgboss.job WHERE name LIKE 'rooms.%'`)).toHaveLength(0);
});
