import { eq, sql } from "drizzle-orm";
import type { Tx } from "#db/client";
import { type AuditActor, recordAuditEntry } from "#modules/audit";
import { sendSignalAfterCommit } from "../core/room-signals.ts";
import { countersTable, invitesTable, membersTable, messagesTable, roomsTable } from "../core/schema.ts";
import { eraseFilesOf } from "../images/erase-files.ts";

/**
 * Erases a room with its messages and pictures permanently. The caller has locked the room; locking the counter waits for messages being
 * sent.
 */
export async function eraseRoom(tx: Tx, roomId: number, by: AuditActor, at: Date): Promise<void> {
  await eraseFiles(tx, roomId, by, at);
  await tx.delete(roomsTable).where(eq(roomsTable.id, roomId));
}

/**
 * Erases a room's messages, pictures, name and members, and hides it from everyone. Keeps the row, which its trade references. The caller
 * has locked the room.
 */
export async function clearRoom(tx: Tx, roomId: number, by: AuditActor, at: Date): Promise<void> {
  const deletedAt = sql`coalesce(${roomsTable.deletedAt}, ${at.toISOString()}::timestamptz)`;
  await tx
    .update(roomsTable)
    .set({ name: `#${String(roomId).padStart(3, "0")}`, description: null, deletedAt })
    .where(eq(roomsTable.id, roomId));
  await tx.delete(invitesTable).where(eq(invitesTable.roomId, roomId));
  await tx.delete(membersTable).where(eq(membersTable.roomId, roomId));
  await eraseFiles(tx, roomId, by, at);
  await tx.delete(messagesTable).where(eq(messagesTable.roomId, roomId));
  sendSignalAfterCommit(tx, roomId, { kind: "cut" });
}

/**
 * Locks the counter, which is the last lock, records the erasure and queues the removal of the pictures' files. The entry contains the last
 * erased `seq`: `verify` does not report messages up to it as missing, but any other.
 */
async function eraseFiles(tx: Tx, roomId: number, by: AuditActor, at: Date): Promise<void> {
  const [counter] = await tx
    .select()
    .from(countersTable)
    .where(eq(countersTable.roomId, roomId))
    .for("update");
  const data = { lastSeq: counter?.lastSeq ?? 0 };
  await recordAuditEntry(tx, {
    by,
    action: "room_erased",
    at,
    roomId,
    subject: { kind: "room", id: roomId },
    data,
  });
  await eraseFilesOf(tx, roomId);
}
