import { and, eq, inArray, isNull, type SQL, sql } from "drizzle-orm";
import { db } from "#db/client";
import { currentTime } from "#db/clock";
import type { ThrottleRefusal } from "#db/throttle/throttle-attempts";
import { createTokenBucket } from "#db/throttle/token-bucket";
import { type Actor, type Member, type NotSignedIn, requireUser } from "#modules/identity";
import { roomSearchInput, roomTurnListInput } from "../../forms.ts";
import { type InvalidInput, refuseInvalidInput } from "../core/refusals.ts";
import type { RoomCard } from "../core/responses.ts";
import { activityTable, countersTable, invitesTable, membersTable, roomsTable } from "../core/schema.ts";
import { activityMicros, compareByActivity, readRoomCards, roomCardColumns } from "./room-cards.ts";
import { findMatchingRooms } from "./search-rooms.ts";

/** The groups of the list in their order: the reader acts next, somebody else does, nobody does. */
const roomGroups = ["yours", "waiting", "finished"] as const;
export type RoomGroup = (typeof roomGroups)[number];

/** Who acts next in a room with a trade, as the module that owns trades knows it, and until when. */
export type RoomTurn = { roomId: number; group: RoomGroup; dueAt: string | null };

/** A room of the list; `groupSize` is the number of rooms of its group on all pages. */
export type GroupedRoomCard = RoomCard & { group: RoomGroup; groupSize: number };

type GroupedRoomPage = { ok: true; rooms: GroupedRoomCard[]; next: string | null };

/** A burst of thirty searches, then one a second: each reads the names of all the person's rooms. */
const searchBucket = createTokenBucket(30, 30);

/**
 * The reader's rooms by who acts next: their own turn first, beginning with the earliest deadline, then somebody else's, then what has
 * ended; of each the latest activity first. `turns` has every room with a trade: in the others the reader acts if they have to invite
 * somebody or to request the payment. `next` is the cursor of the next page. Refuses VALIDATION.
 */
export async function listRoomsByTurn(
  actor: Actor,
  page: unknown,
  turns: readonly RoomTurn[],
): Promise<GroupedRoomPage | NotSignedIn | InvalidInput> {
  const user = requireUser(actor);
  if (!user.ok) return user;
  const parsed = roomTurnListInput.safeParse(page);
  if (!parsed.success) return refuseInvalidInput(parsed.error);
  return readPage(user.member, { ...parsed.data, turns });
}

/**
 * The reader's rooms whose name or other member matches `q`, plus those in `including`, which a higher module found by its own data; else
 * like `listRoomsByTurn`. Refuses VALIDATION, and THROTTLED for too many searches.
 */
export async function searchRooms(
  actor: Actor,
  page: unknown,
  turns: readonly RoomTurn[],
  including: number[] = [],
): Promise<GroupedRoomPage | NotSignedIn | InvalidInput | ThrottleRefusal> {
  const user = requireUser(actor);
  if (!user.ok) return user;
  const parsed = roomSearchInput.safeParse(page);
  if (!parsed.success) return refuseInvalidInput(parsed.error);
  const { userId } = user.member;
  const { q, ...span } = parsed.data;
  const wait = searchBucket.take(userId, currentTime());
  if (wait > 0) return { ok: false, code: "THROTTLED", retryAfterSeconds: wait };
  const chosen = [...(await findMatchingRooms(userId, q)), ...including];
  return readPage(user.member, { ...span, turns, chosen });
}

type ListSpan = { before?: string | undefined; limit: number; turns: readonly RoomTurn[]; chosen?: number[] };

async function readPage(member: Member, span: ListSpan): Promise<GroupedRoomPage> {
  const { limit } = span;
  const rows = await selectPage(member.userId, { ...span, limit: limit + 1 });
  const shown = rows.slice(0, limit);
  const cards = await readRoomCards(shown, member);
  const rooms = cards.map((card, n) => {
    const { rank = 0, due = "0", groupSize = 0 } = shown[n] ?? {};
    return { rank, due: Number(due), card: { ...card, group: roomGroups[rank] ?? "finished", groupSize } };
  });
  rooms.sort((a, b) => a.rank - b.rank || a.due - b.due || compareByActivity(a.card, b.card));
  const last = shown.at(-1);
  const next =
    rows.length > limit && last !== undefined
      ? `${last.rank}-${last.due}-${last.micros}-${last.room.id}`
      : null;
  return { ok: true, rooms: rooms.map(({ card }) => card), next };
}

/** In place of a deadline (milliseconds), later than any. */
const noDeadline = Number.MAX_SAFE_INTEGER;

/**
 * The rows of a page. All the person's rooms are ranked, because the turn depends on trades and is in no index here; only the page's own
 * are read further.
 */
function selectPage(userId: number, { before, limit, turns, chosen }: ListSpan) {
  const ranked = rankRooms(userId, turns, chosen);
  const page = db()
    .$with("page")
    .as(
      db()
        .with(ranked)
        .select()
        .from(ranked)
        .where(before === undefined ? undefined : afterCursorCondition(before))
        .orderBy(sql`ranked.rank, ranked.due, ranked.micros DESC, ranked.room_id DESC`)
        .limit(limit),
    );
  const { rank, due, micros, groupSize } = page;
  // Qualified, because the joined tables have a column of the same name.
  const roomId = sql`page.room_id`;
  return db()
    .with(page)
    .select({ ...roomCardColumns, rank, due, micros, groupSize })
    .from(page)
    .innerJoin(activityTable, and(eq(activityTable.roomId, roomId), eq(activityTable.userId, userId)))
    .innerJoin(membersTable, and(eq(membersTable.roomId, roomId), eq(membersTable.userId, userId)))
    .innerJoin(roomsTable, eq(roomsTable.id, roomId))
    .innerJoin(countersTable, eq(countersTable.roomId, roomId))
    .leftJoin(invitesTable, eq(invitesTable.roomId, roomId))
    .orderBy(sql`page.rank, page.due, page.micros DESC, page.room_id DESC`);
}

/** All the person's rooms with what orders them. */
function rankRooms(userId: number, turns: readonly RoomTurn[], chosen: number[] | undefined) {
  const list = JSON.stringify(
    turns.map(({ roomId, group, dueAt }) => ({
      room_id: roomId,
      rank: roomGroups.indexOf(group),
      due: dueAt === null || group !== "yours" ? noDeadline : Date.parse(dueAt),
    })),
  );
  // A room without a trade has ended, or its reader has to invite somebody or, as its seller, to request the payment.
  const rank = sql<number>`coalesce(turns.rank, CASE
    WHEN ${roomsTable.endedAt} IS NOT NULL THEN 2
    WHEN ${membersTable.role} = 'seller' OR NOT EXISTS (
      SELECT FROM ${membersTable} other WHERE other.room_id = ${roomsTable.id} AND other.user_id <> ${userId}) THEN 0
    ELSE 1 END)`;
  return db()
    .$with("ranked")
    .as(
      db()
        .select({
          roomId: sql<number>`${activityTable.roomId}`.as("room_id"),
          rank: rank.as("rank"),
          due: sql<string>`coalesce(turns.due, ${noDeadline}::bigint)`.as("due"),
          micros: activityMicros.as("micros"),
          groupSize: sql<number>`(count(*) OVER (PARTITION BY ${rank}))::integer`.as("group_size"),
        })
        .from(activityTable)
        .innerJoin(
          membersTable,
          and(eq(membersTable.roomId, activityTable.roomId), eq(membersTable.userId, activityTable.userId)),
        )
        .innerJoin(roomsTable, eq(roomsTable.id, activityTable.roomId))
        .leftJoin(
          sql`jsonb_to_recordset(${list}::text::jsonb) AS turns (room_id bigint, rank integer, due bigint)`,
          sql`turns.room_id = ${activityTable.roomId}`,
        )
        .where(
          and(
            eq(activityTable.userId, userId),
            isNull(membersTable.hiddenAt),
            isNull(roomsTable.deletedAt),
            chosen === undefined
              ? undefined
              : chosen.length === 0
                ? sql`false`
                : inArray(activityTable.roomId, chosen),
          ),
        ),
    );
}

/** Rows after a cursor in the list. The cursor is a position, and stays valid even if its room has moved. */
function afterCursorCondition(cursor: string): SQL {
  const [rank = "0", due = "0", micros = "0", id = "0"] = cursor.split("-");
  return sql`(ranked.rank, ranked.due, -ranked.micros, -ranked.room_id)
    > (${rank}::integer, ${due}::bigint, -${micros}::bigint, -${id}::bigint)`;
}
