import { EllipsisVertical, Image, UserPlus } from "lucide";
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
  /** Whether the list is a column beside a room. */
  narrow: boolean;
}

/** One line of a row; where large text leaves few letters to a line, three whole words at a time. */
const lineClasses =
  "line-clamp-1 break-all @max-[15rem]:line-clamp-3 @max-[15rem]:basis-full @max-[15rem]:break-normal @max-[15rem]:wrap-anywhere";

/** A room in the list, as one row that leads into it; what else can be done with it is behind its menu. */
export function RoomRow({ room, here, now, open, narrow }: Props) {
  return (
    <li
      id={`room-${room.id}`}
      data-status={room.trade?.status}
      className={`@container relative border-b border-line last:border-b-0 ${open ? "bg-brand-soft" : "bg-card"}`}
    >
      <div className="flex items-center gap-x-2.5 py-2.5 pr-[min(2.25rem,14vw)] pl-3 text-sm">
        <Face room={room} />
        <div className="grid min-w-0 grow gap-y-0.5">
          <div className="flex items-center gap-x-2 @max-[15rem]:flex-wrap">
            <h3 className={`min-w-0 grow text-base leading-6 font-bold ${lineClasses}`}>
              <a
                href={paths.room(room.id)}
                aria-current={open ? "page" : undefined}
                className="text-ink no-underline after:absolute after:inset-0"
              >
                {room.name}
              </a>
            </h3>
            <ShortTime at={room.activityAt} now={now} />
            {room.trade?.sum && <Sum sum={room.trade.sum} />}
          </div>
          <div className="flex items-center gap-x-2 @max-[15rem]:flex-wrap">
            <SecondLine room={room} now={now} />
            <UnreadCount unread={room.unread} />
            {room.trade && <StateChip money={room.trade.money} narrow={narrow} />}
          </div>
        </div>
      </div>
      <Menu room={room} here={here} />
    </li>
  );
}

/** The other person's initials, with a dot while they are in the room. */
function Face({ room: { other } }: Pick<Props, "room">) {
  const t = useT();
  const text = useText();
  if (other === null) {
    return (
      <span className="grid size-9 shrink-0 place-items-center rounded-full border @max-[15rem]:hidden border-dashed border-edge text-quiet">
        <Icon of={UserPlus} className="size-4" />
        <span className="sr-only">{t("chat.nobody")}</span>
      </span>
    );
  }
  return (
    <span className="relative grid size-9 shrink-0 @max-[15rem]:size-auto">
      <span className="grid @max-[15rem]:hidden">
        <Avatar initials={other.initials} />
      </span>
      <span className="sr-only">{other.name}</span>
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

/**
 * What happens next and how long there is for it; otherwise the last message. A draft, which a script fills in, replaces either. Where the
 * line is too short, words give way to the time.
 */
function SecondLine({ room, now }: Pick<Props, "room" | "now">) {
  const t = useT();
  const isOwn = room.group === "yours" || room.unread > 0;
  return (
    <p className={`min-w-0 grow leading-5 @max-[15rem]:basis-full ${isOwn ? "font-medium" : "text-quiet"}`}>
      <span
        data-draft-of={room.id}
        data-draft-by={room.readerId}
        data-draft-word={t("chat.draft")}
        className={`peer font-medium text-bad ${lineClasses}`}
      />
      <span className="flex peer-[:not(:empty)]:hidden max-[22rem]:flex-wrap @max-[15rem]:flex-wrap">
        {room.next ? <NextStep next={room.next} now={now} /> : <LastMessage room={room} />}
      </span>
    </p>
  );
}

function NextStep({ next, now }: { next: NonNullable<RoomShown["next"]>; now: string }) {
  const t = useT();
  const text = useText();
  const language = useLanguage();
  const left = next.dueAt === null ? 0 : Date.parse(next.dueAt) - Date.parse(now);
  return (
    <>
      <span className={`min-w-0 max-[22rem]:line-clamp-none ${lineClasses}`}>
        {text(next.key, { sum: next.sum })}
      </span>
      {next.overdue && (
        <span data-left className="shrink-0 whitespace-pre text-bad">
          {" · "}
          {t("clock.overdue")}
        </span>
      )}
      {left > 0 && (
        <span data-left className="shrink-0 whitespace-pre">
          {" · "}
          <span aria-hidden="true" className="min-[400px]:hidden">
            {formatShortRemaining(left, language)}
          </span>
          <span className="max-[399px]:sr-only">
            {t("chat.left", { time: formatShortRemaining(left, language) })}
          </span>
        </span>
      )}
    </>
  );
}

function LastMessage({ room: { last, other, description } }: Pick<Props, "room">) {
  const t = useT();
  const author = last?.by === "me" ? t("chat.youSaid") : last?.by === "them" && other ? `${other.name}:` : "";
  return (
    <span className={`min-w-0 ${lineClasses}`}>
      {last === null ? (
        (description ?? t(other === null ? "chat.nobody" : "chat.noMessages"))
      ) : (
        <>
          {author} {last.image && <Icon of={Image} className="inline size-4 align-text-bottom" />} {last.text}
        </>
      )}
    </span>
  );
}

function Sum({ sum: { label, sum } }: { sum: { label: string; sum: string } }) {
  const text = useText();
  return (
    <span className="font-bold whitespace-nowrap tabular-nums">
      <span className="sr-only">{text(label)} </span>
      {sum}
    </span>
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
