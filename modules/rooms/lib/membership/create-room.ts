import { db, runInTransaction } from "#db/client";
import { currentTime } from "#db/clock";
import { takeThrottledAttempt } from "#db/throttle/throttle-attempts";
import { recordAuditEntry } from "#modules/audit";
import {
  type Actor,
  auditAuthorOf,
  containsSeal,
  hasForeignLetters,
  hidesLetters,
  limitedRefusal,
  looksLikeAddress,
  requireUser,
  soundsLikeNotice,
} from "#modules/identity";
import { createRoomInput } from "../../forms.ts";
import { readRoom } from "../core/find-room.ts";
import { type InvalidInput, refuseInvalidInput } from "../core/refusals.ts";
import { newInviteCode } from "../core/room-code.ts";
import { countersTable, invitesTable, membersTable, roomsTable } from "../core/schema.ts";
import { addToRoomList } from "../privacy/room-activity.ts";

/** Thirty rooms an hour. */
const roomCreationLimit = { max: 30, seconds: 3600 };

/**
 * Opens a room in which the creator is the seller, unless they choose to be the buyer. Refuses VALIDATION, ACCOUNT_LIMITED and THROTTLED.
 */
export async function createRoom(actor: Actor, input: unknown) {
  const user = requireUser(actor);
  if (!user.ok) return user;
  const parsed = createRoomInput.safeParse(input);
  if (!parsed.success) return refuseInvalidInput(parsed.error);
  const misleading = misleadingName(parsed.data.name);
  if (misleading !== undefined) return misleading;
  const { userId } = user.member;
  const at = currentTime();
  const limited = await limitedRefusal(db(), userId, at);
  if (limited !== undefined) return limited;
  const turn = await takeThrottledAttempt(`rooms.create:${userId}`, roomCreationLimit, at);
  if (!turn.ok) return turn;
  const { name, description, role } = parsed.data;
  const roomId = await runInTransaction(async (tx) => {
    const [made] = await tx
      .insert(roomsTable)
      .values({ name, description: description || null, createdById: userId, createdAt: at })
      .returning({ id: roomsTable.id });
    if (made === undefined) throw new Error("rooms: a room was not stored");
    await tx.insert(countersTable).values({ roomId: made.id, activeAt: at });
    await tx.insert(membersTable).values({ roomId: made.id, userId, role, joinedAt: at });
    await addToRoomList(tx, made.id, userId, at);
    await tx
      .insert(invitesTable)
      .values({ roomId: made.id, code: newInviteCode(), createdById: userId, createdAt: at });
    const subject = { kind: "room", id: made.id };
    await recordAuditEntry(tx, {
      by: auditAuthorOf(actor),
      action: "room_created",
      at,
      roomId: made.id,
      subject,
      data: { role },
    });
    return made.id;
  });
  return readRoom(actor, roomId);
}

/** Pages show a room's name beside Midman's own texts, so it must not look like a notice of Midman or contain an address. */
function misleadingName(name: string): InvalidInput | undefined {
  const why = nameRefusal(name);
  return why === undefined ? undefined : { ok: false, code: "VALIDATION", fields: { name: [why] } };
}

function nameRefusal(name: string): string | undefined {
  if (hidesLetters(name)) return "validation.characters";
  if (containsSeal(name)) return "validation.nameSeal";
  if (looksLikeAddress(name)) return "validation.roomNameLink";
  if (soundsLikeNotice(name)) return "validation.roomNameReserved";
  return hasForeignLetters(name) ? "validation.roomNameAlphabet" : undefined;
}
