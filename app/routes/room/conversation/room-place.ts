import type { Member } from "#modules/identity";
import { countMessagesSince } from "#modules/rooms";
import type { RoomProps } from "../../../islands/room/types.ts";
import { paths } from "../../../paths.ts";
import { parseQueryNumber } from "../../../server/pages/page-context.ts";

/** The part of a conversation that an address asks for: the messages before one, those since one, or those around one; otherwise the latest. */
export interface RoomPlace {
  before: number | undefined;
  since: number | undefined;
  around?: number | undefined;
}

/** Reads `?before=`, `?new=` and `?at=`; an invalid value counts as absent. */
export function roomPlaceIn(query: URLSearchParams): RoomPlace {
  const [before, since, around] = ["before", "new", "at"].map((name) => parseQueryNumber(query.get(name)));
  return { before, since, ...(around !== undefined && { around }) };
}

/** The page that begins with the messages since `seq`; the anchor `new` is above the first of them. */
function newMessagesAddress(roomId: number, seq: number): string {
  return `${paths.room(roomId)}?new=${seq}#new`;
}

/** How many new messages are above those that the page shows, and a link to the first; null if the page shows all of them. */
export async function newMessagesAbove(member: Member, { roomId, readSeq, messages }: RoomProps) {
  const first = messages[0]?.seq ?? 0;
  if (readSeq === 0 || first <= readSeq + 1) return null;
  const found = await countMessagesSince(member, roomId, readSeq);
  return found.ok && found.count > 0
    ? { count: found.count, href: newMessagesAddress(roomId, readSeq) }
    : null;
}

/** The link to the next messages of a page that began in the middle; null at the end. */
export function newMessagesBelow({ roomId, messages }: RoomProps, lastSeq: number): string | null {
  const last = messages.at(-1)?.seq ?? lastSeq;
  return last < lastSeq ? newMessagesAddress(roomId, last) : null;
}
