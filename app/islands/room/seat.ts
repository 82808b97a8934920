import type { RoomStrings, Seat } from "./types.ts";

/** The fields of a member that the conversation shows, and no others. */
export function seatOf({ id, displayName, avatarInitials, role, readSeq }: Seat): Seat {
  return { id, displayName, avatarInitials, role, readSeq };
}

/**
 * The name of a message's author, as this reader sees it. A person who has left is named as such, never like Midman or like the person who
 * is there now.
 */
export function authorName(
  senderId: number,
  { me, seats, strings }: { me: number; seats: Seat[]; strings: Pick<RoomStrings, "mine" | "formerMember"> },
): string {
  if (senderId === me) return strings.mine;
  return seats.find(({ id }) => id === senderId)?.displayName ?? strings.formerMember;
}
