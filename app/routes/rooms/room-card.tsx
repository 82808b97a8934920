import { ChevronRight, Image, UserPlus } from "lucide";
import { formatLongDay } from "#format";
import { roomLimits } from "#forms/rooms";
import { paths } from "../../paths.ts";
import { useLanguage, useT, useText } from "../../ui/frame/i18n.tsx";
import { Avatar } from "../../ui/layout/avatar.tsx";
import { Icon } from "../../ui/layout/icon.tsx";
import { MoneyState } from "../../ui/trade/progress/money-state.tsx";
import { ShortTime } from "./short-time.tsx";
import type { PendingTask, RoomShown, TradeSummary } from "./types.ts";

/** A room in the list: the other person, the last message, the state of its trade, and the reader's task. */
export function RoomCard({ room, here, now }: { room: RoomShown; here: string; now: string }) {
  return (
    <article
      id={`room-${room.id}`}
      className={`relative grid scroll-mt-4 grid-cols-1 gap-x-6 gap-y-2 rounded-card border border-line p-3 sm:p-4 lg:grid-cols-[minmax(0,1fr)_20rem] lg:grid-rows-[1fr_auto] ${room.ended ? "bg-page" : "bg-card"}`}
    >
      <Head room={room} now={now} />
      <div className="grid grid-cols-1 content-start gap-2 empty:hidden lg:col-start-2 lg:row-span-2">
        {room.trade && <Trade {...room.trade} told={room.waits !== null} />}
        {room.waits && (
          <PendingTaskLink
            waits={room.waits}
            href={room.waits.href ?? roomDialogPath(here, room.waits.key, room)}
          />
        )}
      </div>
      <Foot room={room} here={here} />
    </article>
  );
}

/** The address of a dialog about a room, over the current page of the list. */
function roomDialogPath(here: string, name: string, room: RoomShown): string {
  return `${here}${here.includes("?") ? "&" : "?"}dialog=${name}&room=${room.id}`;
}

function Head({ room, now }: { room: RoomShown; now: string }) {
  const t = useT();
  const { other, description } = room;
  return (
    <div className="flex gap-3">
      {other ? (
        <Avatar initials={other.initials} />
      ) : (
        <span className="grid size-9 shrink-0 place-items-center rounded-full border border-dashed border-edge text-quiet">
          <Icon of={UserPlus} className="size-4" />
        </span>
      )}
      <div className="min-w-0 grow">
        <div className="flex items-start gap-2">
          <h2 className="line-clamp-2 min-w-0 grow leading-snug font-bold wrap-anywhere">
            <a
              href={paths.room(room.id)}
              className="text-ink no-underline after:absolute after:inset-0 after:rounded-card"
            >
              {room.name}
            </a>
          </h2>
          <ShortTime at={room.activityAt} now={now} />
        </div>
        <p className="line-clamp-1 text-sm text-quiet wrap-anywhere">
          {other ? `${other.name} · ${t(`roles.${other.role}`)}` : t("chat.nobody")}
        </p>
        {description && (
          <p className="line-clamp-1 text-sm text-quiet wrap-anywhere sm:line-clamp-2">{description}</p>
        )}
        {(other || room.last) && <LastMessageLine room={room} />}
      </div>
    </div>
  );
}

/** The last message, and how many are unread. */
function LastMessageLine({ room: { last, unread } }: { room: RoomShown }) {
  const t = useT();
  const many = unread > roomLimits.unreadShown;
  return (
    <p className={`mt-1 flex items-center gap-2 ${unread > 0 ? "font-semibold" : "text-quiet"}`}>
      {last?.image && <Icon of={Image} className="size-4" />}
      <span className="line-clamp-1 min-w-0 grow wrap-anywhere">
        {last === null
          ? t("chat.noMessages")
          : last.by === "me"
            ? `${t("chat.youSaid")} ${last.text}`
            : last.text}
      </span>
      {unread > 0 && (
        <span className="grid h-6 min-w-6 shrink-0 place-items-center rounded-full bg-brand px-1.5 text-sm font-bold text-brand-ink tabular-nums">
          <span aria-hidden="true">{many ? `${roomLimits.unreadShown}+` : unread}</span>
          <span className="sr-only">{many ? t("chat.unreadMany") : t("chat.unread", { count: unread })}</span>
        </span>
      )}
    </p>
  );
}

/** `told`: the card already shows that it is the reader's turn. */
function Trade({ status, money, sum, turn, told }: TradeSummary & { told: boolean }) {
  const text = useText();
  return (
    <div className="grid gap-1 text-sm" data-status={status}>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <MoneyState money={money} />
        {status !== money && <span>{text(`status.${status}`)}</span>}
        {sum && (
          <span className="text-quiet">
            {text(sum.label)} <strong className="text-base text-ink tabular-nums">{sum.sum}</strong>
          </span>
        )}
      </p>
      {turn && !told && <p className="text-quiet">{text(`trade.turn.${turn}`, { at: "" })}</p>}
    </div>
  );
}

/** The reader's task, as a link to where it is done. */
function PendingTaskLink({ waits, href }: { waits: PendingTask; href: string }) {
  const text = useText();
  return (
    <a
      href={href}
      className="relative z-1 flex min-h-11 items-center gap-2 rounded-control bg-brand-soft px-3 py-2 font-semibold text-brand no-underline hover:[filter:brightness(0.97)]"
    >
      <span className="min-w-0 grow wrap-anywhere">
        {text(`chat.waits.${waits.key}`, { sum: waits.sum })}
      </span>
      <Icon of={ChevronRight} className="size-5" />
    </a>
  );
}

const roomLinkClasses =
  "relative z-1 inline-flex min-h-11 items-center rounded-control px-2 font-semibold no-underline";

function Foot({ room, here }: { room: RoomShown; here: string }) {
  const t = useT();
  const language = useLanguage();
  return (
    <div className="-mx-2 -mb-2 flex flex-wrap items-center gap-x-1 lg:col-start-1">
      <a
        href={paths.room(room.id)}
        aria-label={t("chat.enterRoom", { name: room.name })}
        className={`${roomLinkClasses} text-brand hover:bg-brand-soft`}
      >
        {t("chat.enter")}
      </a>
      {room.mine && (
        <a
          href={roomDialogPath(here, "delete", room)}
          aria-label={t("chat.deleteRoom", { name: room.name })}
          className={`${roomLinkClasses} text-bad hover:bg-bad-soft`}
        >
          {t("chat.delete")}
        </a>
      )}
      <span className="ml-auto px-2 py-1 text-sm text-quiet sm:order-last">
        {t("chat.created", { date: formatLongDay(room.createdAt, language) })}
      </span>
      {room.ended && room.other && (
        <a
          href={`${paths.chat}?dialog=create&with=${room.id}`}
          className={`${roomLinkClasses} text-brand hover:bg-brand-soft`}
        >
          {t("chat.again")}
        </a>
      )}
    </div>
  );
}
