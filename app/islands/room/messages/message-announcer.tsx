import { useState } from "react";
import { authorName } from "../seat.ts";
import type { Message, RoomStrings, Seat } from "../types.ts";
import { isReadableMessage } from "./message-lines.ts";

/**
 * Announces new messages of others and of Midman to screen readers while the page is open; never the history or the reader's own messages.
 */
export function MessageAnnouncer(props: {
  messages: Message[];
  seats: Seat[];
  me: number;
  strings: Pick<RoomStrings, "notice" | "mine" | "formerMember">;
}) {
  const { messages, me, strings } = props;
  const [start] = useState(messages.at(-1)?.seq ?? 0);
  const fresh = messages
    .slice(-3)
    .filter((message) => message.seq > start && message.senderId !== me && isReadableMessage(message));
  const authorOf = (id: number | null) => (id === null ? strings.notice : authorName(id, props));
  return (
    <div aria-live="polite" className="sr-only">
      {fresh.map(({ seq, senderId, content }) => (
        <p key={seq}>{`${authorOf(senderId)}: ${content}`}</p>
      ))}
    </div>
  );
}
