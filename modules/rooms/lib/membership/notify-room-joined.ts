import type { Tx } from "#db/client";
import { translateText } from "#locales";
import { findPeople, wantsMail } from "#modules/identity";
import { queuePush, sendMail } from "#modules/mailer";
import type { Role } from "../core/schema.ts";

/** The person who joined, and their role. */
type JoinedMember = { id: number; role: Role };

/** Notifies the first member that someone has joined: by push, and by mail if they want such mails. */
export async function notifyRoomJoined(
  tx: Tx,
  roomId: number,
  seatedId: number,
  joined: JoinedMember,
): Promise<void> {
  const reader = (await findPeople(tx, [seatedId])).get(seatedId);
  if (reader === undefined || reader.email === null) return;
  // A person who leaves and joins again causes only one notification.
  const key = `room-joined:${roomId}:${seatedId}:${joined.id}`;
  // Names and room titles are members' own texts, and the email address may not be the reader's: messages contain neither.
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
