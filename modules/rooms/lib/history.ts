import { and, asc, desc, eq, gt, isNull, lt } from "drizzle-orm";
import { db } from "#db/client";
import { type Actor, requireUser } from "#modules/identity";
import { historyInput } from "../forms.ts";
import { messageOf } from "./message.ts";
import { namesIn } from "./names.ts";
import { invalid, noRoom } from "./refusals.ts";
import { members, messages, rooms } from "./schema.ts";

/**
 * A page of a room's messages in the order of `seq`: those after one, those before one, or else the latest; each in
 * the reader's language. `kept` also reads a room that was deleted after its trade, for the trade's own page.
 * Refuses VALIDATION, and CHAT_ROOM_NOT_FOUND to outsiders.
 */
export async function history(
  actor: Actor,
  roomId: number,
  page: unknown = {},
  options: { kept?: boolean } = {},
) {
  const user = requireUser(actor);
  if (!user.ok) return user;
  const parsed = historyInput.safeParse(page);
  if (!parsed.success) return invalid(parsed.error);
  const { after, before, limit } = parsed.data;
  const [seat] = await db()
    .select({ sinceSeq: members.sinceSeq })
    .from(members)
    .innerJoin(rooms, eq(rooms.id, members.roomId))
    .where(
      and(
        eq(members.roomId, roomId),
        eq(members.userId, user.member.userId),
        options.kept ? undefined : isNull(rooms.deletedAt),
      ),
    );
  if (seat === undefined) return noRoom;
  const rows = await db()
    .select()
    .from(messages)
    .where(
      and(
        eq(messages.roomId, roomId),
        gt(messages.seq, Math.max(after ?? 0, seat.sinceSeq)),
        before === undefined ? undefined : lt(messages.seq, before),
      ),
    )
    .orderBy(after === undefined ? desc(messages.seq) : asc(messages.seq))
    .limit(limit);
  if (after === undefined) rows.reverse();
  const names = await namesIn(db(), rows);
  return { ok: true, messages: rows.map((row) => messageOf(row, actor.language, names)) } as const;
}
