import { ownActPatterns } from "#constants/rooms";
import type { Message, Seat } from "../types.ts";

const ownActs = { buyer: new RegExp(ownActPatterns.buyer), seller: new RegExp(ownActPatterns.seller) };

/** Whether a message is the reader's own, or a notice of what they did themselves. The lists of rooms count by the same rule. */
export function isOwnAct({ senderId, notice }: Message, reader: Pick<Seat, "id" | "role">): boolean {
  if (senderId !== null || notice === undefined) return senderId === reader.id;
  const { code, params } = notice;
  return params.userId === reader.id || params.by === reader.role || ownActs[reader.role].test(code);
}
