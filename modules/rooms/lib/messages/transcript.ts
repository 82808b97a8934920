import { and, desc, lt } from "drizzle-orm";
import type { Executor } from "#db/client";
import type { Language } from "#locales";
import { messageOf } from "../core/message.ts";
import { findNoticeNames } from "../core/notice-names.ts";
import type { Message } from "../core/responses.ts";
import { messagesTable } from "../core/schema.ts";
import { findQuotes } from "../replies/quotes.ts";
import { inRoomCondition } from "./conversation-span.ts";
import { sharedMessageCondition } from "./shared-text.ts";

/**
 * A page of the messages that both members of a room can see, oldest first: the latest, or those before a `seq`; also of a room they have
 * left or deleted, while it is kept. Does not check the reader's right: callers do, and record the access.
 */
export async function readTranscriptPage(
  exec: Executor,
  roomId: number,
  page: { before?: number | undefined; limit: number; language: Language },
): Promise<Message[]> {
  const rows = await exec
    .select()
    .from(messagesTable)
    .where(
      and(
        inRoomCondition(roomId),
        sharedMessageCondition(roomId),
        page.before === undefined ? undefined : lt(messagesTable.seq, page.before),
      ),
    )
    .orderBy(desc(messagesTable.seq))
    .limit(page.limit);
  rows.reverse();
  const names = await findNoticeNames(exec, rows);
  const quotes = await findQuotes(exec, roomId, rows, sharedMessageCondition(roomId));
  return rows.map((row) => messageOf(row, page.language, names, quotes));
}
