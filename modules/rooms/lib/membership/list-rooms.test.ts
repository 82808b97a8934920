import { afterEach, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { db, runInTransaction } from "#db/client";
import { currentTime, setClock } from "#db/clock";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import { registerRoomGuards } from "../core/room-guards.ts";
import {
  aPair,
  inviteCodeOf,
  memberBy,
  someone,
  type TestPerson,
  unthrottled,
  withoutTrades,
} from "../core/rooms.fixture.ts";
import { markRead } from "../messages/mark-read.ts";
import { postNotice } from "../messages/post-notice.ts";
import { sendMessage } from "../messages/send-message.ts";
import { createRoom } from "./create-room.ts";
import { deleteRoom } from "./delete-room.ts";
import { joinByCode } from "./join-room.ts";
import { leaveRoom } from "./leave-room.ts";
import { listRooms } from "./list-rooms.ts";
import { setRole } from "./set-role.ts";

useDatabase();
unthrottled();
withoutTrades();

/** The list; throws if it was refused. */
async function listed(person: TestPerson, page: unknown = {}, options = {}) {
  const list = await listRooms(person.actor, page, options);
  if (!list.ok) throw new Error(list.code);
  return list;
}

const names = (list: { rooms: { name: string }[] }) => list.rooms.map(({ name }) => name);

async function room(creator: TestPerson, name: string) {
  const made = await createRoom(creator.actor, { name });
  if (!made.ok) throw new Error(made.code);
  return made.room;
}

/** Creates `count` rooms of one person, a minute apart: "Room 1" is the oldest. */
async function roomsOf(person: TestPerson, count: number) {
  const made = [];
  for (let n = 1; n <= count; n++) {
    made.push(await at(n, () => room(person, `Room ${n}`)));
  }
  return made;
}

const start = Date.now() - 3_600_000;
let undo: () => void = () => {};
afterEach(() => undo());

/** Runs `work` with the clock `minutes` after the start. */
async function at<T>(minutes: number, work: () => Promise<T>): Promise<T> {
  undo = setClock(() => new Date(start + minutes * 60_000));
  const done = await work();
  undo();
  return done;
}

describe("the order of rooms", () => {
  test("follows the last event: a message, a notice, or the creation", async () => {
    const person = await someone();
    const [first, second] = await roomsOf(person, 4);
    expect(names(await listed(person))).toEqual(["Room 4", "Room 3", "Room 2", "Room 1"]);
    await at(10, () => sendMessage(person.actor, second?.id ?? 0, { content: "hello" }));
    await at(11, () => setRole(person.actor, first?.id ?? 0, person.id, "buyer"));
    const list = await listed(person);
    expect(names(list)).toEqual(["Room 1", "Room 2", "Room 4", "Room 3"]);
    expect(list.rooms.map(({ activityAt }) => (Date.parse(activityAt) - start) / 60_000)).toEqual([
      11, 10, 4, 3,
    ]);
  });

  test("is right to the second within a page, although positions are stored once a minute", async () => {
    const person = await someone();
    const [first, second] = await roomsOf(person, 2);
    await at(10, () => sendMessage(person.actor, first?.id ?? 0, { content: "1" }));
    await at(10.2, () => sendMessage(person.actor, second?.id ?? 0, { content: "2" }));
    await at(10.5, () => sendMessage(person.actor, first?.id ?? 0, { content: "3" }));
    expect(names(await listed(person))).toEqual(["Room 1", "Room 2"]);
    const [noted] = await db().execute<{ at: Date }>(
      sql`SELECT at FROM rooms.activity WHERE room_id = ${first?.id} AND user_id = ${person.id}`,
    );
    expect((new Date(noted?.at ?? 0).getTime() - start) / 60_000).toBe(10);
  });

  test("is each person's own, from when they joined", async () => {
    const [seller, buyer] = [await someone("Seller"), await someone("Buyer")];
    const shared = await at(1, () => room(seller, "Shared"));
    await at(2, () => room(buyer, "Buyer's own"));
    await at(3, () => joinByCode(buyer.actor, { code: shared.inviteCode }));
    expect(names(await listed(buyer))).toEqual(["Shared", "Buyer's own"]);
    expect(names(await listed(seller))).toEqual(["Shared"]);
  });
});

describe("pages of rooms", () => {
  test("follow each other without a gap, the last one without a cursor", async () => {
    const person = await someone();
    await roomsOf(person, 7);
    const seen: string[] = [];
    let before: string | null | undefined;
    for (let page = 0; page < 3; page++) {
      const list = await listed(person, { limit: 3, ...(before && { before }) });
      seen.push(...names(list));
      before = list.next;
      expect(before === null).toBe(page === 2);
    }
    expect(seen).toEqual([7, 6, 5, 4, 3, 2, 1].map((n) => `Room ${n}`));
  });

  test("show no room twice, and skip none without new messages, while messages arrive", async () => {
    const person = await someone();
    const made = await roomsOf(person, 8);
    const first = await listed(person, { limit: 3 });
    // The room named by the cursor, one on a later page, and one already shown.
    for (const n of [5, 0, 7]) {
      await at(20 + n, () => sendMessage(person.actor, made[n]?.id ?? 0, { content: "up" }));
    }
    const second = await listed(person, { limit: 3, before: first.next });
    const third = await listed(person, { limit: 3, before: second.next });
    expect(names(first)).toEqual(["Room 8", "Room 7", "Room 6"]);
    expect([...names(second), ...names(third)]).toEqual(["Room 5", "Room 4", "Room 3", "Room 2"]);
    expect(names(await listed(person)).slice(0, 3)).toEqual(["Room 8", "Room 6", "Room 1"]);
  });

  test("distinguish rooms of the same moment", async () => {
    const person = await someone();
    await at(1, async () => {
      for (const name of ["aaa", "bbb", "ccc"]) await room(person, name);
    });
    const first = await listed(person, { limit: 2 });
    expect(names(first)).toEqual(["ccc", "bbb"]);
    expect(names(await listed(person, { limit: 2, before: first.next }))).toEqual(["aaa"]);
  });

  test("with positions of fractional milliseconds skip nothing", async () => {
    const person = await someone();
    const made = await roomsOf(person, 3);
    for (const [n, { id }] of made.entries()) {
      const time = `2026-01-01T00:00:00.00${1000 + n}Z`;
      await db().execute(sql`UPDATE rooms.activity SET at = ${time} WHERE room_id = ${id}`);
    }
    const first = await listed(person, { limit: 1 });
    const second = await listed(person, { limit: 1, before: first.next });
    const third = await listed(person, { limit: 1, before: second.next });
    expect([first, second, third].flatMap(names).sort()).toEqual(["Room 1", "Room 2", "Room 3"]);
  });

  test.each([
    { limit: 0 },
    { limit: 101 },
    { limit: "x" },
    { before: "x" },
    { before: "1-" },
    { before: "-1-1" },
    { before: `${"9".repeat(17)}-1` },
  ])("are refused for %p", async (page) => {
    const person = await someone();
    expect(await listRooms(person.actor, page)).toMatchObject({ ok: false, code: "VALIDATION" });
  });

  test("beyond any possible time are empty", async () => {
    const person = await someone();
    await room(person, "Room");
    expect(names(await listed(person, { before: "9999999999999999-9999999999999999" }))).toEqual(["Room"]);
    expect(names(await listed(person, { before: "0-1" }))).toEqual([]);
  });
});

describe("the last message of a room", () => {
  test("is the last message or notice, in the reader's language, and never a payment", async () => {
    const { seller, buyer, roomId } = await aPair();
    const mongolian = await memberBy(seller.cookie, "mn");
    const last = async () => {
      const list = await listRooms(mongolian);
      return list.ok ? list.rooms[0]?.lastMessage?.content : undefined;
    };
    expect(await last()).toBe("Худалдан авагч өрөөнд нэгдлээ");
    await sendMessage(buyer.actor, roomId, { content: "Сайн уу" });
    expect(await last()).toBe("Сайн уу");
    const payment = { roomId, code: "paymentQr", params: { total: 5 }, type: "payment_qr" } as const;
    await runInTransaction((tx) => postNotice(tx, { ...payment, at: currentTime() }));
    expect(await last()).toBe("Сайн уу");
    const empty = await someone();
    await room(empty, "Empty");
    expect((await listed(empty)).rooms[0]).toMatchObject({ lastMessage: null, unread: 0 });
  });

  test("to somebody who left is not shown to the next member", async () => {
    const { seller, buyer, roomId } = await aPair();
    await sendMessage(seller.actor, roomId, { content: "between us" });
    await leaveRoom(buyer.actor, roomId);
    const third = await someone("Third");
    await joinByCode(third.actor, { code: await inviteCodeOf(seller, roomId) });
    const [card] = (await listed(third)).rooms;
    expect(card?.lastMessage?.content).toBe("The buyer joined the chat");
    expect(card?.unread).toBe(0);
    expect((await listed(buyer)).rooms).toEqual([]);
  });

  test("is not shown to people who left, hid the room or see it deleted; joining again shows it", async () => {
    const { seller, buyer, roomId } = await aPair();
    const undoGuards = registerRoomGuards({ mayErase: async () => false });
    await leaveRoom(buyer.actor, roomId);
    await sendMessage(seller.actor, roomId, { content: "are you there?" });
    expect((await listed(buyer)).rooms).toEqual([]);
    await joinByCode(buyer.actor, { code: await inviteCodeOf(seller, roomId) });
    expect((await listed(buyer)).rooms[0]?.lastMessage?.content).toBe("are you there?");
    await deleteRoom(seller.actor, roomId);
    undoGuards();
    expect((await listed(buyer)).rooms).toEqual([]);
    expect((await listed(seller)).rooms).toEqual([]);
  });
});

describe("unread messages", () => {
  test("count what others and the server wrote since the mark, without one's own", async () => {
    const { seller, buyer, roomId } = await aPair();
    const unread = async (person: TestPerson) => (await listed(person)).rooms[0]?.unread;
    // The notice of the buyer's joining is news for the seller alone.
    expect([await unread(buyer), await unread(seller)]).toEqual([0, 1]);
    await sendMessage(seller.actor, roomId, { content: "2" });
    await sendMessage(buyer.actor, roomId, { content: "3" });
    await sendMessage(seller.actor, roomId, { content: "4" });
    expect(await unread(buyer)).toBe(2);
    await markRead(buyer.actor, roomId, 2);
    expect(await unread(buyer)).toBe(1);
    await markRead(buyer.actor, roomId, 4);
    expect(await unread(buyer)).toBe(0);
  });

  test("stop at 100, also for someone who wrote much and read nothing", async () => {
    const { seller, buyer, roomId } = await aPair();
    await db().execute(sql`
      WITH said AS (
        INSERT INTO rooms.messages (room_id, seq, sender_id, client_id, type, content, created_at)
        SELECT ${roomId}, n, ${seller.id}, gen_random_uuid(), 'text', 'x', now() FROM generate_series(2, 500) n)
      UPDATE rooms.counters SET last_seq = 500 WHERE room_id = ${roomId}`);
    expect((await listed(buyer)).rooms[0]?.unread).toBe(100);
    expect((await listed(seller)).rooms[0]?.unread).toBe(0);
  });
});
