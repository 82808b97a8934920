import { log } from "#db/log";
import type { Actor } from "#modules/identity";

/** Notes in the program's log that somebody was kept or put out of a room's socket, and by which code. */
export function noteRefusedSocket(closed: number, actor: Actor, roomId: number): void {
  const { kind, requestId } = actor;
  log().info(
    { closed, roomId, ...(kind === "user" && { userId: actor.userId }), requestId },
    "socket refused",
  );
}
