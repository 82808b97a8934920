import { and, asc, desc, eq, gt, isNull, lt, or, type Placeholder, sql } from "drizzle-orm";
import { db, type Executor } from "#db/client";
import { prepared } from "#db/prepared";
import { type Actor, requireUser } from "#modules/identity";
import { historyInput } from "../../forms.ts";
import { messageOf } from "../core/message.ts";
import { namesIn } from "../core/notice-names.ts";
import { invalid, noRoom } from "../core/refusals.ts";
import { members, messages, rooms } from "../core/schema.ts";
import { saidInRoom } from "./conversation-span.ts";

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
  const { userId } = user.member;
  const seat = { roomId, userId, kept: options.kept === true };
  const span = { ...seat, above: after ?? 0, below: before ?? Number.MAX_SAFE_INTEGER, limit };
  const rows = after === undefined ? (await latest(db(), span)).reverse() : await following(db(), span);
  // Nothing to see: for want of messages, or of a seat.
  if (rows.length === 0 && (await seatOf(db(), seat)).length === 0) return noRoom;
  const names = await namesIn(db(), rows);
  return { ok: true, messages: rows.map((row) => messageOf(row, actor.language, names)) } as const;
}

type Seat = { roomId: number; userId: number; kept: boolean };
type Span = Seat & { above: number; below: number; limit: number };
type Named<T> = (name: keyof T & string) => Placeholder;

/** The seat of the person in the room, if it is there for them, with what they may not see from before it was theirs. */
const seatIn = (exec: Executor, value: Named<Seat>) =>
  exec
    .select({ sinceSeq: members.sinceSeq })
    .from(members)
    .innerJoin(rooms, eq(rooms.id, members.roomId))
    .where(
      and(
        eq(members.roomId, value("roomId")),
        eq(members.userId, value("userId")),
        or(isNull(rooms.deletedAt), sql`${value("kept")}::boolean`),
      ),
    );

const seatOf = prepared<Seat>()("history_seat", seatIn);

/** Where there is no seat its number is NULL, and no message's `seq` is above that. */
const between = (exec: Executor, value: Named<Span>) =>
  exec
    .select()
    .from(messages)
    .where(
      and(
        saidInRoom(value("roomId")),
        gt(messages.seq, value("above")),
        gt(messages.seq, seatIn(exec, value)),
        lt(messages.seq, value("below")),
      ),
    );

const latest = prepared<Span>()("history_latest", (exec, value) =>
  between(exec, value).orderBy(desc(messages.seq)).limit(value("limit")),
);

const following = prepared<Span>()("history_following", (exec, value) =>
  between(exec, value).orderBy(asc(messages.seq)).limit(value("limit")),
);
