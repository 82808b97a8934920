import type { Member } from "#modules/identity";
import { countMessagesSince } from "#modules/rooms";
import type { RoomProps } from "../../../islands/room/types.ts";
import { paths } from "../../../paths.ts";
import { parseQueryNumber } from "../../../server/pages/page-context.ts";

/** What of a conversation an address asks for: what came before a message, or where begins what came since one; else the latest. */
export interface RoomPlace {
  before: number | undefined;
  since: number | undefined;
}

/** Reads `?before=` and `?new=`; what is no message's `seq` asks for nothing. */
export function roomPlaceIn(query: URLSearchParams): RoomPlace {
  return { before: parseQueryNumber(query.get("before")), since: parseQueryNumber(query.get("new")) };
}

/** The page where begins what came since a message; `new` is what stands above the first of it. */
function newMessagesAddress(roomId: number, seq: number): string {
  return `${paths.room(roomId)}?new=${seq}#new`;
}

/** How much is new to a person above what their page shows, and where it begins; null where the page shows all of it. */
export async function newMessagesAbove(member: Member, { roomId, readSeq, messages }: RoomProps) {
  const first = messages[0]?.seq ?? 0;
  if (readSeq === 0 || first <= readSeq + 1) return null;
  const found = await countMessagesSince(member, roomId, readSeq);
  return found.ok && found.count > 0
    ? { count: found.count, href: newMessagesAddress(roomId, readSeq) }
    : null;
}

/** Where a page that began somewhere in the middle goes on; null at the end. */
export function newMessagesBelow({ roomId, messages }: RoomProps, lastSeq: number): string | null {
  const last = messages.at(-1)?.seq ?? lastSeq;
  return last < lastSeq ? newMessagesAddress(roomId, last) : null;
}
