import { and, eq, inArray, isNull } from "drizzle-orm";
import { db } from "#db/client";
import { findLiveSessions, isSessionLive } from "#modules/identity";
import { countersTable, membersTable, roomsTable } from "../core/schema.ts";
import { closeCodes } from "./close-codes.ts";

/** The user, session and room of a socket. */
export type SocketSeat = { roomId: number; userId: number; sessionId: number };

export type SocketAuthorization = { ok: true; lastSeq: number } | { ok: false; code: number };

/** Whether a socket is still authorised, read from Postgres now; returns the room's last `seq`, or the close code. */
export async function authorizeSocket(
  { roomId, userId, sessionId }: SocketSeat,
  now: Date,
): Promise<SocketAuthorization> {
  const [holds, [seat]] = await Promise.all([
    isSessionLive(sessionId, now),
    db()
      .select({ lastSeq: countersTable.lastSeq })
      .from(membersTable)
      .innerJoin(roomsTable, and(eq(roomsTable.id, membersTable.roomId), isNull(roomsTable.deletedAt)))
      .innerJoin(countersTable, eq(countersTable.roomId, membersTable.roomId))
      .where(and(eq(membersTable.roomId, roomId), eq(membersTable.userId, userId))),
  ]);
  if (!holds) return { ok: false, code: closeCodes.noSession };
  return seat === undefined
    ? { ok: false, code: closeCodes.notAMember }
    : { ok: true, lastSeq: seat.lastSeq };
}

/** The same for many sockets that only listen, in three queries: the close code of each that is no longer authorised. */
export async function authorizeSockets<T extends SocketSeat>(
  sockets: readonly T[],
  now: Date,
): Promise<Map<T, number>> {
  const roomIds = [...new Set(sockets.map(({ roomId }) => roomId))];
  if (roomIds.length === 0) return new Map();
  const [holding, seated] = await Promise.all([
    findLiveSessions(
      sockets.map(({ sessionId }) => sessionId),
      now,
    ),
    db()
      .select({ roomId: membersTable.roomId, userId: membersTable.userId })
      .from(membersTable)
      .innerJoin(roomsTable, and(eq(roomsTable.id, membersTable.roomId), isNull(roomsTable.deletedAt)))
      .where(inArray(membersTable.roomId, roomIds)),
  ]);
  const seats = new Set(seated.map(({ roomId, userId }) => `${roomId}:${userId}`));
  const over = new Map<T, number>();
  for (const socket of sockets) {
    if (!holding.has(socket.sessionId)) over.set(socket, closeCodes.noSession);
    else if (!seats.has(`${socket.roomId}:${socket.userId}`)) over.set(socket, closeCodes.notAMember);
  }
  return over;
}

/** The last `seq` of each room. */
export async function lastSeqs(roomIds: number[]): Promise<Map<number, number>> {
  if (roomIds.length === 0) return new Map();
  const rows = await db().select().from(countersTable).where(inArray(countersTable.roomId, roomIds));
  return new Map(rows.map(({ roomId, lastSeq }) => [roomId, lastSeq]));
}
