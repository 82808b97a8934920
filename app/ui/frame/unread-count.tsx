import { roomLimits } from "#constants/rooms";
import { useT } from "./i18n.tsx";
import { useVisit } from "./visit.tsx";

/** A number of unread messages, in words for screen readers; nothing for none. */
export function UnreadCount({ unread }: { unread: number }) {
  const t = useT();
  if (unread === 0) return null;
  const many = unread > roomLimits.unreadShown;
  return (
    <span className="inline-grid h-5 min-w-5 place-items-center rounded-full bg-brand px-1.5 text-xs font-bold text-brand-ink">
      <span aria-hidden="true">{many ? `${roomLimits.unreadShown}+` : unread}</span>
      <span className="sr-only">{many ? t("chat.unreadMany") : t("chat.unread", { count: unread })}</span>
    </span>
  );
}

/** Unread messages in the other rooms, beside a link to the rooms; a script keeps the number up to date where a list or a room is open. */
export function UnreadMark({ unread }: { unread: number }) {
  return (
    <span data-unread-mark={unread}>
      <UnreadCount unread={unread} />
    </span>
  );
}

/** The mark with what the server counted for this page. */
export function VisitUnreadMark() {
  return <UnreadMark unread={useVisit().unread} />;
}
