import { eq } from "drizzle-orm";
import type { Tx } from "#db/client";
import { type By, record } from "#modules/audit";
import { eraseFilesOf } from "./images/erase-files.ts";
import { counters, rooms } from "./schema.ts";

/** Erases a room with its messages and pictures for good. The caller holds the room; the counter waits for sends under way. */
export async function erase(tx: Tx, roomId: number, by: By, at: Date): Promise<void> {
  await record(tx, { by, action: "room_erased", at, roomId, subject: { kind: "room", id: roomId } });
  await tx.select().from(counters).where(eq(counters.roomId, roomId)).for("update");
  await eraseFilesOf(tx, roomId);
  await tx.delete(rooms).where(eq(rooms.id, roomId));
}
