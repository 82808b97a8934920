import { and, eq, sql } from "drizzle-orm";
import { db } from "#db/client";
import { currentTime } from "#db/clock";
import { createTokenBucket } from "#db/throttle/token-bucket";
import { type Actor, requireUser } from "#modules/identity";
import { readInput } from "../../forms.ts";
import { refuseInvalidInput, roomNotFound } from "../core/refusals.ts";
import { sendRoomSignal } from "../core/room-signals.ts";
import { countersTable, membersTable, roomsTable } from "../core/schema.ts";
import { findMembership } from "../membership/membership.ts";

/** Sixty marks at once, three a second for ever: a page tells one a second, and a person may look at several. */
const readMarkBucket = createTokenBucket(60, 20);

/**
 * Notes that the actor has read a room up to `seq`, and tells the room. A mark only ever moves on, and never past the
 * last message: repeating it, or naming an earlier one, writes nothing. Answers the mark that stands. Refuses VALIDATION,
 * THROTTLED, and CHAT_ROOM_NOT_FOUND to outsiders.
 *
 * It writes no audit entry: a mark proves nothing about a trade, moves with nearly every message, and a record of who looked
 * when would outlive what it is kept for.
 */
export async function markRead(actor: Actor, roomId: number, seq: unknown) {
  const user = requireUser(actor);
  if (!user.ok) return user;
  const parsed = readInput.safeParse({ seq });
  if (!parsed.success) return refuseInvalidInput(parsed.error);
  const { userId } = user.member;
  const wait = readMarkBucket.take(userId, currentTime());
  if (wait > 0) return { ok: false, code: "THROTTLED", retryAfterSeconds: wait } as const;
  const moved = await moveReadMark(roomId, userId, parsed.data.seq);
  if (moved !== undefined) {
    sendRoomSignal(roomId, { kind: "frame", frame: JSON.stringify({ type: "read", userId, seq: moved }) });
    return { ok: true, readSeq: moved } as const;
  }
  const seat = await findMembership(db(), roomId, userId);
  return seat === undefined ? roomNotFound : ({ ok: true, readSeq: seat.member.readSeq } as const);
}

/**
 * One statement and one row's lock, held by nothing else: it can wait for whoever swaps the seats, and never the other way
 * round for the counter.
 */
async function moveReadMark(roomId: number, userId: number, seq: number): Promise<number | undefined> {
  const upTo = sql`LEAST(${seq}::bigint, ${countersTable.lastSeq})`;
  const [row] = await db()
    .update(membersTable)
    .set({ readSeq: upTo })
    .from(countersTable)
    .innerJoin(roomsTable, and(eq(roomsTable.id, countersTable.roomId), sql`${roomsTable.deletedAt} IS NULL`))
    .where(
      and(
        eq(countersTable.roomId, membersTable.roomId),
        eq(membersTable.roomId, roomId),
        eq(membersTable.userId, userId),
        sql`${membersTable.readSeq} < ${upTo}`,
      ),
    )
    .returning({ readSeq: membersTable.readSeq });
  return row?.readSeq;
}
