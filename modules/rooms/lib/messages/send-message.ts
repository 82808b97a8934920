import { runInTransaction, type Tx } from "#db/client";
import { currentTime } from "#db/clock";
import type { ThrottleRefusal } from "#db/throttle/throttle-attempts";
import { createTokenBucket } from "#db/throttle/token-bucket";
import { recordAuditEntry } from "#modules/audit";
import { type Actor, auditAuthorOf, type NotSignedIn, requireUser } from "#modules/identity";
import { sendMessageInput } from "../../forms.ts";
import { broadcastMessage } from "../core/broadcast.ts";
import { messageOf, type Quotes } from "../core/message.ts";
import { type InvalidInput, type RoomNotFound, refuseInvalidInput, roomNotFound } from "../core/refusals.ts";
import type { Message } from "../core/responses.ts";
import { findReplyQuote, replyRefused, selectSharedQuotes } from "../replies/quotes.ts";
import { unwrapContent } from "./message-content.ts";
import { findMessageByClientId, isSentAgain, type NewMessage, storeMessage } from "./message-store.ts";

/** A burst of sixty messages, then six a second: more than a person types, less than a flood. */
const messageBucket = createTokenBucket(60, 10);

export type SentMessage = { ok: true; message: Message };
type ClientIdReused = { ok: false; code: "CLIENT_ID_REUSED" };
type SendMessageOutcome =
  | SentMessage
  | NotSignedIn
  | InvalidInput
  | ThrottleRefusal
  | RoomNotFound
  | ClientIdReused;

/**
 * Sends a text message to a room, alone or as a reply to a member's message that the sender may see. Safe to repeat: with the same
 * `clientId`, content and `replyTo` it returns the first message. Refuses VALIDATION, CHAT_ROOM_NOT_FOUND for outsiders, THROTTLED, and
 * CLIENT_ID_REUSED if the id belongs to another message. Checks `input` itself, whichever route it came through.
 */
export async function sendMessage(actor: Actor, roomId: number, input: unknown): Promise<SendMessageOutcome> {
  const user = requireUser(actor);
  if (!user.ok) return user;
  const parsed = sendMessageInput.safeParse(input);
  if (!parsed.success) return refuseInvalidInput(parsed.error);
  // Content inside JSON follows the same rules as plain text.
  const inner = sendMessageInput
    .pick({ content: true })
    .safeParse({ content: unwrapContent(parsed.data.content) });
  if (!inner.success) return refuseInvalidInput(inner.error);
  const at = currentTime();
  const wait = messageBucket.take(user.member.userId, at);
  if (wait > 0) return { ok: false, code: "THROTTLED", retryAfterSeconds: wait };
  const clientId = parsed.data.clientId ?? crypto.randomUUID();
  const { replyTo } = parsed.data;
  const said = {
    ...{ roomId, senderId: user.member.userId, clientId, content: inner.data.content, at },
    ...(replyTo !== undefined && { replyTo }),
  };
  return runInTransaction(async (tx) => {
    const quotes = await findReplyQuote(tx, said);
    if (quotes === undefined) return replyRefused;
    const stored = await storeMessage(tx, said);
    if (stored === undefined) return resolveUnstoredMessage(tx, said, quotes);
    await recordAuditEntry(tx, {
      by: auditAuthorOf(actor),
      action: "message_sent",
      at,
      roomId,
      subject: { kind: "message", id: stored.id },
      data: { messageType: stored.type, messageId: stored.id, seq: stored.seq, digest: stored.digest },
    });
    broadcastMessage(tx, stored, { quotes: await selectSharedQuotes(tx, roomId, quotes) });
    return { ok: true, message: messageOf(stored, actor.language, undefined, quotes) };
  });
}

/** Why nothing was stored: the same message exists already, its id belongs to another one, or there is no such room. */
async function resolveUnstoredMessage(
  tx: Tx,
  said: NewMessage,
  quotes: Quotes,
): Promise<SentMessage | RoomNotFound | ClientIdReused> {
  const first = await findMessageByClientId(tx, said);
  if (first === undefined) return roomNotFound;
  if (first.type !== "text" || !isSentAgain(first, said)) return { ok: false, code: "CLIENT_ID_REUSED" };
  return { ok: true, message: messageOf(first, "en", undefined, quotes) };
}
