import { and, asc, desc, eq, gt, lt, type Placeholder } from "drizzle-orm";
import { db, type Executor } from "#db/client";
import { prepared } from "#db/prepared";
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
  const [seat] = await seatOf(db(), { roomId, userId: user.member.userId });
  if (seat === undefined || (seat.deletedAt !== null && !options.kept)) return noRoom;
  const above = Math.max(after ?? 0, seat.sinceSeq);
  const span = { roomId, above, below: before ?? Number.MAX_SAFE_INTEGER, limit };
  const rows = after === undefined ? (await latest(db(), span)).reverse() : await following(db(), span);
  const names = await namesIn(db(), rows);
  return { ok: true, messages: rows.map((row) => messageOf(row, actor.language, names)) } as const;
}

const seatOf = prepared<{ roomId: number; userId: number }>()("history_seat", (exec, value) =>
  exec
    .select({ sinceSeq: members.sinceSeq, deletedAt: rooms.deletedAt })
    .from(members)
    .innerJoin(rooms, eq(rooms.id, members.roomId))
    .where(and(eq(members.roomId, value("roomId")), eq(members.userId, value("userId")))),
);

type Span = { roomId: number; above: number; below: number; limit: number };

const between = (exec: Executor, value: (name: keyof Span) => Placeholder) =>
  exec
    .select()
    .from(messages)
    .where(
      and(
        eq(messages.roomId, value("roomId")),
        gt(messages.seq, value("above")),
        lt(messages.seq, value("below")),
      ),
    );

const latest = prepared<Span>()("history_latest", (exec, value) =>
  between(exec, value).orderBy(desc(messages.seq)).limit(value("limit")),
);

const following = prepared<Span>()("history_following", (exec, value) =>
  between(exec, value).orderBy(asc(messages.seq)).limit(value("limit")),
);
