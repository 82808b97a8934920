import { and, eq, sql } from "drizzle-orm";
import { type Tx, transaction } from "#db/client";
import { now } from "#db/clock";
import { record } from "#modules/audit";
import { type Actor, by, requireUser } from "#modules/identity";
import { sendMessageInput } from "../forms.ts";
import { bucket } from "./bucket.ts";
import { spoken } from "./content.ts";
import { broadcastMessage } from "./frames.ts";
import { type Message, messageOf } from "./message.ts";
import { invalid, noRoom } from "./refusals.ts";
import { counters, type MessageRow, members, messages, rooms } from "./schema.ts";

/** Sixty messages at once, six a second for ever: more than a person types, less than a flood. */
const pace = bucket(60, 10);

/**
 * Says something in a room. Safe to repeat: with the same `clientId` and content the first message is answered again.
 * Refuses VALIDATION, CHAT_ROOM_NOT_FOUND to outsiders, THROTTLED, and CLIENT_ID_REUSED when the id stands for
 * another message. `input` is checked here, whichever door it came through.
 */
export async function sendMessage(actor: Actor, roomId: number, input: unknown) {
  const user = requireUser(actor);
  if (!user.ok) return user;
  const parsed = sendMessageInput.safeParse(input);
  if (!parsed.success) return invalid(parsed.error);
  // What was wrapped in JSON keeps the rules of what was not.
  const inner = sendMessageInput.shape.content.safeParse(spoken(parsed.data.content));
  if (!inner.success) return invalid(inner.error);
  const at = now();
  const wait = pace.take(user.member.userId, at);
  if (wait > 0) return { ok: false, code: "THROTTLED", retryAfterSeconds: wait } as const;
  const clientId = parsed.data.clientId ?? crypto.randomUUID();
  const said = { roomId, senderId: user.member.userId, clientId, content: inner.data, at };
  return transaction(async (tx) => {
    const stored = await store(tx, said);
    if (stored === undefined) return settled(tx, said);
    await record(tx, {
      by: by(actor),
      action: "message_sent",
      at,
      roomId,
      subject: { kind: "message", id: stored.id },
      data: { messageType: stored.type, messageId: stored.id, seq: stored.seq },
    });
    broadcastMessage(tx, stored);
    return { ok: true, message: messageOf(stored, actor.language) } as const;
  });
}

type Said = { roomId: number; senderId: number; clientId: string; content: string; at: Date };

/**
 * Takes the next `seq` and inserts, or does nothing: for an outsider, and for an id that was used before.
 * The counter is locked by a statement of its own, so that the one after it sees whatever the lock waited for: a
 * member who has just left, or the first try of this very message.
 */
async function store(tx: Tx, said: Said): Promise<MessageRow | undefined> {
  const { roomId, senderId, clientId, content, at } = said;
  const time = at.toISOString();
  await tx.select({ one: sql`1` }).from(counters).where(eq(counters.roomId, roomId)).for("update");
  const [row] = await tx.execute<{ id: string; seq: string }>(sql`
    WITH bump AS (
      UPDATE ${counters} SET last_seq = last_seq + 1
      WHERE room_id = ${roomId}
        AND EXISTS (SELECT 1 FROM ${members} m WHERE m.room_id = ${roomId} AND m.user_id = ${senderId})
        AND EXISTS (SELECT 1 FROM ${rooms} r WHERE r.id = ${roomId} AND r.deleted_at IS NULL)
        AND NOT EXISTS (SELECT 1 FROM ${messages} s WHERE s.room_id = ${roomId} AND s.client_id = ${clientId}::uuid)
      RETURNING last_seq
    )
    INSERT INTO ${messages} (room_id, seq, sender_id, client_id, type, content, created_at)
    SELECT ${roomId}, last_seq, ${senderId}, ${clientId}::uuid, 'text', ${content}, ${time}::timestamptz FROM bump
    RETURNING id, seq`);
  if (row === undefined) return undefined;
  const words = { type: "text" as const, content, code: null, params: null, imageUrl: null };
  return { id: Number(row.id), roomId, seq: Number(row.seq), senderId, clientId, ...words, createdAt: at };
}

/** Why nothing was stored: the same message stands already, its id stands for another one, or there is no such room. */
async function settled(
  tx: Tx,
  said: Said,
): Promise<{ ok: true; message: Message } | typeof noRoom | { ok: false; code: "CLIENT_ID_REUSED" }> {
  const { roomId, senderId, clientId, content } = said;
  const [first] = await tx
    .select({ message: messages })
    .from(messages)
    .innerJoin(members, and(eq(members.roomId, messages.roomId), eq(members.userId, senderId)))
    .innerJoin(rooms, and(eq(rooms.id, messages.roomId), sql`${rooms.deletedAt} IS NULL`))
    .where(and(eq(messages.roomId, roomId), eq(messages.clientId, clientId)));
  if (first === undefined) return noRoom;
  const { message } = first;
  if (message.senderId !== senderId || message.content !== content)
    return { ok: false, code: "CLIENT_ID_REUSED" };
  return { ok: true, message: messageOf(message, "en") };
}
