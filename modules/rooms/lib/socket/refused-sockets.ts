import { log } from "#db/log";
import type { Actor } from "#modules/identity";

/** Logs that a socket was refused or closed, with the code and its room; without a room it is that of a list. */
export function noteRefusedSocket(closed: number, actor: Actor, roomId?: number): void {
  const { kind, requestId } = actor;
  log().info(
    { closed, roomId, ...(kind === "user" && { userId: actor.userId }), requestId },
    "socket refused",
  );
}
