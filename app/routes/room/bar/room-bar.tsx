import { ChevronLeft, LogOut } from "lucide";
import { paths } from "../../../paths.ts";
import { buttonClasses } from "../../../ui/forms/button.tsx";
import { useT } from "../../../ui/frame/i18n.tsx";
import { Avatar } from "../../../ui/layout/avatar.tsx";
import { Icon } from "../../../ui/layout/icon.tsx";
import type { PanelProps } from "../../../ui/trade/types.ts";
import { PresenceMark } from "../seats/presence-mark.tsx";
import { RoomMenu } from "./room-menu.tsx";

type RoomBarProps = Pick<PanelProps, "room" | "seats" | "seatsTaken" | "serverNow">;

/** The head of a room: the way back, the other person with their presence, the room's name, and a menu with everything else. */
export function RoomBar(props: RoomBarProps) {
  const t = useT();
  const { room, seats } = props;
  const other = seats.find(({ me }) => !me);
  return (
    <div className="flex min-h-14 items-center gap-2 border-b border-line bg-card pr-1 pl-1 lg:gap-3 lg:px-4">
      <a
        href={paths.chat}
        className="inline-flex size-11 shrink-0 items-center justify-center rounded-control font-semibold text-brand no-underline hover:bg-sunk lg:w-auto lg:px-2"
      >
        <Icon of={ChevronLeft} className="size-6 lg:hidden" />
        <span className="max-lg:sr-only">{t("room.back")}</span>
      </a>
      {other && <Avatar initials={other.initials} />}
      <div className="min-w-0 grow leading-tight lg:pr-44">
        <p className="line-clamp-1 font-bold break-all">{other ? other.name : room.name}</p>
        <p className="flex items-baseline gap-x-1.5 text-xs text-quiet lg:text-sm">
          {other && (
            <span className="shrink-0">
              <PresenceMark of={other} now={props.serverNow}>
                <span aria-hidden="true">·</span>
              </PresenceMark>
            </span>
          )}
          <span className="line-clamp-1 break-all">
            {other ? `${t(`roles.${other.role}`)} · ${room.name}` : t("room.alone")}
            <span className="max-lg:sr-only"> · {t("room.participants", { count: seats.length })}</span>
          </span>
        </p>
      </div>
      <a
        href={`${paths.room(room.id)}?dialog=leave`}
        className={`${buttonClasses("plain")} w-56 shrink-0 whitespace-nowrap max-lg:hidden`}
      >
        <Icon of={LogOut} className="size-5" />
        {t("room.leave")}
      </a>
      <RoomMenu {...props} />
    </div>
  );
}
