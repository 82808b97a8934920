import { lte, or, sql } from "drizzle-orm";
import { z } from "zod";
import { db, runInTransaction, type Tx } from "#db/client";
import { currentTime } from "#db/clock";
import { defineJob, type Job } from "#db/jobs";
import { findPeople, type Person, quietUntil } from "#modules/identity";
import { type Mail, queuePush, sendMail } from "#modules/mailer";
import { messagesTable } from "../core/schema.ts";
import { findMembership } from "../membership/membership.ts";
import { inRoomCondition } from "../messages/conversation-span.ts";
import { isReaderInRoom } from "./is-in-room.ts";
import { unreadNoticesTable } from "./schema.ts";

/** How long (ms) a message may stay unread before its reader is notified. */
export const unreadDelayMs = 5 * 60_000;
/** A reader is notified once until they have read; if they do not, again after this time (ms). */
const repeatAfterMs = 24 * 3_600_000;
/** Unread messages are counted up to this. */
const MOST = 100;

const unreadSchema = z.object({ roomId: z.int(), userId: z.int() });
const unreadJob: Job<z.infer<typeof unreadSchema>> = defineJob(
  "rooms.unread",
  unreadSchema,
  ({ roomId, userId }) => notifyUnread(roomId, userId, currentTime()),
);

/** Queues a notification of a reader's unread messages in a room, for now or for a later time. */
export function queueUnreadNotice(tx: Tx, roomId: number, userId: number, startAfter?: Date): Promise<void> {
  const key = `${roomId}:${userId}`;
  return unreadJob.enqueue(tx, { roomId, userId }, startAfter === undefined ? { key } : { key, startAfter });
}

type UnreadSummary = { room: string; count: number; lastSeq: number; readSeq: number };

/**
 * Notifies a reader of the number of unread messages in a room: by push, or by mail if no device accepts it. Contains nothing of their
 * text. Not while the reader is in the room, not in their quiet hours (it waits for their end and checks again), and not twice before they
 * have read.
 */
async function notifyUnread(roomId: number, userId: number, at: Date): Promise<void> {
  const unread = await unreadOf(roomId, userId, at);
  const reader = (await findPeople(db(), [userId])).get(userId);
  if (unread === undefined || reader === undefined || reader.deleted) return;
  const quiet = quietUntil(reader.notificationPreferences, at);
  const later =
    quiet > at
      ? quiet
      : (await isReaderInRoom(roomId, userId))
        ? new Date(at.getTime() + unreadDelayMs)
        : undefined;
  await runInTransaction(async (tx) => {
    if (later !== undefined) return queueUnreadNotice(tx, roomId, userId, later);
    if (await claimUnreadNotice(tx, roomId, userId, unread, at))
      await sendUnreadNotice(tx, roomId, reader, unread);
  });
}

/** Unread messages of others; undefined if there are none, or none old enough. */
async function unreadOf(roomId: number, userId: number, at: Date): Promise<UnreadSummary | undefined> {
  const seat = await findMembership(db(), roomId, userId);
  if (seat === undefined || seat.member.hiddenAt !== null) return undefined;
  const { readSeq } = seat.member;
  const [row] = await db().execute<{ count: string; last: string | null; first_at: Date | string }>(sql`
    SELECT count(*) AS count, max(seq) AS last, min(created_at) AS first_at FROM (
      SELECT seq, created_at FROM ${messagesTable}
      WHERE ${inRoomCondition(roomId)} AND seq > ${readSeq} AND sender_id IS NOT NULL AND sender_id <> ${userId}
      ORDER BY seq LIMIT ${MOST}
    ) unread`);
  if (row === undefined || row.last === null) return undefined;
  if (new Date(row.first_at).getTime() > at.getTime() - unreadDelayMs) return undefined;
  return { room: seat.room.name, count: Number(row.count), lastSeq: Number(row.last), readSeq };
}

/** Records the notification; false if one was sent already and the reader has not read since. Of two at once, one succeeds. */
async function claimUnreadNotice(
  tx: Tx,
  roomId: number,
  userId: number,
  { lastSeq, readSeq }: UnreadSummary,
  at: Date,
): Promise<boolean> {
  const told = { seq: lastSeq, toldAt: at };
  const claimed = await tx
    .insert(unreadNoticesTable)
    .values({ roomId, userId, ...told })
    .onConflictDoUpdate({
      target: [unreadNoticesTable.roomId, unreadNoticesTable.userId],
      set: told,
      setWhere: or(
        lte(unreadNoticesTable.seq, readSeq),
        lte(unreadNoticesTable.toldAt, new Date(at.getTime() - repeatAfterMs)),
      ),
    })
    .returning({ roomId: unreadNoticesTable.roomId });
  return claimed.length > 0;
}

async function sendUnreadNotice(
  tx: Tx,
  roomId: number,
  reader: Person,
  { count }: UnreadSummary,
): Promise<void> {
  const url = `/chat/${roomId}`;
  const { pushMessages, mailMessages } = reader.notificationPreferences;
  const mail: Mail | undefined =
    reader.email === null || !mailMessages
      ? undefined
      : {
          ...{ template: "unreadMessages", to: reader.email, language: reader.language, userId: reader.id },
          data: { name: reader.greetedAs, room: "", unread: count, url },
        };
  if (pushMessages) {
    const about = { event: "unreadMessages", params: { room: "", unread: count } } as const;
    await queuePush(tx, { ...about, userId: reader.id, url, ...(mail && { otherwise: mail }) });
  } else if (mail !== undefined) await sendMail(tx, mail);
}
