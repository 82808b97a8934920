import { subYears } from "date-fns";
import { and, asc, eq, gt, isNull, lt } from "drizzle-orm";
import { db, type Tx, transaction } from "#db/client";
import { now } from "#db/clock";
import { defineJob } from "#db/jobs";
import { log } from "#db/log";
import { RECORD_YEARS } from "#modules/audit";
import { signalAfter } from "./bus.ts";
import { erase } from "./erase.ts";
import { guards } from "./guards.ts";
import { counters, rooms } from "./schema.ts";
import { lockRow } from "./seats.ts";

const BATCH = 200;
/** So many that failed are named. */
const NAMED = 20;

defineJob("rooms.retention", () => eraseQuietRooms(now()).then(() => {}), { cron: "50 19 * * *" });

/**
 * Erases the rooms without a trade in which nothing has happened for two years (specification §9); those with one wait for the
 * trade's own end (`clearRoom`). Answers how many. One that fails keeps none after it; at the end it throws with the numbers of
 * those that did.
 */
export async function eraseQuietRooms(at: Date): Promise<number> {
  const before = subYears(at, RECORD_YEARS);
  const failed: number[] = [];
  let erased = 0;
  for (let last = 0; ; ) {
    const quiet = await db()
      .select({ id: rooms.id })
      .from(rooms)
      .innerJoin(counters, eq(counters.roomId, rooms.id))
      .where(
        and(
          gt(rooms.id, last),
          lt(rooms.createdAt, before),
          lt(counters.activeAt, before),
          isNull(rooms.endedAt),
        ),
      )
      .orderBy(asc(rooms.id))
      .limit(BATCH);
    for (const { id } of quiet) {
      try {
        erased += (await transaction((tx) => eraseQuiet(tx, id, before, at))) ? 1 : 0;
      } catch (err) {
        log().error({ err, room: id }, "rooms: a room was not erased");
        failed.push(id);
      }
    }
    last = quiet.at(-1)?.id ?? last;
    if (quiet.length < BATCH) break;
  }
  // The job fails with it, and tries again; what never goes comes to the administrators' work.
  if (failed.length > 0)
    throw new Error(`rooms not erased (${failed.length}): ${failed.slice(0, NAMED).join(", ")}`);
  return erased;
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
