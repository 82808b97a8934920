import { and, asc, desc, eq, gt, isNull, lt, or, type Placeholder, sql } from "drizzle-orm";
import { db, type Executor } from "#db/client";
import { prepareQuery } from "#db/client/prepared-query";
import { type Actor, type NotSignedIn, requireUser } from "#modules/identity";
import { historyInput } from "../../forms.ts";
import { messageOf } from "../core/message.ts";
import { findNoticeNames } from "../core/notice-names.ts";
import { type InvalidInput, type RoomNotFound, refuseInvalidInput, roomNotFound } from "../core/refusals.ts";
import type { Message } from "../core/responses.ts";
import { membersTable, messagesTable, roomsTable } from "../core/schema.ts";
import { aboveSinceSeq, findQuotes } from "../replies/quotes.ts";
import { inRoomCondition } from "./conversation-span.ts";

type MessagePage = { ok: true; messages: Message[] };

/**
 * A page of a room's messages in order of `seq`: those after one, those before one, or else the latest, in the reader's language. `kept`
 * also reads a room that was deleted after its trade, for the trade's own page. Refuses VALIDATION, and CHAT_ROOM_NOT_FOUND for outsiders.
 */
export async function readHistory(
  actor: Actor,
  roomId: number,
  page: unknown = {},
  options: { kept?: boolean } = {},
): Promise<MessagePage | NotSignedIn | InvalidInput | RoomNotFound> {
  const user = requireUser(actor);
  if (!user.ok) return user;
  const parsed = historyInput.safeParse(page);
  if (!parsed.success) return refuseInvalidInput(parsed.error);
  const { after, before, limit } = parsed.data;
  const { userId } = user.member;
  const seat = { roomId, userId, kept: options.kept === true };
  const span = { ...seat, above: after ?? 0, below: before ?? Number.MAX_SAFE_INTEGER, limit };
  const rows =
    after === undefined
      ? (await selectLatestMessages(db(), span)).reverse()
      : await selectFollowingMessages(db(), span);
  // No rows: either there are no messages, or the reader is not a member.
  if (rows.length === 0 && (await selectHistorySeat(db(), seat)).length === 0) return roomNotFound;
  const [names, quotes] = await Promise.all([
    findNoticeNames(db(), rows),
    findQuotes(db(), roomId, rows, aboveSinceSeq(roomId, userId)),
  ]);
  return { ok: true, messages: rows.map((row) => messageOf(row, actor.language, names, quotes)) };
}

type HistorySeat = { roomId: number; userId: number; kept: boolean };
type HistorySpan = HistorySeat & { above: number; below: number; limit: number };
type PlaceholderOf<T> = (name: keyof T & string) => Placeholder;

/** A person's membership in a room they can open, with the `seq` up to which messages predate them. */
const seatQuery = (exec: Executor, value: PlaceholderOf<HistorySeat>) =>
  exec
    .select({ sinceSeq: membersTable.sinceSeq })
    .from(membersTable)
    .innerJoin(roomsTable, eq(roomsTable.id, membersTable.roomId))
    .where(
      and(
        eq(membersTable.roomId, value("roomId")),
        eq(membersTable.userId, value("userId")),
        or(isNull(roomsTable.deletedAt), sql`${value("kept")}::boolean`),
      ),
    );

const selectHistorySeat = prepareQuery<HistorySeat>()("history_seat", seatQuery);

/** For a non-member the subquery is NULL, and no `seq` is greater than that. */
const selectMessagesBetween = (exec: Executor, value: PlaceholderOf<HistorySpan>) =>
  exec
    .select()
    .from(messagesTable)
    .where(
      and(
        inRoomCondition(value("roomId")),
        gt(messagesTable.seq, value("above")),
        gt(messagesTable.seq, seatQuery(exec, value)),
        lt(messagesTable.seq, value("below")),
      ),
    );

const selectLatestMessages = prepareQuery<HistorySpan>()("history_latest", (exec, value) =>
  selectMessagesBetween(exec, value).orderBy(desc(messagesTable.seq)).limit(value("limit")),
);

const selectFollowingMessages = prepareQuery<HistorySpan>()("history_following", (exec, value) =>
  selectMessagesBetween(exec, value).orderBy(asc(messagesTable.seq)).limit(value("limit")),
);
