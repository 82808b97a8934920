import { eq } from "drizzle-orm";
import type { Tx } from "#db/client";
import { people, wantsMail } from "#modules/identity";
import { push, send } from "#modules/mailer";
import { rooms } from "./schema.ts";

/** Tells who sat in the room already that somebody took the other seat: on their devices, and by mail if they want such mails. */
export async function mailJoined(tx: Tx, roomId: number, seatedId: number, joinedId: number): Promise<void> {
  const both = await people(tx, [seatedId, joinedId]);
  const reader = both.get(seatedId);
  if (reader === undefined || reader.email === null) return;
  const [room] = await tx.select({ name: rooms.name }).from(rooms).where(eq(rooms.id, roomId));
  // Whoever leaves and joins again is told of once.
  const key = `room-joined:${roomId}:${seatedId}:${joinedId}`;
  const about = { other: both.get(joinedId)?.displayName ?? "", room: room?.name ?? "" };
  const url = `/chat/${roomId}`;
  await push(tx, { userId: reader.id, event: "joined", params: about, url, key });
  if (!wantsMail(reader, "roomJoined")) return;
  await send(tx, {
    template: "roomJoined",
    to: reader.email,
    language: reader.language,
    userId: reader.id,
    key,
    data: { name: reader.displayName, ...about, url },
  });
}
