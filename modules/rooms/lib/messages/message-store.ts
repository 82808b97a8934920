import { randomBytes } from "node:crypto";
import { and, eq, sql } from "drizzle-orm";
import type { Executor, Tx } from "#db/client";
import { counters, type MessageRow, members, messages, rooms } from "../core/schema.ts";
import { noteActivity } from "../privacy/room-activity.ts";
import { saidInRoom, span } from "./conversation-span.ts";

/** What a member says: a text, or a picture with its caption. */
export type NewMessage = {
  roomId: number;
  senderId: number;
  clientId: string;
  content: string;
  at: Date;
  image?: { url: string; width: number; height: number };
};

/** A stored message with the digest that its sender's entry in the log must hold (`data.digest`). */
export type StoredMessage = MessageRow & { salt: Buffer; digest: string };

/** A subquery and no join, or the lock would be the room's too. */
const roomBegan =
  sql`(SELECT ${rooms.createdAt} FROM ${rooms} WHERE ${rooms.id} = ${counters.roomId})`.mapWith(
    rooms.createdAt,
  );

/**
 * Takes the next `seq` and inserts, or does nothing: for an outsider, and for an id that was used before.
 * The counter is locked by a statement of its own, so that the one after it sees whatever the lock waited for: a
 * member who has just left, or the first try of this very message.
 */
export async function storeMessage(tx: Tx, said: NewMessage): Promise<StoredMessage | undefined> {
  const { roomId, senderId, clientId, content, at, image } = said;
  const time = at.toISOString();
  const type = image === undefined ? "text" : "image";
  const picture = { url: image?.url ?? null, width: image?.width ?? null, height: image?.height ?? null };
  const [held] = await tx
    .select({ counter: counters, createdAt: roomBegan })
    .from(counters)
    .where(eq(counters.roomId, roomId))
    .for("update");
  if (held === undefined) return undefined;
  const { from, to } = span({ createdAt: held.createdAt, activeAt: held.counter.activeAt });
  const salt = randomBytes(16);
  const [row] = await tx.execute<{ id: string; seq: string; digest: string }>(sql`
    WITH bump AS (
      UPDATE ${counters} SET last_seq = last_seq + 1
      WHERE room_id = ${roomId}
        AND EXISTS (SELECT 1 FROM ${members} m WHERE m.room_id = ${roomId} AND m.user_id = ${senderId})
        AND EXISTS (SELECT 1 FROM ${rooms} r WHERE r.id = ${roomId} AND r.deleted_at IS NULL)
        AND NOT EXISTS (SELECT 1 FROM ${messages} s WHERE s.room_id = ${roomId} AND s.client_id = ${clientId}::uuid
          AND s.created_at BETWEEN ${from.toISOString()}::timestamptz AND ${to.toISOString()}::timestamptz)
      RETURNING last_seq
    )
    INSERT INTO ${messages} AS m
      (room_id, seq, sender_id, client_id, type, content, image_url, image_width, image_height, created_at, salt)
    SELECT ${roomId}, last_seq, ${senderId}, ${clientId}::uuid, ${type}, ${content},
      ${picture.url}, ${picture.width}::int, ${picture.height}::int, ${time}::timestamptz,
      decode(${salt.toString("hex")}, 'hex') FROM bump
    RETURNING m.id, m.seq, rooms.message_digest(m) AS digest`);
  if (row === undefined) return undefined;
  await noteActivity(tx, held.counter, at);
  return {
    id: Number(row.id),
    roomId,
    seq: Number(row.seq),
    senderId,
    clientId,
    type,
    content,
    code: null,
    params: null,
    imageUrl: picture.url,
    imageWidth: picture.width,
    imageHeight: picture.height,
    createdAt: at,
    salt,
    digest: row.digest,
  };
}

/** The message that stands under a client id already; undefined where there is none, and for outsiders. */
export async function findMessageByClientId(
  exec: Executor,
  { roomId, senderId, clientId }: Pick<NewMessage, "roomId" | "senderId" | "clientId">,
): Promise<MessageRow | undefined> {
  const [first] = await exec
    .select({ message: messages })
    .from(messages)
    .innerJoin(members, and(eq(members.roomId, messages.roomId), eq(members.userId, senderId)))
    .innerJoin(rooms, and(eq(rooms.id, messages.roomId), sql`${rooms.deletedAt} IS NULL`))
    .where(and(saidInRoom(roomId), eq(messages.clientId, clientId)));
  return first?.message;
}
