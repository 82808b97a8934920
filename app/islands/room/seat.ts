import type { Seat } from "./types.ts";

/** What the conversation shows of a member, and nothing else of what is known about them. */
export function seatOf({ id, displayName, avatarInitials, role, readSeq }: Seat): Seat {
  return { id, displayName, avatarInitials, role, readSeq };
}
