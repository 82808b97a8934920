import { and, desc, eq, inArray, isNull, type SQL, sql } from "drizzle-orm";
import { db } from "#db/client";
import { currentTime } from "#db/clock";
import type { ThrottleRefusal } from "#db/throttle/throttle-attempts";
import { createTokenBucket } from "#db/throttle/token-bucket";
import { type Actor, type Member, type NotSignedIn, requireUser } from "#modules/identity";
import { roomListInput, roomSearchInput } from "../../forms.ts";
import { roomViewOf } from "../core/find-room.ts";
import { participantsByRoom } from "../core/participants.ts";
import { type InvalidInput, refuseInvalidInput } from "../core/refusals.ts";
import type { RoomCard } from "../core/responses.ts";
import { activityTable, countersTable, invitesTable, membersTable, roomsTable } from "../core/schema.ts";
import { type MessageSummary, summarizeMessages } from "./latest-messages.ts";
import { findMatchingRooms } from "./search-rooms.ts";

/** Maximum number of rooms in a list without pages. */
const maxUnpagedRooms = 500;

/** A burst of thirty searches, then one a second: each reads the names of all the person's rooms. */
const searchBucket = createTokenBucket(30, 30);

type RoomListPage = { ok: true; rooms: RoomCard[]; next: string | null };

/**
 * The reader's rooms, most recently active first, without those they have left and with masked contacts. `next` is the cursor of the next
 * page. `options.all` returns up to 500 at once. Refuses VALIDATION.
 */
export async function listRooms(
  actor: Actor,
  page: unknown = {},
  options: { all?: boolean } = {},
): Promise<RoomListPage | NotSignedIn | InvalidInput> {
  const user = requireUser(actor);
  if (!user.ok) return user;
  const parsed = roomListInput.safeParse(page);
  if (!parsed.success) return refuseInvalidInput(parsed.error);
  const { before, limit } = parsed.data;
  return readRoomPage(user.member, { before, limit: options.all ? maxUnpagedRooms : limit });
}

/**
 * The reader's rooms whose name or other member matches `q`, plus those in `including`, which a higher module found by its own data; else
 * like `listRooms`. Refuses VALIDATION, and THROTTLED for too many searches.
 */
export async function searchRooms(
  actor: Actor,
  page: unknown,
  including: number[] = [],
): Promise<RoomListPage | NotSignedIn | InvalidInput | ThrottleRefusal> {
  const user = requireUser(actor);
  if (!user.ok) return user;
  const parsed = roomSearchInput.safeParse(page);
  if (!parsed.success) return refuseInvalidInput(parsed.error);
  const { userId } = user.member;
  const { before, limit, q } = parsed.data;
  const wait = searchBucket.take(userId, currentTime());
  if (wait > 0) return { ok: false, code: "THROTTLED", retryAfterSeconds: wait };
  const chosen = [...(await findMatchingRooms(userId, q)), ...including];
  return readRoomPage(user.member, { before, limit, chosen });
}

type RoomListSpan = { before: string | undefined; limit: number; chosen?: number[] };

async function readRoomPage(
  { userId, language }: Member,
  { before, limit, chosen }: RoomListSpan,
): Promise<RoomListPage> {
  const rows = await selectRoomPage(userId, limit + 1, before, chosen);
  const shown = rows.slice(0, limit);
  const ids = shown.map(({ room }) => room.id);
  const [latest, seated] = await Promise.all([
    summarizeMessages(
      shown.map(({ room, activeAt }) => ({ id: room.id, createdAt: room.createdAt, activeAt })),
      userId,
      language,
    ),
    participantsByRoom(ids, userId, true),
  ]);
  const cards = shown.map((row): RoomCard => {
    const { unread, lastMessage } = latest.get(row.room.id) ?? emptySummary;
    return {
      ...roomViewOf(row.room, row.member, row.code, seated.get(row.room.id) ?? []),
      lastMessage,
      unread,
      activityAt: laterMoment(row.at.toISOString(), lastMessage?.createdAt),
    };
  });
  // The indexed activity time may lag by a minute; the last message corrects the order within a page.
  cards.sort((a, b) => (a.activityAt === b.activityAt ? b.id - a.id : a.activityAt < b.activityAt ? 1 : -1));
  const last = shown.at(-1);
  const next = rows.length > limit && last !== undefined ? `${last.micros}-${last.room.id}` : null;
  return { ok: true, rooms: cards, next };
}

const emptySummary: MessageSummary = { unread: 0, lastMessage: null };

function laterMoment(a: string, b: string | undefined): string {
  return b !== undefined && b > a ? b : a;
}

/** The rows of a page, read from the index on user and time: only as many as are shown, however many there are. */
function selectRoomPage(
  userId: number,
  limit: number,
  before: string | undefined,
  chosen: number[] | undefined,
) {
  return db()
    .select({
      room: roomsTable,
      member: membersTable,
      code: invitesTable.code,
      at: activityTable.at,
      activeAt: countersTable.activeAt,
      micros: sql<string>`(extract(epoch FROM ${activityTable.at}) * 1000000)::bigint`,
    })
    .from(activityTable)
    .innerJoin(
      membersTable,
      and(eq(membersTable.roomId, activityTable.roomId), eq(membersTable.userId, activityTable.userId)),
    )
    .innerJoin(roomsTable, eq(roomsTable.id, activityTable.roomId))
    .innerJoin(countersTable, eq(countersTable.roomId, activityTable.roomId))
    .leftJoin(invitesTable, eq(invitesTable.roomId, activityTable.roomId))
    .where(
      and(
        eq(activityTable.userId, userId),
        isNull(membersTable.hiddenAt),
        isNull(roomsTable.deletedAt),
        before === undefined ? undefined : afterCursorCondition(before),
        chosen === undefined
          ? undefined
          : chosen.length === 0
            ? sql`false`
            : inArray(activityTable.roomId, chosen),
      ),
    )
    .orderBy(desc(activityTable.at), desc(activityTable.roomId))
    .limit(limit);
}

/** Rows after a cursor in the list. The cursor is a position, and stays valid even if its room has moved. */
function afterCursorCondition(cursor: string): SQL {
  const [micros = "0", id = "0"] = cursor.split("-");
  const at = sql`timestamptz 'epoch' + ${micros}::bigint * interval '1 microsecond'`;
  return sql`(${activityTable.at}, ${activityTable.roomId}) < (${at}, ${id}::bigint)`;
}
