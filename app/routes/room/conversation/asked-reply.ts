import type { Member } from "#modules/identity";
import { readHistory } from "#modules/rooms";
import { quoteOf } from "../../../islands/room/actions/quote.ts";
import type { Quote } from "../../../islands/room/types.ts";

/** The message that an address asks to reply to (`?reply=`); null for one that the member may not see or reply to. */
export async function readAskedReply(
  member: Member,
  roomId: number,
  seq: number | undefined,
): Promise<Quote | null> {
  if (seq === undefined) return null;
  const read = await readHistory(member, roomId, { after: seq - 1, limit: 1 });
  const message = read.ok ? read.messages[0] : undefined;
  return message?.seq === seq ? (quoteOf(message) ?? null) : null;
}
