import { useEffect, useMemo, useRef } from "react";
import { formatDay } from "#format";
import { useMessageActions } from "../actions/use-message-actions.ts";
import { JumpToLatest } from "../scrolling/jump-to-latest.tsx";
import { Stretch, useStretches } from "../scrolling/message-stretch.tsx";
import { OlderMessagesLink } from "../scrolling/older-messages-link.tsx";
import { useReadMark } from "../scrolling/use-read-mark.ts";
import { useScrollPlace } from "../scrolling/use-scroll-place.ts";
import type { Quote, RoomProps } from "../types.ts";
import type { useRoom } from "../use-room.ts";
import { findAskingSeqs } from "./asking-notices.ts";
import { MessageAnnouncer } from "./message-announcer.tsx";
import { PendingBubble } from "./message-bubble.tsx";
import {
  findFirstNewSeq,
  messageLinesOf,
  partOf,
  readByOthers,
  seqOf,
  stretchesOf,
  stretchOf,
} from "./message-lines.ts";
import { MessagePart } from "./message-part.tsx";
import { TrustOnlyNotices } from "./room-notice.tsx";

/**
 * Messages above this number are dropped once the reader is back at the end, in steps of `trimStep`: dropping all at once would block a
 * slow phone.
 */
const maxKeptMessages = 400;
const trimStep = 100;

interface MessagesProps extends Omit<RoomProps, "reply"> {
  room: ReturnType<typeof useRoom>;
  reply: (quote: Quote) => void;
}

/** The messages of the room and those that are still being sent. */
export function Messages(props: MessagesProps) {
  const { room, strings, me } = props;
  const { messages, pending } = room;
  const list = useRef<HTMLDivElement>(null);
  const end = useRef<HTMLDivElement>(null);
  const { away, toEnd } = useScrollPlace(list, end, messages.at(-1)?.seq ?? 0, pending.length);
  useReadMark(end, room);
  useMessageActions(list, { ...props, messages, seats: room.seats });
  const tooMany = away === null && messages.length > maxKeptMessages;
  useEffect(() => {
    if (tooMany) room.trim(Math.max(maxKeptMessages, messages.length - trimStep));
  });
  return (
    <div
      // A long explanation of the suspension follows below; part of the conversation stays visible.
      className={`relative grow ${room.suspension === undefined ? "min-h-0" : "min-h-1/3 shrink-0"}`}
    >
      <div
        ref={list}
        // The list scrolls inside itself, so a keyboard must be able to reach it.
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region needs a stop for the keyboard
        tabIndex={0}
        role="log"
        // MessageAnnouncer reads out new messages of others only.
        aria-live="off"
        aria-label={strings.messages}
        aria-describedby={room.live ? "messages-keys" : undefined}
        // A reversed column shows its end before any script, grows at its head without a jump, and stays at its end. An opaque background
        // lets the browser scroll the list as a layer instead of repainting each step; strict containment keeps layout changes inside from
        // affecting the page.
        className="absolute inset-0 flex flex-col-reverse overscroll-contain contain-strict overflow-y-auto bg-page [overflow-anchor:none]"
      >
        {/* Plain blocks: a grid or flex box lays out all its hundreds of parts again whenever one of them becomes visible. */}
        <div className="min-w-0 shrink-0 px-2.5 lg:px-6">
          {!room.hasOlder && messages.length > 0 && <TrustOnlyNotices strings={strings} />}
          {room.hasOlder && (
            <OlderMessagesLink
              href={props.olderHref}
              words={strings.older}
              load={room.older}
              first={messages[0]?.seq}
              isSought={away !== null}
            />
          )}
          <div data-said>
            <MessageHistory {...props} />
          </div>
          {pending.length > 0 && (
            <ol>
              {pending.map((item) => (
                <PendingBubble key={item.clientId} item={item} {...room} me={me} strings={strings} />
              ))}
            </ol>
          )}
          <div ref={end} className="h-1" />
        </div>
      </div>
      {room.live && (
        <p id="messages-keys" hidden>
          {strings.messageKeys}
        </p>
      )}
      {away !== null && (
        <JumpToLatest messages={messages} me={me} after={away} words={strings.latest} go={toEnd} />
      )}
      <MessageAnnouncer messages={messages} seats={room.seats} me={me} strings={strings} />
    </div>
  );
}

function MessageHistory(props: MessagesProps) {
  const { room, roomId, strings, me, code, readSeq, now } = props;
  const { messages, seats, handOver, askingCodes } = room;
  const atFirst = props.messages.at(-1)?.seq ?? 0;
  const role = seats.find(({ id }) => id === me)?.role ?? "buyer";
  const parts = useMemo(
    () => messageLinesOf(messages, findFirstNewSeq(messages, { id: me, role }, { readSeq, atFirst })),
    [messages, me, role, readSeq, atFirst],
  );
  const askingSeqs = findAskingSeqs(messages, askingCodes);
  const read = readByOthers(room.read, seats, me);
  const watch = useStretches();
  // A page that stays open past midnight learns of the new day from its first message.
  const today = [now, messages.at(-1)?.createdAt ?? now].map(formatDay).sort().at(-1) ?? "";
  if (parts.length === 0 && room.pending.length === 0)
    return <p className="py-4 text-center text-quiet">{strings.empty}</p>;
  return stretchesOf(parts).map((stretch) => (
    <Stretch key={stretchOf(seqOf(stretch[0]?.[0]))} watch={watch}>
      {stretch.map((lines) => {
        const [from, to] = [seqOf(lines[0]), seqOf(lines.at(-1))];
        // Limited to this part's range, so that the part is not rendered again when others are read.
        const mark = Math.max(from - 1, Math.min(read, to));
        return (
          <MessagePart
            key={partOf(from)}
            lines={lines}
            readSeq={mark}
            {...{ today, roomId, seats, me, code, handOver, askingSeqs, strings }}
          />
        );
      })}
    </Stretch>
  ));
}
