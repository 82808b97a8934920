import { log } from "#db/log";
import type { Actor } from "#modules/identity";

/** Logs that a socket of a room was refused or closed, with the code. */
export function noteRefusedSocket(closed: number, actor: Actor, roomId: number): void {
  const { kind, requestId } = actor;
  log().info(
    { closed, roomId, ...(kind === "user" && { userId: actor.userId }), requestId },
    "socket refused",
  );
}
