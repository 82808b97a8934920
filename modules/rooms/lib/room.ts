import { eq } from "drizzle-orm";
import { db } from "#db/client";
import { prepared } from "#db/prepared";
import { type Actor, requireUser } from "#modules/identity";
import { guards } from "./guards.ts";
import { membership } from "./member.ts";
import { type Participant, participantsOf } from "./participants.ts";
import { noRoom } from "./refusals.ts";
import { counters, invites, type MemberRow, type Role, type RoomRow } from "./schema.ts";

/** A room as one of its members sees it (product-spec §3). */
export type Room = {
  id: number;
  name: string;
  description: string | null;
  createdAt: string;
  createdById: number;
  inviteCode: string | null;
  /** Inactive once its trade has ended. */
  status: "active" | "inactive";
  participants: Participant[];
  /** The reader's own seat. */
  role: Role;
};

/** One room with the number of its last message. Outsiders get CHAT_ROOM_NOT_FOUND. */
export async function room(actor: Actor, roomId: number) {
  const user = requireUser(actor);
  if (!user.ok) return user;
  const { userId } = user.member;
  const seat = await membership(db(), roomId, userId);
  if (seat === undefined) return noRoom;
  const [mask, [invite], [counter]] = await Promise.all([
    guards().maskContacts(db(), roomId),
    inviteOf(db(), { roomId }),
    counterOf(db(), { roomId }),
  ]);
  const participants = await participantsOf(roomId, userId, mask);
  const view = viewOf(seat.room, seat.member, invite?.code ?? null, participants);
  return { ok: true, room: view, lastSeq: counter?.lastSeq ?? 0 } as const;
}

const inviteOf = prepared<{ roomId: number }>()("room_invite", (exec, value) =>
  exec
    .select()
    .from(invites)
    .where(eq(invites.roomId, value("roomId"))),
);

const counterOf = prepared<{ roomId: number }>()("room_counter", (exec, value) =>
  exec
    .select()
    .from(counters)
    .where(eq(counters.roomId, value("roomId"))),
);

/** A room's rows as its member sees it. */
export function viewOf(
  row: RoomRow,
  member: MemberRow,
  inviteCode: string | null,
  participants: Participant[],
): Room {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    createdAt: row.createdAt.toISOString(),
    createdById: row.createdById,
    inviteCode,
    status: row.endedAt === null ? "active" : "inactive",
    participants,
    role: member.role,
  };
}
