import { subYears } from "date-fns";
import { and, asc, eq, gt, isNull, lt } from "drizzle-orm";
import { db, type Tx } from "#db/client";
import { now } from "#db/clock";
import { eraseEach, failWith } from "#db/erase-each";
import { defineJob } from "#db/jobs";
import { RECORD_YEARS } from "#modules/audit";
import { guards } from "../core/room-guards.ts";
import { lockRow } from "../core/room-locks.ts";
import { signalAfter } from "../core/room-signals.ts";
import { counters, rooms } from "../core/schema.ts";
import { erase } from "./erase-messages.ts";

defineJob("rooms.retention", () => eraseQuietRooms(now()).then(() => {}), { cron: "50 19 * * *" });

/**
 * Erases the rooms without a trade in which nothing has happened for two years (specification §9); those with one wait for the
 * trade's own end (`clearRoom`). Answers how many. One that fails keeps none after it; at the end it throws with the numbers of
 * those that did.
 */
export async function eraseQuietRooms(at: Date): Promise<number> {
  const before = subYears(at, RECORD_YEARS);
  const next = (last: { id: number } | undefined, most: number) =>
    db()
      .select({ id: rooms.id })
      .from(rooms)
      .innerJoin(counters, eq(counters.roomId, rooms.id))
      .where(
        and(
          gt(rooms.id, last?.id ?? 0),
          lt(rooms.createdAt, before),
          lt(counters.activeAt, before),
          isNull(rooms.endedAt),
        ),
      )
      .orderBy(asc(rooms.id))
      .limit(most);
  const done = await eraseEach("rooms", next, (tx, id) => eraseQuiet(tx, id, before, at));
  failWith("rooms", done);
  return done.erased;
}

/** Looks again under the room's lock and its counter's: somebody may have come back meanwhile. */
async function eraseQuiet(tx: Tx, roomId: number, before: Date, at: Date): Promise<boolean> {
  if ((await lockRow(tx, roomId)) === undefined) return false;
  if (!(await guards().mayErase(tx, roomId))) return false;
  const [counter] = await tx.select().from(counters).where(eq(counters.roomId, roomId)).for("update");
  if (counter === undefined || counter.activeAt >= before) return false;
  signalAfter(tx, roomId, { kind: "cut" });
  await erase(tx, roomId, { userId: null }, at);
  return true;
}
