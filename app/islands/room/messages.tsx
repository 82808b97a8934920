import { useRef } from "react";
import { Bubble, PendingBubble } from "./bubble.tsx";
import { useStayAtEnd } from "./stay-at-end.ts";
import type { RoomProps } from "./types.ts";
import type { useRoom } from "./use-room.ts";

/** What was said, and what of it is still on its way. */
export function Messages(props: RoomProps & { room: ReturnType<typeof useRoom> }) {
  const { room, strings } = props;
  const list = useRef<HTMLDivElement>(null);
  const shown = room.messages.filter(({ type }) => type !== "payment" && type !== "payment_qr");
  useStayAtEnd(list, `${shown.at(-1)?.seq} ${room.pending.length}`);
  return (
    <div
      ref={list}
      // The list scrolls inside itself, so a keyboard must be able to reach it.
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region needs a stop for the keyboard
      tabIndex={0}
      role="log"
      aria-label={strings.messages}
      className="min-h-40 flex-1 overflow-y-auto"
    >
      <ol className="grid content-start gap-2">
        {props.hasOlder && (
          <li className="text-center">
            <a
              href={props.olderHref}
              className="inline-flex min-h-11 items-center font-semibold text-brand underline underline-offset-4"
            >
              {strings.older}
            </a>
          </li>
        )}
        {shown.length === 0 && room.pending.length === 0 && <li className="text-quiet">{strings.empty}</li>}
        {shown.map((message) => (
          <Bubble key={message.seq} message={message} seats={room.seats} me={props.me} strings={strings} />
        ))}
        {room.pending.map((item) => (
          <PendingBubble key={item.clientId} item={item} strings={strings} retry={() => room.retry(item)} />
        ))}
      </ol>
    </div>
  );
}
