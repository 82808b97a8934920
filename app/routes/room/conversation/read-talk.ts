import type { Member } from "#modules/identity";
import type { Room } from "#views/rooms";
import { isPrefetch, parseQueryNumber } from "../../../server/pages/page-context.ts";
import type { PanelProps } from "../../../ui/trade/types.ts";
import { conversationOf, likelyPage, markShownRead } from "../room-view.ts";
import { readAskedReply } from "./asked-reply.ts";
import { newMessagesAbove, newMessagesBelow, roomPlaceIn } from "./room-place.ts";

type FoundRoom = { room: Room; lastSeq: number; panel: PanelProps };

/**
 * Begins to read what the conversation shows at an address, before the room itself is known: the page nearly always shows exactly these
 * messages. The function that it returns reads the rest, and marks what is shown as read.
 */
export function beginTalk(member: Member, roomId: number, request: Request) {
  const query = new URL(request.url).searchParams;
  const place = roomPlaceIn(query);
  const likely = likelyPage(member, roomId, place);
  // A refusal for the room itself comes first.
  likely.catch(() => undefined);
  const latest = place.before === undefined && place.since === undefined && place.around === undefined;
  return async (found: FoundRoom) => {
    const [shown, reply] = await Promise.all([
      conversationOf(member, found, place, await likely),
      readAskedReply(member, roomId, parseQueryNumber(query.get("reply"))),
    ]);
    const conversation = { ...shown, reply };
    const above = latest ? await newMessagesAbove(member, conversation) : null;
    // Opening a page of older messages does not mean that the latest were read.
    if (latest && !isPrefetch(request)) await markShownRead(member, conversation);
    const below = latest || place.before !== undefined ? null : newMessagesBelow(conversation, found.lastSeq);
    return { conversation, above, below };
  };
}
