import type { Message, Seat } from "./types.ts";

/** A message as the server sends it. */
export function message(seq: number): Message {
  return {
    ...{ id: seq, seq, senderId: 1, clientId: null, type: "text", content: "Hello", imageUrl: null },
    createdAt: "2026-11-27T00:00:00.000Z",
  };
}

/** A member as the server sends them. */
export function seat(id: number): Seat {
  return { id, displayName: "Bat", avatarInitials: "B", role: "buyer", readSeq: 0 };
}
