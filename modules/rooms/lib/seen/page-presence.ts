import { currentTime } from "#db/clock";
import type { Member } from "#modules/identity";
import { sendRoomSignal } from "../core/room-signals.ts";
import { trackPendingWrite } from "../socket/socket-lifecycle.ts";
import { noteSeen } from "./last-seen.ts";

/**
 * Counts a member as away, not gone, for the lifetime of a presence lease: they have asked for a page of the room that is not the
 * conversation, and their socket there has closed. The lease is one of its own beside those of the instances, so it needs no end; whatever
 * their sockets say is more present. The caller has made sure that they are a member.
 */
export function notePagePresence({ userId, sessionId }: Member, roomId: number): void {
  sendRoomSignal(roomId, { kind: "presence", userId, instance: `page:${sessionId}`, status: "away" });
  notePageVisit(userId, roomId);
}

/**
 * Records that a member was in the room when they asked for its page: without scripts no socket says so. The caller has made sure that they
 * are a member, and that they asked for the page themselves.
 */
export function notePageVisit(userId: number, roomId: number): void {
  trackPendingWrite(noteSeen([{ roomId, userId }], currentTime()));
}
