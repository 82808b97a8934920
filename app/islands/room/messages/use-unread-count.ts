import { useEffect, useRef } from "react";
import { markAppIcon } from "../../../enhance/browser/app-badge.ts";
import type { Message } from "../types.ts";
import { isReadableMessage } from "./message-lines.ts";

/**
 * Shows in the page's title and at the installed app's icon how many messages of others and of Midman have come while the page was out of
 * sight. Hidden messages do not count. Returning to the page clears both. `message-unseen` and `message-seen` on the document ask for a sound and
 * take that back.
 */
export function useUnreadCount(messages: Message[], me: number): void {
  const last = messages.at(-1)?.seq ?? 0;
  const seen = useRef(last);
  const announced = useRef(last);
  useEffect(() => {
    const plain = document.title.replace(/^\(\d+\) /, "");
    const count =
      document.visibilityState === "visible"
        ? 0
        : messages.filter(
            (message) => message.seq > seen.current && message.senderId !== me && isReadableMessage(message),
          ).length;
    if (count === 0) return;
    document.title = `(${count}) ${plain}`;
    markAppIcon({ here: count });
    if (announced.current < last) document.dispatchEvent(new Event("message-unseen"));
    announced.current = last;
    const clear = () => {
      if (document.visibilityState !== "visible") return;
      seen.current = last;
      document.title = plain;
      markAppIcon({ here: 0 });
      document.dispatchEvent(new Event("message-seen"));
    };
    document.addEventListener("visibilitychange", clear);
    return () => document.removeEventListener("visibilitychange", clear);
  }, [messages, me, last]);
  // What arrives while the page is looked at has been seen.
  useEffect(() => {
    if (document.visibilityState === "visible") seen.current = last;
  }, [last]);
}
