import type { z } from "zod";
import { db, runInTransaction } from "#db/client";
import { currentTime } from "#db/clock";
import { type ThrottleRefusal, takeThrottledAttempt } from "#db/throttle/throttle-attempts";
import { recordAuditEntry } from "#modules/audit";
import {
  type Actor,
  auditAuthorOf,
  containsSeal,
  hasForeignLetters,
  hidesLetters,
  limitedRefusal,
  looksLikeAddress,
  type NotSignedIn,
  posesAsMidman,
  type RestrictionRefusal,
  requireUser,
  soundsLikeNotice,
} from "#modules/identity";
import { createRoomInput } from "../../forms.ts";
import { roomViewOf } from "../core/find-room.ts";
import { sendRoomAdded } from "../core/member-signals.ts";
import { participantsOf } from "../core/participants.ts";
import { type InvalidInput, refuseInvalidInput } from "../core/refusals.ts";
import type { Room } from "../core/responses.ts";
import { newInviteCode } from "../core/room-code.ts";
import { countersTable, invitesTable, membersTable, roomsTable } from "../core/schema.ts";
import { addToRoomList } from "../privacy/room-activity.ts";

/** Thirty rooms an hour. */
const roomCreationLimit = { max: 30, seconds: 3600 };

type CreateRoomOutcome =
  | { ok: true; room: Room }
  | NotSignedIn
  | InvalidInput
  | RestrictionRefusal<"ACCOUNT_LIMITED">
  | ThrottleRefusal;

/**
 * Opens a room in which the creator is the seller, unless they choose to be the buyer. Refuses VALIDATION, ACCOUNT_LIMITED and THROTTLED.
 */
export async function createRoom(actor: Actor, input: unknown): Promise<CreateRoomOutcome> {
  const user = requireUser(actor);
  if (!user.ok) return user;
  const parsed = createRoomInput.safeParse(input);
  if (!parsed.success) return refuseInvalidInput(parsed.error);
  const misleading = refuseMisleadingText(parsed.data);
  if (misleading !== undefined) return misleading;
  const { userId } = user.member;
  const at = currentTime();
  const limited = await limitedRefusal(db(), userId, at);
  if (limited !== undefined) return limited;
  const turn = await takeThrottledAttempt(`rooms.create:${userId}`, roomCreationLimit, at);
  if (!turn.ok) return turn;
  const { name, description, role } = parsed.data;
  const inviteCode = newInviteCode();
  const { made, member } = await runInTransaction(async (tx) => {
    const [made] = await tx
      .insert(roomsTable)
      .values({ name, description: description || null, createdById: userId, createdAt: at })
      .returning();
    if (made === undefined) throw new Error("rooms: a room was not stored");
    await tx.insert(countersTable).values({ roomId: made.id, activeAt: at });
    const [member] = await tx
      .insert(membersTable)
      .values({ roomId: made.id, userId, role, joinedAt: at })
      .returning();
    if (member === undefined) throw new Error("rooms: a member was not stored");
    await addToRoomList(tx, made.id, userId, at);
    sendRoomAdded(tx, userId);
    await tx
      .insert(invitesTable)
      .values({ roomId: made.id, code: inviteCode, createdById: userId, createdAt: at });
    const subject = { kind: "room", id: made.id };
    await recordAuditEntry(tx, {
      by: auditAuthorOf(actor),
      action: "room_created",
      at,
      roomId: made.id,
      subject,
      data: { role },
    });
    return { made, member };
  });
  // Built from the stored rows: another device of the creator may already have deleted the room.
  const participants = await participantsOf(made.id, userId, "all", [member]);
  return { ok: true, room: roomViewOf(made, member, inviteCode, participants) };
}

/** Pages show a room's name and description beside Midman's own texts: neither must look like a notice of Midman, nor the name like an address. */
function refuseMisleadingText({
  name,
  description,
}: z.output<typeof createRoomInput>): InvalidInput | undefined {
  const why = nameRefusal(name);
  const fields = {
    ...(why !== undefined && { name: [why] }),
    ...(description != null &&
      posesAsMidman(description) && { description: ["validation.descriptionReserved"] }),
  };
  return Object.keys(fields).length === 0 ? undefined : { ok: false, code: "VALIDATION", fields };
}

function nameRefusal(name: string): string | undefined {
  if (hidesLetters(name)) return "validation.characters";
  if (containsSeal(name)) return "validation.nameSeal";
  if (looksLikeAddress(name)) return "validation.roomNameLink";
  if (soundsLikeNotice(name)) return "validation.roomNameReserved";
  return hasForeignLetters(name) ? "validation.roomNameAlphabet" : undefined;
}
