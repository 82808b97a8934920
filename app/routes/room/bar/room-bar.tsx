import { ChevronLeft, LogOut } from "lucide";
import { paths } from "../../../paths.ts";
import { buttonClasses } from "../../../ui/forms/button.tsx";
import { useT } from "../../../ui/frame/i18n.tsx";
import { VisitUnreadMark } from "../../../ui/frame/unread-count.tsx";
import { Avatar } from "../../../ui/layout/avatar.tsx";
import { Icon } from "../../../ui/layout/icon.tsx";
import type { PanelProps } from "../../../ui/trade/types.ts";
import { PresenceMark } from "../seats/presence-mark.tsx";
import { RoomMenu } from "./room-menu.tsx";

type RoomBarProps = Pick<PanelProps, "room" | "seats" | "seatsTaken" | "serverNow">;

/**
 * A phone shows one line of the person's name, two where large text leaves few letters to a line; a wide window the whole of it. Beside it,
 * a wide window says whether the room is connected.
 */
const personClasses =
  "line-clamp-1 min-w-0 font-bold wrap-anywhere @max-[15rem]:line-clamp-2 lg:line-clamp-none lg:pr-44";

/**
 * One line, of which a phone shows the parts that fit whole: the last ones wrap below its edge, where only screen readers find them. Where
 * text is large they take more lines, without the name of the room; a wide window shows all of them, and the name in a line of its own.
 */
const partsClasses =
  "flex h-4 flex-wrap gap-x-1.5 overflow-hidden text-xs leading-4 text-quiet max-[22rem]:h-auto @max-[15rem]:h-auto lg:h-auto lg:text-sm lg:leading-tight";

/** The head of a room: the way back, the other person with presence and role, the room's name, and a menu with everything else. */
export function RoomBar(props: RoomBarProps) {
  const t = useT();
  const { room, seats } = props;
  const other = seats.find(({ me }) => !me);
  return (
    <div className="flex min-h-14 items-center gap-[min(0.5rem,2.5vw)] border-b border-line bg-card pr-1 pl-1 lg:gap-3 lg:px-4">
      <a
        href={paths.chat}
        className="relative inline-flex size-[min(2.75rem,14vw)] shrink-0 items-center justify-center gap-1.5 @max-[15rem]:h-auto @max-[15rem]:w-auto @max-[15rem]:min-w-[44px] @max-[15rem]:flex-col rounded-control font-semibold text-brand no-underline hover:bg-sunk lg:w-auto lg:px-2"
      >
        <Icon of={ChevronLeft} className="size-[min(1.5rem,8vw)] lg:hidden" />
        <span className="max-lg:sr-only">{t("room.back")}</span>
        <span className="max-lg:absolute max-lg:-top-0.5 max-lg:left-5.5 @max-[15rem]:static">
          <VisitUnreadMark />
        </span>
      </a>
      {other && (
        <span className="grid shrink-0 @max-[15rem]:hidden">
          <Avatar initials={other.initials} />
        </span>
      )}
      {/* Without a picture the name would touch the number of unread messages. */}
      <div className={`min-w-0 grow leading-tight lg:py-1.5 ${other ? "" : "pl-2"}`}>
        <p className={personClasses}>{other ? other.name : room.name}</p>
        <p data-whole-parts className={partsClasses}>
          {other ? (
            <>
              <PresenceMark of={other} now={props.serverNow} />
              <span className="whitespace-nowrap">· {t(`roles.${other.role}`)}</span>
              <span className="wrap-anywhere max-[22rem]:hidden @max-[15rem]:hidden lg:hidden">
                · {room.name}
              </span>
            </>
          ) : (
            <span>{t("room.alone")}</span>
          )}
          <span className="max-2xl:sr-only">· {t("room.participants", { count: seats.length })}</span>
        </p>
        {other && <p className="text-sm text-quiet wrap-anywhere max-lg:hidden">{room.name}</p>}
      </div>
      {/* Between these widths the list of rooms is shown too, and the names need the space of this button's text. */}
      <a
        href={`${paths.room(room.id)}?dialog=leave`}
        title={t("room.leave")}
        className={`${buttonClasses("plain")} w-56 shrink-0 whitespace-nowrap max-xl:hidden min-[90rem]:max-[112rem]:w-11 min-[90rem]:max-[112rem]:px-0`}
      >
        <Icon of={LogOut} className="size-5" />
        <span className="min-[90rem]:max-[112rem]:sr-only">{t("room.leave")}</span>
      </a>
      <RoomMenu {...props} />
    </div>
  );
}
