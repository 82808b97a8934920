import { markAppIcon } from "../browser/app-badge.ts";

/**
 * Shows the number of unread messages that came with an answer (`<span data-unread-mark="3">`) in place of all that the page shows.
 * Says on the document whether there are more now (`message-unseen`) or fewer (`message-seen`).
 */
export function showUnread(answer: ParentNode): void {
  const fresh = answer.querySelector<HTMLElement>("[data-unread-mark]");
  if (fresh === null) return;
  const former = document.querySelector<HTMLElement>("[data-unread-mark]");
  for (const mark of document.querySelectorAll("[data-unread-mark]")) mark.replaceWith(fresh.cloneNode(true));
  const [unread, known] = [Number(fresh.dataset.unreadMark), Number(former?.dataset.unreadMark ?? 0)];
  if (unread !== known) document.dispatchEvent(new Event(unread > known ? "message-unseen" : "message-seen"));
  markAppIcon({ elsewhere: unread });
}
