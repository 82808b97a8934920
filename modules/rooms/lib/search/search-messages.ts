import { and, desc, eq, isNotNull, isNull, sql } from "drizzle-orm";
import { db } from "#db/client";
import { currentTime } from "#db/clock";
import type { ThrottleRefusal } from "#db/throttle/throttle-attempts";
import { createTokenBucket } from "#db/throttle/token-bucket";
import { type Actor, type NotSignedIn, requireUser } from "#modules/identity";
import { messageSearchInput } from "../../forms.ts";
import { type InvalidInput, type RoomNotFound, refuseInvalidInput, roomNotFound } from "../core/refusals.ts";
import { membersTable, messagesTable, roomsTable } from "../core/schema.ts";
import { inRoomCondition } from "../messages/conversation-span.ts";

/** A burst of ten searches, then one every three seconds: each reads every message of a room. */
const searchBucket = createTokenBucket(10, 20);

/** Results of one search; older ones are found with more words. */
const maxResults = 50;

/** Characters shown on each side of the first words that match. */
const excerptMargin = 60;

// The database's own lower case depends on the machine's locale, so the letters are listed. Ё counts as е; ө and ү stay letters of their own.
const capitals = "ABCDEFGHIJKLMNOPQRSTUVWXYZАБВГДЕЁЖЗИЙКЛМНОӨПРСТУҮФХЦЧШЩЪЫЬЭЮЯё";
const smallLetters = "abcdefghijklmnopqrstuvwxyzабвгдеежзийклмноөпрстуүфхцчшщъыьэюяе";

/** A message that was found: `excerpt` is its text around the words. */
export type FoundMessage = { seq: number; senderId: number; createdAt: string; excerpt: string };

type SearchOutcome =
  | { ok: true; messages: FoundMessage[] }
  | NotSignedIn
  | InvalidInput
  | RoomNotFound
  | ThrottleRefusal;

/**
 * The members' messages of a room that contain these words, in any case, latest first, at most fifty; only those that the reader may see.
 * Refuses VALIDATION, CHAT_ROOM_NOT_FOUND for outsiders, and THROTTLED.
 */
export async function searchMessages(actor: Actor, roomId: number, input: unknown): Promise<SearchOutcome> {
  const user = requireUser(actor);
  if (!user.ok) return user;
  const parsed = messageSearchInput.safeParse(input);
  if (!parsed.success) return refuseInvalidInput(parsed.error);
  const { userId } = user.member;
  const [seat] = await db()
    .select({ sinceSeq: membersTable.sinceSeq })
    .from(membersTable)
    .innerJoin(roomsTable, and(eq(roomsTable.id, membersTable.roomId), isNull(roomsTable.deletedAt)))
    .where(and(eq(membersTable.roomId, roomId), eq(membersTable.userId, userId)));
  if (seat === undefined) return roomNotFound;
  const wait = searchBucket.take(userId, currentTime());
  if (wait > 0) return { ok: false, code: "THROTTLED", retryAfterSeconds: wait };
  const words = smallLettersOf(parsed.data.q);
  const rows = await db()
    .select()
    .from(messagesTable)
    .where(
      and(
        inRoomCondition(roomId),
        isNotNull(messagesTable.senderId),
        sql`${messagesTable.seq} > ${seat.sinceSeq}`,
        sql`${messagesTable.content} ~ ${patternOf(words)}`,
      ),
    )
    .orderBy(desc(messagesTable.seq))
    .limit(maxResults);
  return {
    ok: true,
    messages: rows.map(({ seq, senderId, createdAt, content }) => ({
      seq,
      senderId: senderId ?? 0,
      createdAt: createdAt.toISOString(),
      excerpt: excerptAround(content ?? "", words),
    })),
  };
}

/**
 * A pattern that finds these words in any case: one class of letters for each letter, and nothing that repeats, so its cost is linear. It
 * reads 20,000 messages in about 0.1 s, where mapping the letters of every message took over a second.
 */
function patternOf(words: string): string {
  return [...words].map(classOf).join("");
}

function classOf(letter: string): string {
  const forms = [...capitals].filter((_, at) => smallLetters[at] === letter);
  if (forms.length > 0) return `[${letter}${forms.join("")}]`;
  return /[\p{L}\p{N}\s]/u.test(letter) ? letter : `\\${letter}`;
}

/** Letter by letter, so that places in the result are places in the text. */
function smallLettersOf(text: string): string {
  return [...text].map((letter) => smallLetters[capitals.indexOf(letter)] ?? letter).join("");
}

function excerptAround(text: string, words: string): string {
  const at = smallLettersOf(text).indexOf(words);
  const from = at > excerptMargin ? at - excerptMargin : 0;
  const to = at + words.length + excerptMargin;
  // Half a character at an edge would be shown as another one.
  const cut = text.slice(from, to).replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, "");
  return `${from > 0 ? "…" : ""}${cut}${to < text.length ? "…" : ""}`;
}
