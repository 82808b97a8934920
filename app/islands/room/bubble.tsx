import { clock } from "./clock.ts";
import { Notice } from "./notice.tsx";
import type { Message, Pending, Seat, Strings } from "./types.ts";

interface BubbleProps {
  message: Message;
  seats: Seat[];
  me: number;
  strings: Strings;
}

/** One message. A notice of Midman's own is another element with another look: nothing a member types can become one. */
export function Bubble({ message, seats, me, strings }: BubbleProps) {
  if (message.type === "system") return <Notice message={message} label={strings.notice} />;
  const mine = message.senderId === me;
  const sender = seats.find((seat) => seat.id === message.senderId);
  return (
    <li className={`grid max-w-[85%] gap-0.5 ${mine ? "justify-self-end" : "justify-self-start"}`}>
      {!mine && <span className="text-xs text-quiet">{sender?.displayName}</span>}
      <p
        className={`rounded-2xl px-3 py-2 whitespace-pre-wrap wrap-anywhere ${mine ? "bg-brand text-brand-ink" : "bg-brand-soft"}`}
      >
        {message.content}
      </p>
      <time className={`text-xs text-quiet ${mine ? "text-right" : ""}`} dateTime={message.createdAt}>
        {clock(message.createdAt)}
      </time>
    </li>
  );
}

/** A message on its way: paler, and with a way to send it again once it failed. */
export function PendingBubble(props: { item: Pending; strings: Strings; retry: () => void }) {
  const { item, strings } = props;
  return (
    <li className="grid max-w-[85%] gap-0.5 justify-self-end">
      <p className="rounded-2xl bg-brand px-3 py-2 whitespace-pre-wrap wrap-anywhere text-brand-ink opacity-70">
        {item.content}
      </p>
      {item.failed !== undefined && (
        <button
          type="button"
          onClick={props.retry}
          className="min-h-11 cursor-pointer text-right text-sm font-semibold text-bad underline"
        >
          {item.failed} {strings.unsent}
        </button>
      )}
    </li>
  );
}
