import { useEffect, useRef } from "react";
import type { Message } from "../types.ts";
import { isReadableMessage } from "./message-lines.ts";

/** The part of `navigator` that marks the icon of an installed app; absent in many browsers. */
type AppBadge = { setAppBadge?(count: number): Promise<void>; clearAppBadge?(): Promise<void> };

/**
 * Shows in the page's title and at the installed app's icon how many messages of others and of Midman have come while the page was out of
 * sight. Hidden messages do not count. Returning to the page clears both.
 */
export function useUnreadCount(messages: Message[], me: number): void {
  const last = messages.at(-1)?.seq ?? 0;
  const seen = useRef(last);
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
    markIcon(count);
    const clear = () => {
      if (document.visibilityState !== "visible") return;
      seen.current = last;
      document.title = plain;
      markIcon(0);
    };
    document.addEventListener("visibilitychange", clear);
    return () => document.removeEventListener("visibilitychange", clear);
  }, [messages, me, last]);
  // What arrives while the page is looked at has been seen.
  useEffect(() => {
    if (document.visibilityState === "visible") seen.current = last;
  }, [last]);
}

function markIcon(count: number): void {
  const badge = navigator as unknown as AppBadge;
  const marked = count > 0 ? badge.setAppBadge?.(count) : badge.clearAppBadge?.();
  // Not allowed in a page that is not installed.
  marked?.catch(() => {});
}
