import { Clock, EllipsisVertical, Image, UserPlus } from "lucide";
import type { ReactNode } from "react";
import { formatLongDay, formatShortRemaining } from "#format";
import { paths } from "../../paths.ts";
import { useLanguage, useT, useText } from "../../ui/frame/i18n.tsx";
import { UnreadCount } from "../../ui/frame/unread-count.tsx";
import { Avatar } from "../../ui/layout/avatar.tsx";
import { Icon } from "../../ui/layout/icon.tsx";
import { ShortTime } from "../../ui/layout/short-time.tsx";
import { StateChip } from "../../ui/trade/progress/state-chip.tsx";
import type { RoomShown } from "./types.ts";

interface Props {
  room: RoomShown;
  /** The page of the list, over which a room's dialogs open. */
  here: string;
  /** The server's time, ISO 8601. */
  now: string;
  /** Whether the page is this room's own. */
  open: boolean;
}

/** One line of a row that may end early; where large text leaves few letters to a line, three whole words at a time. */
const lineClasses = "line-clamp-1 min-w-0 wrap-anywhere @max-[15rem]:line-clamp-3 @max-[15rem]:basis-full";

/**
 * A room in the list, as one row that leads into it; what else can be done with it is behind its menu. On a phone the person's name and the
 * state are whole: the room's name, the time and the money's state give way to them.
 */
export function RoomRow({ room, here, now, open }: Props) {
  const t = useT();
  const { other } = room;
  return (
    <li
      id={`room-${room.id}`}
      data-status={room.trade?.status}
      className={`@container relative border-b border-line last:border-b-0 ${open ? "bg-brand-soft" : "bg-card"}`}
    >
      <div className="flex items-center gap-x-2.5 py-1.25 pr-[min(2.25rem,14vw)] pl-3 text-[0.8125rem] leading-4.5">
        <Face room={room} />
        <div className="grid min-w-0 grow">
          <div className="flex items-start gap-x-2 text-[0.9375rem] leading-5 @max-[15rem]:flex-wrap">
            {other ? (
              <p
                data-person
                className="line-clamp-2 min-w-0 grow font-bold wrap-anywhere @max-[15rem]:basis-full"
              >
                {other.name}
              </p>
            ) : (
              <RoomName room={room} open={open} className="font-bold" />
            )}
            <Moments room={room} now={now} />
          </div>
          <div className="flex items-center gap-x-2 @max-[15rem]:flex-wrap">
            {other ? (
              <RoomName room={room} open={open} />
            ) : (
              <p className={`grow text-quiet ${lineClasses}`}>{t("chat.nobody")}</p>
            )}
            {room.trade?.sum && <Sum sum={room.trade.sum} />}
          </div>
          <StateLine room={room} />
        </div>
      </div>
      <Menu room={room} here={here} />
    </li>
  );
}

function RoomName({ room, open, className = "" }: Pick<Props, "room" | "open"> & { className?: string }) {
  return (
    <h3 className={`grow max-[22rem]:line-clamp-none ${className} ${lineClasses}`}>
      <a
        href={paths.room(room.id)}
        aria-current={open ? "page" : undefined}
        className="text-ink no-underline after:absolute after:inset-0"
      >
        {room.name}
      </a>
    </h3>
  );
}

/** The other person's initials, with a dot while they are in the room. */
function Face({ room: { other } }: Pick<Props, "room">) {
  const text = useText();
  if (other === null) {
    return (
      <span className="grid size-9 shrink-0 place-items-center rounded-full border @max-[15rem]:hidden border-dashed border-edge text-quiet">
        <Icon of={UserPlus} className="size-4" />
      </span>
    );
  }
  return (
    <span className="relative grid size-9 shrink-0 @max-[15rem]:size-auto">
      <span className="grid @max-[15rem]:hidden">
        <Avatar initials={other.initials} />
      </span>
      {other.presence !== "offline" && (
        <span
          data-presence={other.presence}
          className={`absolute right-0 bottom-0 size-3 rounded-full border-2 border-card @max-[15rem]:static ${other.presence === "online" ? "bg-good" : "bg-warn"}`}
        >
          <span className="sr-only">{text(`room.presence.${other.presence}`)}</span>
        </span>
      )}
    </span>
  );
}

/** The unread messages, and how long there is for the next step. A phone shows the time of the last activity only where no such time runs. */
function Moments({ room: { unread, next, activityAt }, now }: Pick<Props, "room" | "now">) {
  const left = next?.dueAt ? Math.max(0, Date.parse(next.dueAt) - Date.parse(now)) : 0;
  return (
    <div className="flex shrink-0 items-center gap-x-2 @max-[15rem]:shrink @max-[15rem]:flex-wrap">
      <UnreadCount unread={unread} />
      {left > 0 && <TimeForStep left={left} />}
      <span className={`flex ${left > 0 ? "@max-[30rem]:hidden" : ""}`}>
        <ShortTime at={activityAt} now={now} />
      </span>
    </div>
  );
}

function TimeForStep({ left }: { left: number }) {
  const t = useT();
  const time = formatShortRemaining(left, useLanguage());
  return (
    <span data-left className="flex items-center gap-x-1 text-xs whitespace-nowrap">
      <Icon of={Clock} className="size-3.5" />
      <span aria-hidden="true" className="@min-[30rem]:hidden">
        {time}
      </span>
      <span className="@max-[30rem]:sr-only">{t("chat.left", { time })}</span>
    </span>
  );
}

/**
 * Whose turn it is and for what, or how the trade ended; where the other person wrote since, what they wrote. A draft, which a script fills in,
 * replaces either. The state of the money has its word wherever the line does not say the state itself.
 */
function StateLine({ room }: Pick<Props, "room">) {
  const t = useT();
  const { next, trade, group } = room;
  const isStep = next !== null && group !== "finished";
  return (
    <div className="flex items-center gap-x-1.5 @max-[15rem]:flex-wrap">
      <p
        data-draft-of={room.id}
        data-draft-by={room.readerId}
        data-draft-word={t("chat.draft")}
        className={`peer order-2 font-medium text-bad empty:hidden ${lineClasses}`}
      />
      {trade && (
        <span
          className={`flex shrink-0 ${isStep ? "@max-[30rem]:sr-only @max-[30rem]:peer-[:not(:empty)]:not-sr-only" : ""}`}
        >
          <StateChip money={trade.money} word={trade.word} />
        </span>
      )}
      {next ? (
        <StateWords next={next} own={group === "yours"} ended={!isStep} />
      ) : (
        <p
          className={`order-3 peer-[:not(:empty)]:hidden ${room.unread > 0 ? "font-medium" : "text-quiet"} ${lineClasses}`}
        >
          <LastMessage room={room} />
        </p>
      )}
    </div>
  );
}

interface StateWordsProps {
  next: NonNullable<RoomShown["next"]>;
  /** Whether it is the reader's turn. */
  own: boolean;
  /** Whether the trade is over; a phone then has room for the chip alone, which says the same. */
  ended: boolean;
}

function StateWords({ next, own, ended }: StateWordsProps) {
  const t = useT();
  const text = useText();
  return (
    <p
      data-state
      className={`order-3 min-w-0 wrap-anywhere peer-[:not(:empty)]:hidden ${own ? "font-medium text-brand" : "text-quiet"} ${ended ? "@max-[30rem]:sr-only" : ""}`}
    >
      {text(next.key, { sum: next.sum })}
      {next.overdue && (
        <span data-left className="whitespace-pre text-bad">
          {" · "}
          {t("clock.overdue")}
        </span>
      )}
    </p>
  );
}

function LastMessage({ room: { last, other, description } }: Pick<Props, "room">) {
  const t = useT();
  const author = last?.by === "me" ? t("chat.youSaid") : last?.by === "them" && other ? `${other.name}:` : "";
  if (last === null) return description ?? t("chat.noMessages");
  return (
    <>
      {author} {last.image && <Icon of={Image} className="inline size-4 align-text-bottom" />} {last.text}
    </>
  );
}

function Sum({ sum: { label, sum } }: { sum: { label: string; sum: string } }) {
  const text = useText();
  return (
    <p className="shrink-0 font-bold whitespace-nowrap tabular-nums @max-[15rem]:shrink">
      <span className="sr-only">{text(label)} </span>
      {sum}
    </p>
  );
}

/** The address of a dialog about a room, over the current page of the list. */
function roomDialogPath(here: string, name: string, room: RoomShown): string {
  return `${here}${here.includes("?") ? "&" : "?"}dialog=${name}&room=${room.id}`;
}

/** Opens below the row, so that nothing on a small screen covers or cuts it. */
function Menu({ room, here }: Pick<Props, "room" | "here">) {
  const t = useT();
  const language = useLanguage();
  const { other } = room;
  return (
    <details data-menu className="group">
      <summary className="absolute top-3 right-0 z-1 grid size-[min(2.75rem,14vw)] cursor-pointer place-items-center rounded-control text-quiet group-open:text-brand hover:text-ink">
        <Icon of={EllipsisVertical} />
        <span className="sr-only">{t("chat.more", { name: room.name })}</span>
      </summary>
      <div className="relative z-1 grid gap-1 bg-sunk px-3 py-2 text-sm">
        {other && (
          <p className="wrap-anywhere">
            {other.name} · {t(`roles.${other.role}`)}
          </p>
        )}
        {room.description && <p className="wrap-anywhere">{room.description}</p>}
        <p className="text-quiet">{t("chat.created", { date: formatLongDay(room.createdAt, language) })}</p>
        <div className="-mx-2 flex flex-wrap gap-x-1">
          <MenuLink to={paths.room(room.id)} label={t("chat.enterRoom", { name: room.name })}>
            {t("chat.enter")}
          </MenuLink>
          {other === null && (
            <MenuLink to={roomDialogPath(here, "invite", room)}>{t("chat.invite")}</MenuLink>
          )}
          {room.ended && other && (
            <MenuLink to={`${paths.chat}?dialog=create&with=${room.id}`}>{t("chat.again")}</MenuLink>
          )}
          <MenuLink to={`${paths.room(room.id)}?dialog=leave`} danger>
            {t("room.leave")}
          </MenuLink>
          {room.mine && (
            <MenuLink
              to={roomDialogPath(here, "delete", room)}
              label={t("chat.deleteRoom", { name: room.name })}
              danger
            >
              {t("chat.delete")}
            </MenuLink>
          )}
        </div>
      </div>
    </details>
  );
}

function MenuLink(props: { to: string; label?: string; danger?: boolean; children: ReactNode }) {
  return (
    <a
      href={props.to}
      aria-label={props.label}
      className={`inline-flex min-h-11 items-center rounded-control px-2 font-semibold no-underline hover:bg-card ${props.danger ? "text-bad" : "text-brand"}`}
    >
      {props.children}
    </a>
  );
}
