import { and, desc, eq, isNull, type SQL, sql } from "drizzle-orm";
import { db } from "#db/client";
import { type Actor, type NotSignedIn, requireUser } from "#modules/identity";
import { roomListInput } from "../../forms.ts";
import { type InvalidInput, refuseInvalidInput } from "../core/refusals.ts";
import type { RoomCard } from "../core/responses.ts";
import { activityTable, countersTable, invitesTable, membersTable, roomsTable } from "../core/schema.ts";
import { activityMicros, compareByActivity, readRoomCards, roomCardColumns } from "./room-cards.ts";

/** Maximum number of rooms in a list without pages. */
const maxUnpagedRooms = 500;

/**
 * The reader's rooms, most recently active first, without those they have left and with masked contacts. `next` is the cursor of the next
 * page. `options.all` returns up to 500 at once. Refuses VALIDATION.
 */
export async function listRooms(
  actor: Actor,
  page: unknown = {},
  options: { all?: boolean } = {},
): Promise<{ ok: true; rooms: RoomCard[]; next: string | null } | NotSignedIn | InvalidInput> {
  const user = requireUser(actor);
  if (!user.ok) return user;
  const parsed = roomListInput.safeParse(page);
  if (!parsed.success) return refuseInvalidInput(parsed.error);
  const limit = options.all ? maxUnpagedRooms : parsed.data.limit;
  const rows = await selectRoomPage(user.member.userId, limit + 1, parsed.data.before);
  const shown = rows.slice(0, limit);
  const rooms = await readRoomCards(shown, user.member);
  rooms.sort(compareByActivity);
  const last = shown.at(-1);
  const next = rows.length > limit && last !== undefined ? `${last.micros}-${last.room.id}` : null;
  return { ok: true, rooms, next };
}

/** The rows of a page, read from the index on user and time: only as many as are shown, however many there are. */
function selectRoomPage(userId: number, limit: number, before: string | undefined) {
  return db()
    .select({ ...roomCardColumns, micros: activityMicros })
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
