import { eq } from "drizzle-orm";
import type { Tx } from "#db/client";
import { people, wantsMail } from "#modules/identity";
import { send } from "#modules/mailer";
import { rooms } from "./schema.ts";

/** Writes to who sat in the room already that somebody took the other seat; unless they do not want such mails. */
export async function mailJoined(tx: Tx, roomId: number, seatedId: number, joinedId: number): Promise<void> {
  const both = await people(tx, [seatedId, joinedId]);
  const reader = both.get(seatedId);
  if (reader === undefined || reader.email === null || !wantsMail(reader, "roomJoined")) return;
  const [room] = await tx.select({ name: rooms.name }).from(rooms).where(eq(rooms.id, roomId));
  await send(tx, {
    template: "roomJoined",
    to: reader.email,
    language: reader.language,
    userId: reader.id,
    // Whoever leaves and joins again is told of once.
    key: `room-joined:${roomId}:${seatedId}:${joinedId}`,
    data: {
      name: reader.displayName,
      other: both.get(joinedId)?.displayName ?? "",
      room: room?.name ?? "",
      url: `/chat/${roomId}`,
    },
  });
}
