import type { Actor } from "#modules/identity";
import { countUnread } from "#modules/rooms";

/** The number of unread messages in the person's rooms, without those of the room in the address. 0 for a visitor. */
export async function countUnreadElsewhere(actor: Actor, path: string): Promise<number> {
  if (actor.kind !== "user") return 0;
  const roomId = /^\/chat\/(\d{1,15})(?:\/|$)/.exec(path)?.[1];
  // A page without the number is better than none.
  return countUnread(actor.userId, roomId === undefined ? undefined : Number(roomId)).catch(() => 0);
}
