import { and, desc, lt } from "drizzle-orm";
import type { Executor } from "#db/client";
import type { Language } from "#locales";
import { type Message, messageOf } from "../core/message.ts";
import { namesIn } from "../core/notice-names.ts";
import { messages } from "../core/schema.ts";
import { saidInRoom } from "./conversation-span.ts";
import { saidToBoth } from "./shared-text.ts";

/**
 * A page of what was said to both in a room, the latest or what stands before a `seq`, the oldest first; also of a room that
 * its members have left or deleted, as far as it is kept. It asks nobody who is reading: its callers do, and record it.
 */
export async function transcript(
  exec: Executor,
  roomId: number,
  page: { before?: number | undefined; limit: number; language: Language },
): Promise<Message[]> {
  const rows = await exec
    .select()
    .from(messages)
    .where(
      and(
        saidInRoom(roomId),
        saidToBoth(roomId),
        page.before === undefined ? undefined : lt(messages.seq, page.before),
      ),
    )
    .orderBy(desc(messages.seq))
    .limit(page.limit);
  rows.reverse();
  const names = await namesIn(exec, rows);
  return rows.map((row) => messageOf(row, page.language, names));
}
