import { and, desc, lt } from "drizzle-orm";
import type { Executor } from "#db/client";
import type { Language } from "#locales";
import { type Message, messageOf } from "../core/message.ts";
import { findNoticeNames } from "../core/notice-names.ts";
import { messagesTable } from "../core/schema.ts";
import { inRoomCondition } from "./conversation-span.ts";
import { sharedMessageCondition } from "./shared-text.ts";

/**
 * A page of what was said to both in a room, the latest or what stands before a `seq`, the oldest first; also of a room that
 * its members have left or deleted, as far as it is kept. It asks nobody who is reading: its callers do, and record it.
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
  return rows.map((row) => messageOf(row, page.language, names));
}
