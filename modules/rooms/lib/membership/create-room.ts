import { db, transaction } from "#db/client";
import { now } from "#db/clock";
import { throttle } from "#db/throttle";
import { record } from "#modules/audit";
import {
  type Actor,
  by,
  containsSeal,
  hasForeignLetters,
  hidesLetters,
  limitedRefusal,
  looksLikeAddress,
  requireUser,
  soundsLikeNotice,
} from "#modules/identity";
import { createRoomInput } from "../../forms.ts";
import { room } from "../core/find-room.ts";
import { type Invalid, invalid } from "../core/refusals.ts";
import { newCode } from "../core/room-code.ts";
import { counters, invites, members, rooms } from "../core/schema.ts";
import { enlist } from "../privacy/room-activity.ts";

/** Thirty rooms an hour. */
const pace = { max: 30, seconds: 3600 };

/** Opens a room in which the creator sells, unless they choose to buy. Refuses VALIDATION, ACCOUNT_LIMITED and THROTTLED. */
export async function createRoom(actor: Actor, input: unknown) {
  const user = requireUser(actor);
  if (!user.ok) return user;
  const parsed = createRoomInput.safeParse(input);
  if (!parsed.success) return invalid(parsed.error);
  const misleading = misleadingName(parsed.data.name);
  if (misleading !== undefined) return misleading;
  const { userId } = user.member;
  const at = now();
  const limited = await limitedRefusal(db(), userId, at);
  if (limited !== undefined) return limited;
  const turn = await throttle(`rooms.create:${userId}`, pace, at);
  if (!turn.ok) return turn;
  const { name, description, role } = parsed.data;
  const roomId = await transaction(async (tx) => {
    const [made] = await tx
      .insert(rooms)
      .values({ name, description: description || null, createdById: userId, createdAt: at })
      .returning({ id: rooms.id });
    if (made === undefined) throw new Error("rooms: a room was not stored");
    await tx.insert(counters).values({ roomId: made.id, activeAt: at });
    await tx.insert(members).values({ roomId: made.id, userId, role, joinedAt: at });
    await enlist(tx, made.id, userId, at);
    await tx.insert(invites).values({ roomId: made.id, code: newCode(), createdById: userId, createdAt: at });
    const subject = { kind: "room", id: made.id };
    await record(tx, { by: by(actor), action: "room_created", at, roomId: made.id, subject, data: { role } });
    return made.id;
  });
  return room(actor, roomId);
}

/** Pages show a room's name beside Midman's own texts, so it must not look like a notice of Midman or contain an address. */
function misleadingName(name: string): Invalid | undefined {
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
