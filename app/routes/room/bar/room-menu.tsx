import {
  EllipsisVertical,
  Flag,
  Headset,
  History,
  type IconNode,
  ListChecks,
  LogOut,
  MessagesSquare,
  Search,
  ShieldCheck,
  UserPlus,
  Volume2,
} from "lucide";
import { paths } from "../../../paths.ts";
import { useT } from "../../../ui/frame/i18n.tsx";
import { Icon } from "../../../ui/layout/icon.tsx";
import type { PanelProps } from "../../../ui/trade/types.ts";

/** Everything of a room that is not needed at every glance, as links: it works without a script. */
export function RoomMenu({ room, seats, seatsTaken }: Pick<PanelProps, "room" | "seats" | "seatsTaken">) {
  const t = useT();
  const other = seats.find(({ me }) => !me);
  return (
    <details data-menu className="group relative shrink-0">
      <summary
        aria-label={t("room.menu.label")}
        title={t("room.menu.label")}
        className="grid size-[min(2.75rem,14vw)] cursor-pointer place-items-center rounded-control group-open:bg-sunk hover:bg-sunk"
      >
        <Icon of={EllipsisVertical} className="size-[min(1.5rem,8vw)]" />
      </summary>
      <div
        id="room-menu"
        className="absolute top-full right-0 z-40 grid max-h-[70vh] w-72 max-w-[85vw] overflow-y-auto rounded-card border border-line bg-card p-2 shadow-lift"
      >
        {(other || room.description) && (
          <div
            className={`grid gap-1 px-3 py-2 text-sm wrap-anywhere ${room.description ? "" : "lg:hidden"}`}
          >
            {other && (
              <p className="text-quiet lg:hidden">
                {t(`roles.${other.role}`)} · {room.name}
              </p>
            )}
            {room.description && <p data-room-description>{room.description}</p>}
          </div>
        )}
        <MenuLink to={paths.roomTrade(room.id)} icon={ListChecks} label={t("room.menu.trade")} />
        <MenuLink to={paths.roomSearch(room.id)} icon={Search} label={t("room.search.title")} />
        {!seatsTaken && (
          <MenuLink
            to={`${paths.room(room.id)}?dialog=invite`}
            icon={UserPlus}
            label={t("chat.waits.invite")}
          />
        )}
        <SoundButton />
        <MenuLink to={paths.chat} icon={MessagesSquare} label={t("room.menu.rooms")} />
        <MenuLink to={paths.history} icon={History} label={t("header.history")} />
        <MenuLink to={paths.securityGuide} icon={ShieldCheck} label={t("footer.securityGuide")} />
        <MenuLink to={paths.support} icon={Headset} label={t("header.support")} />
        {other && (
          <MenuLink to={paths.reportPerson(room.id, other.id)} icon={Flag} label={t("room.reportPerson")} />
        )}
        <div className="grid xl:hidden">
          <MenuLink to={`${paths.room(room.id)}?dialog=leave`} icon={LogOut} label={t("room.leave")} />
        </div>
      </div>
    </details>
  );
}

/** Turns the sound for new messages off and on; its script shows it (app/enhance/rooms/message-sound.ts). */
function SoundButton() {
  const t = useT();
  return (
    <button
      type="button"
      data-sound
      className="hidden min-h-11 cursor-pointer items-center gap-3 rounded-control px-3 text-left font-semibold hover:bg-sunk [[data-sound-is]_&]:flex"
    >
      <Icon of={Volume2} className="size-5 text-brand" />
      <span className="[[data-sound-is=off]_&]:hidden">{t("room.menu.soundOff")}</span>
      <span className="[[data-sound-is=on]_&]:hidden">{t("room.menu.soundOn")}</span>
    </button>
  );
}

function MenuLink({ to, icon, label }: { to: string; icon: IconNode; label: string }) {
  return (
    <a
      href={to}
      className="flex min-h-11 items-center gap-3 rounded-control px-3 font-semibold no-underline hover:bg-sunk"
    >
      <Icon of={icon} className="size-5 text-brand" />
      {label}
    </a>
  );
}
