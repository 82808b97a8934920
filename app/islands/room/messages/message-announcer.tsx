import { useState } from "react";
import type { Message, Seat } from "../types.ts";
import { isReadableMessage } from "./message-lines.ts";

/**
 * Announces new messages of others and of Midman to screen readers while the page is open; never the history or the reader's own messages.
 */
export function MessageAnnouncer(props: { messages: Message[]; seats: Seat[]; me: number; notice: string }) {
  const { messages, seats, me, notice } = props;
  const [start] = useState(messages.at(-1)?.seq ?? 0);
  const fresh = messages
    .slice(-3)
    .filter((message) => message.seq > start && message.senderId !== me && isReadableMessage(message));
  const nameOf = (id: number | null) => seats.find((seat) => seat.id === id)?.displayName ?? notice;
  return (
    <div aria-live="polite" className="sr-only">
      {fresh.map(({ seq, senderId, content }) => (
        <p key={seq}>{`${nameOf(senderId)}: ${content}`}</p>
      ))}
    </div>
  );
}
