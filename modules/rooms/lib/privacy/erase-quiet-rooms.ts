import { subYears } from "date-fns/subYears";
import { and, asc, eq, gt, isNull, lt } from "drizzle-orm";
import { db, type Tx } from "#db/client";
import { currentTime } from "#db/clock";
import { defineJob } from "#db/jobs";
import { eraseEach, throwIfFailed } from "#db/jobs/erase-in-batches";
import { RECORD_YEARS } from "#modules/audit";
import { currentRoomGuards } from "../core/room-guards.ts";
import { lockRoomRow } from "../core/room-locks.ts";
import { sendSignalAfterCommit } from "../core/room-signals.ts";
import { countersTable, roomsTable } from "../core/schema.ts";
import { eraseRoom } from "./erase-messages.ts";

defineJob("rooms.retention", () => eraseQuietRooms(currentTime()).then(() => {}), { cron: "50 19 * * *" });

/**
 * Erases rooms without a trade and without activity for two years; rooms with a trade are cleared with it (`clearRoom`). Returns how many.
 * A failure does not stop the others; at the end it throws with the ids of the rooms that failed.
 */
export async function eraseQuietRooms(at: Date): Promise<number> {
  const before = subYears(at, RECORD_YEARS);
  const next = (last: { id: number } | undefined, most: number) =>
    db()
      .select({ id: roomsTable.id })
      .from(roomsTable)
      .innerJoin(countersTable, eq(countersTable.roomId, roomsTable.id))
      .where(
        and(
          gt(roomsTable.id, last?.id ?? 0),
          lt(roomsTable.createdAt, before),
          lt(countersTable.activeAt, before),
          isNull(roomsTable.endedAt),
        ),
      )
      .orderBy(asc(roomsTable.id))
      .limit(most);
  const done = await eraseEach("rooms", next, (tx, id) => eraseQuietRoom(tx, id, before, at));
  throwIfFailed("rooms", done);
  return done.erased;
}

/** Checks again under the locks of the room and its counter: someone may have come back meanwhile. */
async function eraseQuietRoom(tx: Tx, roomId: number, before: Date, at: Date): Promise<boolean> {
  if ((await lockRoomRow(tx, roomId)) === undefined) return false;
  if (!(await currentRoomGuards().mayErase(tx, roomId))) return false;
  const [counter] = await tx
    .select()
    .from(countersTable)
    .where(eq(countersTable.roomId, roomId))
    .for("update");
  if (counter === undefined || counter.activeAt >= before) return false;
  sendSignalAfterCommit(tx, roomId, { kind: "cut" });
  await eraseRoom(tx, roomId, { userId: null }, at);
  return true;
}
