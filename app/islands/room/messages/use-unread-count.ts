import { useEffect, useRef } from "react";
import { markAppIcon } from "../../../enhance/browser/app-badge.ts";
import type { Message, Seat } from "../types.ts";
import { isReadableMessage } from "./message-lines.ts";
import { isOwnAct } from "./own-acts.ts";

/**
 * Shows in the page's title and at the installed app's icon how many messages of others and of Midman have come while the page was out of
 * sight. Hidden messages and notices of the reader's own acts do not count, nor what the reader has read elsewhere (`read` is the last
 * `seq`). Returning to the page clears both.
 * `message-unseen` and `message-seen` on the document ask for a sound and take that back.
 */
export function useUnreadCount(
  messages: Message[],
  { id, role }: Pick<Seat, "id" | "role">,
  read: number,
): void {
  const last = messages.at(-1)?.seq ?? 0;
  const seen = useRef(last);
  const announced = useRef(last);
  const shown = useRef(0);
  useEffect(() => {
    const show = (unseen: Message[]) => {
      const count = unseen.length;
      if (count === 0 && shown.current === 0) return;
      shown.current = count;
      const plain = document.title.replace(/^\(\d+\) /, "");
      document.title = count === 0 ? plain : `(${count}) ${plain}`;
      markAppIcon({ here: count });
      const newest = unseen.at(-1)?.seq ?? 0;
      if (count === 0) document.dispatchEvent(new Event("message-seen"));
      else if (newest > announced.current) document.dispatchEvent(new Event("message-unseen"));
      announced.current = Math.max(announced.current, newest);
    };
    const look = () => {
      if (document.visibilityState === "visible") seen.current = last;
      const known = Math.max(seen.current, read);
      show(
        messages.filter((one) => one.seq > known && !isOwnAct(one, { id, role }) && isReadableMessage(one)),
      );
    };
    look();
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  }, [messages, id, role, last, read]);
}
