import { describe, expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import { db, runInTransaction } from "#db/client";
import { setClock } from "#db/clock";
import { openFileStore } from "#db/files";
import { drainJobs } from "#db/jobs";
import { ownerDatabase, useDatabase } from "../../../../tests/support/database/test-database.ts";
import { expectMatch } from "../../../../tests/support/expect-match.ts";
import { registerRoomGuards } from "../core/room-guards.ts";
import { aPair, unthrottled, withoutTrades } from "../core/rooms.fixture.ts";
import { imagesTable, invitesTable, membersTable, messagesTable, roomsTable } from "../core/schema.ts";
import { fileName, pictureMime } from "../images/file-names.ts";
import { aPicture, bringing } from "../images/pictures.fixture.ts";
import { sendImage } from "../images/send-image.ts";
import { listRooms } from "../membership/list-rooms.ts";
import { sendMessage } from "../messages/send-message.ts";
import { clearRoom } from "./erase-messages.ts";
import { eraseQuietRooms } from "./erase-quiet-rooms.ts";

useDatabase();
unthrottled();
withoutTrades();

const later = (days: number) => new Date(Date.now() + days * 86_400_000);
const standing = async (roomId: number) =>
  (await db().select().from(roomsTable).where(eq(roomsTable.id, roomId))).length === 1;

/** A room with a text and a picture; also returns the picture's id. */
async function talked() {
  const pair = await aPair();
  await sendMessage(pair.buyer.actor, pair.roomId, { content: "hello" });
  const done = await sendImage(pair.seller.actor, pair.roomId, ...bringing({ picture: await aPicture() }));
  if (!done.ok) throw new Error(done.code);
  return { ...pair, image: done.message.image?.full.slice(-36) ?? "" };
}

async function kept(image: string): Promise<boolean> {
  return (await openFileStore().get(fileName({ id: image, mime: pictureMime }, "full"))) !== undefined;
}

describe("a room without a trade", () => {
  test("is erased two years after its last event, including pictures", async () => {
    const room = await talked();
    await eraseQuietRooms(later(729));
    expect(await standing(room.roomId)).toBe(true);
    expect(await eraseQuietRooms(later(732))).toBeGreaterThan(0);
    await drainJobs();
    expect(await standing(room.roomId)).toBe(false);
    expect(await kept(room.image)).toBe(false);
  });

  test("is kept while somebody still writes in it", async () => {
    const room = await talked();
    const restore = setClock(() => later(400));
    await sendMessage(room.seller.actor, room.roomId, { content: "still here" });
    restore();
    await eraseQuietRooms(later(800));
    expect(await standing(room.roomId)).toBe(true);
    await eraseQuietRooms(later(1200));
    expect(await standing(room.roomId)).toBe(false);
  });

  test("with a trade is left to its trade", async () => {
    const room = await talked();
    const withdraw = registerRoomGuards({ mayErase: async () => false });
    await eraseQuietRooms(later(2000));
    withdraw();
    expect(await standing(room.roomId)).toBe(true);
  });

  test("that cannot be erased blocks no other, and is named at the end, only by its number", async () => {
    const [first, stuck, last] = [await talked(), await talked(), await talked()];
    const night = () => eraseQuietRooms(later(732));
    await ownerDatabase().execute(sql`CREATE TABLE holding (room_id bigint REFERENCES rooms.rooms)`);
    await ownerDatabase().execute(sql`INSERT INTO holding VALUES (${stuck.roomId})`);
    for (let again = 0; again < 2; again++) {
      await expect(night()).rejects.toThrow(new Error(`rooms not erased (1): ${stuck.roomId}`));
    }
    expect(await Promise.all([first, stuck, last].map(({ roomId }) => standing(roomId)))).toEqual([
      ...[false, true, false],
    ]);
    await ownerDatabase().execute(sql`DROP TABLE holding`);
    expect(await night()).toBe(1);
    expect(await standing(stuck.roomId)).toBe(false);
  });
});

test("a cleared room keeps its row and nothing that anyone wrote, entered or is called", async () => {
  const room = await talked();
  const at = new Date();
  for (let again = 0; again < 2; again++) {
    await runInTransaction((tx) => clearRoom(tx, room.roomId, { userId: null }, at));
  }
  await drainJobs();
  const [row] = await db().select().from(roomsTable).where(eq(roomsTable.id, room.roomId));
  expectMatch(row, { description: null, deletedAt: at });
  expect(row?.name).not.toContain("game");
  for (const table of [messagesTable, membersTable, invitesTable]) {
    expect(await db().select().from(table).where(eq(table.roomId, room.roomId))).toEqual([]);
  }
  expect(await db().select().from(imagesTable).where(eq(imagesTable.id, room.image))).toEqual([]);
  expect(await kept(room.image)).toBe(false);
  expect(await listRooms(room.buyer.actor, {}, { all: true })).toMatchObject({ rooms: [] });
  expect(await sendMessage(room.buyer.actor, room.roomId, { content: "x" })).toMatchObject({ ok: false });
});
