import { and, eq, inArray, isNotNull, type SQL, sql } from "drizzle-orm";
import type { Executor, Tx } from "#db/client";
import type { Quotes } from "../core/message.ts";
import type { InvalidInput } from "../core/refusals.ts";
import type { Quote } from "../core/responses.ts";
import { type MessageRow, membersTable, messagesTable } from "../core/schema.ts";
import { inRoomCondition } from "../messages/conversation-span.ts";
import type { NewMessage } from "../messages/message-store.ts";
import { lastUnsharedSeq } from "../messages/shared-text.ts";

/** The most characters of a quoted message; a bubble shows two lines of it. */
const maxQuoteLength = 160;

const noQuotes: Quotes = new Map();

/** The message to reply to is not in the room, earlier than the sender may read, or one of Midman's. */
export const replyRefused: InvalidInput = {
  ok: false,
  code: "VALIDATION",
  fields: { replyTo: ["validation.replyTo"] },
};

/** The messages of a room that a member may read: those after they joined. Nothing, for an outsider. */
export const aboveSinceSeq = (roomId: number, userId: number): SQL =>
  sql`${messagesTable.seq} > (SELECT ${membersTable.sinceSeq} FROM ${membersTable}
    WHERE ${and(eq(membersTable.roomId, roomId), eq(membersTable.userId, userId))})`;

/**
 * The members' messages that these messages of one room reply to, as far as `visible` allows: a reader never receives a quote of what is
 * earlier than their joining.
 */
export async function findQuotes(
  exec: Executor,
  roomId: number,
  rows: readonly Pick<MessageRow, "replyTo">[],
  visible: SQL | undefined,
): Promise<Quotes> {
  const asked = [...new Set(rows.flatMap(({ replyTo }) => replyTo ?? []))];
  if (asked.length === 0) return noQuotes;
  const found = await exec
    .select()
    .from(messagesTable)
    .where(
      and(
        inRoomCondition(roomId),
        inArray(messagesTable.seq, asked),
        isNotNull(messagesTable.senderId),
        visible,
      ),
    );
  return new Map(found.map((row) => [row.seq, quoteOf(row)]));
}

/**
 * The quote of a new reply; empty for a message that replies to none, and for an outsider, whom `storeMessage` refuses. Undefined if the
 * sender may not reply to that message.
 */
export async function findReplyQuote(
  exec: Executor,
  said: Pick<NewMessage, "roomId" | "senderId" | "replyTo">,
): Promise<Quotes | undefined> {
  const { roomId, senderId, replyTo } = said;
  if (replyTo === undefined) return noQuotes;
  const quotes = await findQuotes(exec, roomId, [{ replyTo }], aboveSinceSeq(roomId, senderId));
  if (quotes.size > 0) return quotes;
  const seat = await exec
    .select({ userId: membersTable.userId })
    .from(membersTable)
    .where(and(eq(membersTable.roomId, roomId), eq(membersTable.userId, senderId)));
  return seat.length === 0 ? noQuotes : undefined;
}

/**
 * Those quotes that every member of the room may see: a frame is the same for all of them. The caller holds the room's counter, so nobody
 * joins before the frame is sent.
 */
export async function selectSharedQuotes(tx: Tx, roomId: number, quotes: Quotes): Promise<Quotes> {
  const [seq] = quotes.keys();
  if (seq === undefined) return quotes;
  const [row] = await tx.execute<{ shared: boolean }>(
    sql`SELECT ${seq}::bigint > ${lastUnsharedSeq(roomId)} AS shared`,
  );
  return row?.shared ? quotes : noQuotes;
}

function quoteOf({ seq, senderId, type, content }: MessageRow): Quote {
  // By code points: half a character would come back as another one.
  const text = [...(content ?? "")].slice(0, maxQuoteLength).join("");
  return { seq, senderId: senderId ?? 0, type: type === "image" ? "image" : "text", content: text };
}
