import { and, eq, inArray, isNull } from "drizzle-orm";
import { db } from "#db/client";
import { sessionHolds, sessionsHolding } from "#modules/identity";
import { counters, members, rooms } from "../core/schema.ts";
import { closing } from "./limits.ts";

/** Whose socket it is, and of which room. */
export type Seated = { roomId: number; userId: number; sessionId: number };

export type SocketAuthorization = { ok: true; lastSeq: number } | { ok: false; code: number };

/** Whether a socket may still speak, read from Postgres now, with the room's last `seq`. */
export async function authorizeSocket(
  { roomId, userId, sessionId }: Seated,
  now: Date,
): Promise<SocketAuthorization> {
  const [holds, [seat]] = await Promise.all([
    sessionHolds(sessionId, now),
    db()
      .select({ lastSeq: counters.lastSeq })
      .from(members)
      .innerJoin(rooms, and(eq(rooms.id, members.roomId), isNull(rooms.deletedAt)))
      .innerJoin(counters, eq(counters.roomId, members.roomId))
      .where(and(eq(members.roomId, roomId), eq(members.userId, userId))),
  ]);
  if (!holds) return { ok: false, code: closing.noSession };
  return seat === undefined ? { ok: false, code: closing.notAMember } : { ok: true, lastSeq: seat.lastSeq };
}

/** The same for many sockets that only listen, in three queries: the code to close each with, if any. */
export async function authorizeSockets<T extends Seated>(
  sockets: readonly T[],
  now: Date,
): Promise<Map<T, number>> {
  const roomIds = [...new Set(sockets.map(({ roomId }) => roomId))];
  if (roomIds.length === 0) return new Map();
  const [holding, seated] = await Promise.all([
    sessionsHolding(
      sockets.map(({ sessionId }) => sessionId),
      now,
    ),
    db()
      .select({ roomId: members.roomId, userId: members.userId })
      .from(members)
      .innerJoin(rooms, and(eq(rooms.id, members.roomId), isNull(rooms.deletedAt)))
      .where(inArray(members.roomId, roomIds)),
  ]);
  const seats = new Set(seated.map(({ roomId, userId }) => `${roomId}:${userId}`));
  const over = new Map<T, number>();
  for (const socket of sockets) {
    if (!holding.has(socket.sessionId)) over.set(socket, closing.noSession);
    else if (!seats.has(`${socket.roomId}:${socket.userId}`)) over.set(socket, closing.notAMember);
  }
  return over;
}

/** The last `seq` of each room. */
export async function lastSeqs(roomIds: number[]): Promise<Map<number, number>> {
  if (roomIds.length === 0) return new Map();
  const rows = await db().select().from(counters).where(inArray(counters.roomId, roomIds));
  return new Map(rows.map(({ roomId, lastSeq }) => [roomId, lastSeq]));
}
