import type { Seat } from "./types.ts";

/** The fields of a member that the conversation shows, and no others. */
export function seatOf({ id, displayName, avatarInitials, role, readSeq }: Seat): Seat {
  return { id, displayName, avatarInitials, role, readSeq };
}
