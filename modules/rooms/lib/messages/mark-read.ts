import { and, eq, sql } from "drizzle-orm";
import { db } from "#db/client";
import { currentTime } from "#db/clock";
import type { ThrottleRefusal } from "#db/throttle/throttle-attempts";
import { createTokenBucket } from "#db/throttle/token-bucket";
import { type Actor, type NotSignedIn, requireUser } from "#modules/identity";
import { readInput } from "../../forms.ts";
import { type InvalidInput, type RoomNotFound, refuseInvalidInput, roomNotFound } from "../core/refusals.ts";
import { sendRoomSignal } from "../core/room-signals.ts";
import { countersTable, membersTable, roomsTable } from "../core/schema.ts";
import { findMembership } from "../membership/membership.ts";

/** A burst of sixty marks, then three a second: a page sends one a second, and a person may have several open. */
const readMarkBucket = createTokenBucket(60, 20);

type MarkReadOutcome =
  | { ok: true; readSeq: number }
  | NotSignedIn
  | InvalidInput
  | ThrottleRefusal
  | RoomNotFound;

/**
 * Records that the actor has read a room up to `seq`, and notifies the room. A mark only moves forward, and never past the last message:
 * repeating it, or an earlier one, writes nothing. Returns the current mark. Refuses VALIDATION, THROTTLED, and CHAT_ROOM_NOT_FOUND for
 * outsiders.
 *
 * Writes no audit entry: a mark proves nothing about a trade, moves with nearly every message, and a record of who looked when would be
 * kept for longer than it is needed.
 */
export async function markRead(actor: Actor, roomId: number, seq: unknown): Promise<MarkReadOutcome> {
  const user = requireUser(actor);
  if (!user.ok) return user;
  const parsed = readInput.safeParse({ seq });
  if (!parsed.success) return refuseInvalidInput(parsed.error);
  const { userId } = user.member;
  const wait = readMarkBucket.take(userId, currentTime());
  if (wait > 0) return { ok: false, code: "THROTTLED", retryAfterSeconds: wait };
  const moved = await moveReadMark(roomId, userId, parsed.data.seq);
  if (moved !== undefined) {
    sendRoomSignal(roomId, { kind: "frame", frame: JSON.stringify({ type: "read", userId, seq: moved }) });
    return { ok: true, readSeq: moved };
  }
  const seat = await findMembership(db(), roomId, userId);
  return seat === undefined ? roomNotFound : { ok: true, readSeq: seat.member.readSeq };
}

/**
 * One statement that locks one row and nothing else: it may wait for a swap of roles, but a transaction that holds the counter never waits
 * for it.
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
