import { randomBytes } from "node:crypto";
import { and, eq, sql } from "drizzle-orm";
import type { Executor, Tx } from "#db/client";
import { countersTable, type MessageRow, membersTable, messagesTable, roomsTable } from "../core/schema.ts";
import { noteActivity } from "../privacy/room-activity.ts";
import { conversationSpan, inRoomCondition } from "./conversation-span.ts";

/** A member's message: a text, or a picture with its caption. */
export type NewMessage = {
  roomId: number;
  senderId: number;
  clientId: string;
  content: string;
  at: Date;
  /** The `seq` of the message that it replies to; the caller has checked it. */
  replyTo?: number;
  image?: { url: string; width: number; height: number };
};

/** A stored message with the digest that its log entry must contain (`data.digest`). */
export type StoredMessage = MessageRow & { salt: Buffer; digest: string };

/** A subquery, not a join: `FOR UPDATE` on a join would also lock the room row. */
const roomCreatedAtQuery =
  sql`(SELECT ${roomsTable.createdAt} FROM ${roomsTable} WHERE ${roomsTable.id} = ${countersTable.roomId})`.mapWith(
    roomsTable.createdAt,
  );

/**
 * Takes the next `seq` and inserts the message. Does nothing for an outsider, or if the client id was used before. The counter is locked by
 * a separate statement, so that the next one sees what the lock waited for: a member who has just left, or the first attempt at this same
 * message.
 */
export async function storeMessage(tx: Tx, said: NewMessage): Promise<StoredMessage | undefined> {
  const { roomId, senderId, clientId, content, at, image, replyTo = null } = said;
  const time = at.toISOString();
  const type = image === undefined ? "text" : "image";
  const picture = { url: image?.url ?? null, width: image?.width ?? null, height: image?.height ?? null };
  const [held] = await tx
    .select({ counter: countersTable, createdAt: roomCreatedAtQuery })
    .from(countersTable)
    .where(eq(countersTable.roomId, roomId))
    .for("update");
  if (held === undefined) return undefined;
  const { from, to } = conversationSpan({ createdAt: held.createdAt, activeAt: held.counter.activeAt });
  const salt = randomBytes(16);
  const [row] = await tx.execute<{ id: string; seq: string; digest: string }>(sql`
    WITH bump AS (
      UPDATE ${countersTable} SET last_seq = last_seq + 1
      WHERE room_id = ${roomId}
        AND EXISTS (SELECT 1 FROM ${membersTable} m WHERE m.room_id = ${roomId} AND m.user_id = ${senderId})
        AND EXISTS (SELECT 1 FROM ${roomsTable} r WHERE r.id = ${roomId} AND r.deleted_at IS NULL)
        AND NOT EXISTS (SELECT 1 FROM ${messagesTable} s WHERE s.room_id = ${roomId} AND s.client_id = ${clientId}::uuid
          AND s.created_at BETWEEN ${from.toISOString()}::timestamptz AND ${to.toISOString()}::timestamptz)
      RETURNING last_seq
    )
    INSERT INTO ${messagesTable} AS m
      (room_id, seq, sender_id, client_id, type, content, image_url, image_width, image_height, reply_to, created_at, salt)
    SELECT ${roomId}, last_seq, ${senderId}, ${clientId}::uuid, ${type}, ${content},
      ${picture.url}, ${picture.width}::int, ${picture.height}::int, ${replyTo}::bigint, ${time}::timestamptz,
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
    replyTo,
    createdAt: at,
    salt,
    digest: row.digest,
  };
}

/** The message already stored with a client id; undefined if there is none, and for outsiders. */
export async function findMessageByClientId(
  exec: Executor,
  { roomId, senderId, clientId }: Pick<NewMessage, "roomId" | "senderId" | "clientId">,
): Promise<MessageRow | undefined> {
  const [first] = await exec
    .select({ message: messagesTable })
    .from(messagesTable)
    .innerJoin(
      membersTable,
      and(eq(membersTable.roomId, messagesTable.roomId), eq(membersTable.userId, senderId)),
    )
    .innerJoin(roomsTable, and(eq(roomsTable.id, messagesTable.roomId), sql`${roomsTable.deletedAt} IS NULL`))
    .where(and(inRoomCondition(roomId), eq(messagesTable.clientId, clientId)));
  return first?.message;
}

/** Whether a stored message has the sender, the words and the reply of one that arrives under its client id. */
export function isSentAgain(first: MessageRow, said: NewMessage): boolean {
  return (
    first.senderId === said.senderId &&
    first.content === said.content &&
    first.replyTo === (said.replyTo ?? null)
  );
}
