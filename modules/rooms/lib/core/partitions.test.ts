import { describe, expect, test } from "bun:test";
import { and, between, desc, eq, gt, sql } from "drizzle-orm";
import type { Sql } from "postgres";
import { db, openClient } from "#db/client";
import { setClock } from "#db/clock";
import { makePartitions } from "#db/partitions";
import { explainStatements, type Statement } from "../../../../tests/support/database/query-plans.ts";
import { ownerDatabase, useDatabase } from "../../../../tests/support/database/test-database.ts";
import { aPicture, bringing } from "../images/pictures.fixture.ts";
import { sendImage } from "../images/send-image.ts";
import { findVisibleImage } from "../images/visible-image.ts";
import { deleteRoom } from "../membership/delete-room.ts";
import { listRooms } from "../membership/list-rooms.ts";
import { conversationSpan, inRoomCondition } from "../messages/conversation-span.ts";
import { readHistory } from "../messages/history.ts";
import { countMessagesSince } from "../messages/messages-since.ts";
import { sendMessage } from "../messages/send-message.ts";
import { aPair, unthrottled, withoutTrades } from "./rooms.fixture.ts";
import { countersTable, imagesTable, messagesTable, roomsTable } from "./schema.ts";

const database = useDatabase();
unthrottled();
withoutTrades();

const DAY_MS = 86_400_000;
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS);

/** Runs `work` with the clock `days` in the past. */
async function ago<T>(days: number, work: () => Promise<T>): Promise<T> {
  const restore = setClock(() => daysAgo(days));
  try {
    return await work();
  } finally {
    restore();
  }
}

/** A room of two, created 200 days ago and active since: its messages are in at least three quarterly partitions. */
async function longLived() {
  await makePartitions({ from: daysAgo(300), to: new Date() });
  // Throttle entries from today would stay in force for 200 days.
  await db().execute(sql`DELETE FROM base.throttle`);
  const pair = await ago(200, aPair);
  for (const days of [199, 100, 0]) {
    await ago(days, async () => {
      const said = await sendMessage(pair.seller.actor, pair.roomId, { content: `${days} days ago` });
      const shown = await sendImage(
        pair.buyer.actor,
        pair.roomId,
        ...bringing({ picture: await aPicture() }),
      );
      if (!said.ok || !shown.ok) throw new Error("not said");
    });
  }
  return pair;
}

const partitionsOf = async (roomId: number) =>
  (
    await db().execute<{ part: string }>(
      sql`SELECT DISTINCT tableoid::regclass::text AS part FROM rooms.messages WHERE room_id = ${roomId}`,
    )
  ).length;

const refusal = (work: Promise<unknown>) =>
  work.then(
    () => "stored",
    (error) => (error.cause as { constraint_name?: string; code: string }).constraint_name,
  );

describe("a room whose messages lie in several partitions", () => {
  test("reads like one: its order, its pages, unread and last messages", async () => {
    const { seller, buyer, roomId } = await longLived();
    expect(await partitionsOf(roomId)).toBeGreaterThanOrEqual(3);
    const all = await readHistory(seller.actor, roomId);
    if (!all.ok) throw new Error(all.code);
    const seqs = all.messages.map(({ seq }) => seq);
    expect(seqs).toEqual(Array.from({ length: seqs.length }, (_, n) => n + 1));
    const page = await readHistory(seller.actor, roomId, { before: 5, limit: 3 });
    expect(page.ok && page.messages.map(({ seq }) => seq)).toEqual([2, 3, 4]);
    expect(await countMessagesSince(seller.actor, roomId, 0)).toMatchObject({ ok: true, count: 4 });
    const listed = await listRooms(buyer.actor);
    expect(listed.ok && listed.rooms[0]?.lastMessage).toMatchObject({ type: "image", seq: seqs.length });
    for (const message of all.messages.filter(({ type }) => type === "image")) {
      const id = message.image?.full.slice(-36) ?? "";
      expect(await findVisibleImage(seller.actor, roomId, id, "full")).toMatchObject({ ok: true });
    }
  });

  test("prevents duplicates of earlier messages, by client id and by seq", async () => {
    const { seller, roomId } = await longLived();
    const clientId = crypto.randomUUID();
    const sent = await ago(150, () => sendMessage(seller.actor, roomId, { content: "once", clientId }));
    const again = await sendMessage(seller.actor, roomId, { content: "once", clientId });
    expect(again).toEqual(sent);
    expect(await sendMessage(seller.actor, roomId, { content: "else", clientId })).toMatchObject({
      code: "CLIENT_ID_REUSED",
    });
    const said = { roomId, senderId: seller.id, type: "text", content: "x" } as const;
    const insert = (seq: number, id: string, createdAt: Date) =>
      refusal(
        db()
          .insert(messagesTable)
          .values({ ...said, seq, clientId: id, createdAt }),
      );
    expect(await insert(1, crypto.randomUUID(), new Date())).toBe("messages_room_seq_key");
    expect(await insert(99, clientId, new Date())).toBe("messages_room_client_key");
    expect(await insert(1, crypto.randomUUID(), daysAgo(110))).toBe("messages_room_seq_key");
    expect(await insert(99, clientId, daysAgo(199))).toBe("messages_room_client_key");
    expect(await insert(99, crypto.randomUUID(), daysAgo(110))).toBe("stored");
  });

  test("has no message from before its start, which nobody would find", async () => {
    const { seller, roomId } = await aPair();
    const early = { roomId, seq: 99, senderId: seller.id, type: "text", content: "x" } as const;
    const at = (days: number, seq: number) =>
      refusal(
        db()
          .insert(messagesTable)
          .values({ ...early, seq, clientId: crypto.randomUUID(), createdAt: daysAgo(days) }),
      );
    expect(await at(1.01, 98)).toBe("messages_since_room");
    expect(await at(0.99, 99)).toBe("stored");
  });

  test("is found even if someone's clock is days ahead", async () => {
    const { seller, roomId } = await aPair();
    await ago(-150, () => sendMessage(seller.actor, roomId, { content: "from ahead" }));
    await db()
      .insert(messagesTable)
      .values({ roomId, seq: 99, type: "system", code: "joined", params: {}, createdAt: daysAgo(-300) });
    const all = await readHistory(seller.actor, roomId);
    if (!all.ok) throw new Error(all.code);
    expect(all.messages.slice(-2).map(({ seq, content }) => [seq === 99, content])).toEqual([
      [false, "from ahead"],
      [true, expect.any(String)],
    ]);
  });

  test("is erased from all of them, with its pictures", async () => {
    const { seller, roomId } = await longLived();
    const other = await longLived();
    const left = async (id: number) => ({
      messages: await db().$count(messagesTable, eq(messagesTable.roomId, id)),
      images: await db().$count(
        imagesTable,
        sql`${imagesTable.messageId} IN (SELECT id FROM rooms.messages WHERE room_id = ${id})`,
      ),
    });
    const before = await db().$count(imagesTable);
    expect((await left(roomId)).images).toBe(3);
    expect(await deleteRoom(seller.actor, roomId)).toEqual({ ok: true });
    expect(await left(roomId)).toEqual({ messages: 0, images: 0 });
    expect(await db().$count(imagesTable)).toBe(before - 3);
    expect((await left(other.roomId)).images).toBe(3);
  });

  test("a picture refers to a message by number and time, and is erased with it", async () => {
    const { roomId } = await longLived();
    const [one] = await db()
      .select()
      .from(messagesTable)
      .where(and(eq(messagesTable.roomId, roomId), eq(messagesTable.type, "image")));
    const [id, at] = [one?.id ?? 0, one?.createdAt ?? new Date(0)];
    await db().delete(imagesTable).where(eq(imagesTable.messageId, id));
    const insert = (of: number, moment: Date | null) =>
      db().execute(sql`
        INSERT INTO rooms.images (id, message_id, message_at, mime, bytes, sha256, sent_sha256)
        VALUES (gen_random_uuid(), ${of}, ${moment?.toISOString() ?? null}, 'image/webp', 1, repeat('a', 64), repeat('a', 64))`);
    expect(await refusal(insert(id, null))).not.toBe("stored");
    expect(await refusal(insert(id, new Date(at.getTime() + 1)))).toBe("images_message_fkey");
    expect(await refusal(insert(999_999_999, at))).toBe("images_message_fkey");
    await insert(id, at);
    expect(await db().$count(imagesTable, eq(imagesTable.messageId, id))).toBe(1);
    await db().delete(messagesTable).where(eq(messagesTable.id, id));
    expect(await db().$count(imagesTable, eq(imagesTable.messageId, id))).toBe(0);
  });
});

test("a new room's messages are read from the indexes of its quarter, and from no other partition", async () => {
  const { roomId } = await aPair();
  await makePartitions({ from: daysAgo(300), to: new Date() });
  const [room] = await db()
    .select({ createdAt: roomsTable.createdAt, activeAt: countersTable.activeAt })
    .from(roomsTable)
    .innerJoin(countersTable, eq(countersTable.roomId, roomsTable.id))
    .where(eq(roomsTable.id, roomId));
  if (room === undefined) throw new Error("no room");
  const read = (which: ReturnType<typeof inRoomCondition>) =>
    db()
      .select()
      .from(messagesTable)
      .where(and(which, gt(messagesTable.seq, 0)))
      .orderBy(desc(messagesTable.seq))
      .limit(50)
      .toSQL();
  const client = openClient(database.url, { max: 1 });
  await client.unsafe("SET enable_seqscan = off");
  const { from, to } = conversationSpan(room);
  const named = and(eq(messagesTable.roomId, roomId), between(messagesTable.createdAt, from, to));
  for (const which of [named, inRoomCondition(roomId)]) {
    const { sql: text, params } = read(which);
    const [plan] = await explainStatements(client, [{ text, values: params }]);
    expect(plan?.sequential).toEqual([]);
    const parts = plan?.opened.filter((name) => name.startsWith("rooms.messages")) ?? [];
    const [now] =
      await client`SELECT base.partition_name('rooms.messages', base.quarter_of(${room.createdAt.toISOString()}::timestamptz - interval '1 day')) AS name`;
    expect(parts).toContain(`rooms.${now?.name}`);
    const [tomorrow] =
      await client`SELECT base.partition_name('rooms.messages', base.quarter_of(now() + interval '1 day')) AS name`;
    expect(
      parts.filter((part) => part !== `rooms.${now?.name}` && part !== `rooms.${tomorrow?.name}`),
    ).toEqual([]);
  }
  await client.end();
});

test("the last message in a member's rooms is found without reading all others", async () => {
  const [{ seller, roomId }, other] = [await longLived(), await aPair()];
  await db().execute(sql`
    INSERT INTO rooms.messages (room_id, seq, sender_id, client_id, type, content, created_at)
    SELECT ${other.roomId}::bigint, 1000 + n, ${other.seller.id}::bigint, gen_random_uuid(), 'text', 'said', now()
    FROM generate_series(1, 5000) n`);
  await ownerDatabase().execute(sql`ANALYZE rooms.messages`);
  const heard: Statement[] = [];
  const { options } = (db() as unknown as { $client: Sql }).$client;
  options.debug = (_connection, text, values) => heard.push({ text, values });
  const listed = await listRooms(seller.actor);
  options.debug = false;
  expect(listed.ok && listed.rooms.map(({ id }) => id)).toContain(roomId);
  const client = openClient(database.url, { max: 1 });
  const plans = await explainStatements(client, heard);
  await client.end();
  const ofMessages = plans.filter(({ opened }) => opened.some((name) => name.startsWith("rooms.messages")));
  expect(ofMessages.length).toBeGreaterThan(1);
  expect(ofMessages.reduce((sum, { rows }) => sum + rows, 0)).toBeLessThan(100);
});
