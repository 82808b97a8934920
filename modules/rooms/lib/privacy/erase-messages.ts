import { eq, sql } from "drizzle-orm";
import type { Tx } from "#db/client";
import { type By, record } from "#modules/audit";
import { signalAfter } from "../core/room-signals.ts";
import { counters, invites, members, messages, rooms } from "../core/schema.ts";
import { eraseFilesOf } from "../images/erase-files.ts";

/** Erases a room with its messages and pictures for good. The caller holds the room; the counter waits for sends under way. */
export async function erase(tx: Tx, roomId: number, by: By, at: Date): Promise<void> {
  await eraseFiles(tx, roomId, by, at);
  await tx.delete(rooms).where(eq(rooms.id, roomId));
}

/**
 * Erases what was said in a room, its pictures, its name and its seats, and shows it to nobody; the row stays, for its trade
 * names it. The caller holds the room.
 */
export async function clearRoom(tx: Tx, roomId: number, by: By, at: Date): Promise<void> {
  const deletedAt = sql`coalesce(${rooms.deletedAt}, ${at.toISOString()}::timestamptz)`;
  await tx
    .update(rooms)
    .set({ name: `#${String(roomId).padStart(3, "0")}`, description: null, deletedAt })
    .where(eq(rooms.id, roomId));
  await tx.delete(invites).where(eq(invites.roomId, roomId));
  await tx.delete(members).where(eq(members.roomId, roomId));
  await eraseFiles(tx, roomId, by, at);
  await tx.delete(messages).where(eq(messages.roomId, roomId));
  signalAfter(tx, roomId, { kind: "cut" });
}

/**
 * Takes the counter, which is the last lock, records the erasing and has the pictures' files removed. The entry says up to which message:
 * `verify` misses none of those, and any other.
 */
async function eraseFiles(tx: Tx, roomId: number, by: By, at: Date): Promise<void> {
  const [counter] = await tx.select().from(counters).where(eq(counters.roomId, roomId)).for("update");
  const data = { lastSeq: counter?.lastSeq ?? 0 };
  await record(tx, { by, action: "room_erased", at, roomId, subject: { kind: "room", id: roomId }, data });
  await eraseFilesOf(tx, roomId);
}
