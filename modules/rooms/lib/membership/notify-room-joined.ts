import type { Tx } from "#db/client";
import { translateText } from "#locales";
import { findPeople, wantsMail } from "#modules/identity";
import { queuePush, sendMail } from "#modules/mailer";
import type { Role } from "../core/schema.ts";

/** Who took the other seat, and which it is. */
type JoinedMember = { id: number; role: Role };

/** Tells who sat in the room already that somebody took the other seat: on their devices, and by mail if they want such mails. */
export async function notifyRoomJoined(
  tx: Tx,
  roomId: number,
  seatedId: number,
  joined: JoinedMember,
): Promise<void> {
  const reader = (await findPeople(tx, [seatedId])).get(seatedId);
  if (reader === undefined || reader.email === null) return;
  // Whoever leaves and joins again is told of once.
  const key = `room-joined:${roomId}:${seatedId}:${joined.id}`;
  // A name and a room's title are members' own texts, and the address may not be the reader's: neither is in what we send.
  const about = { other: translateText(reader.language, `mail.them.${joined.role}`), room: "" };
  const url = `/chat/${roomId}`;
  await queuePush(tx, { userId: reader.id, event: "joined", params: about, url, key });
  if (!wantsMail(reader, "roomJoined")) return;
  await sendMail(tx, {
    template: "roomJoined",
    to: reader.email,
    language: reader.language,
    userId: reader.id,
    key,
    data: { name: reader.greetedAs, ...about, url },
  });
}
