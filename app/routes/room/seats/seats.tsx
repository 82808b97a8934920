import { ArrowLeftRight, Lock } from "lucide";
import { paths } from "../../../paths.ts";
import { Button } from "../../../ui/forms/button.tsx";
import { useT } from "../../../ui/frame/i18n.tsx";
import { Avatar } from "../../../ui/layout/avatar.tsx";
import { Icon } from "../../../ui/layout/icon.tsx";
import type { PanelProps, SeatShown } from "../../../ui/trade/types.ts";
import { TradeRow } from "../sheet/trade-row.tsx";
import { BusyButton } from "./busy-button.tsx";
import { PresenceMark } from "./presence-mark.tsx";

/** The members of the room, their roles, and how to reach them. */
export function Seats({
  seats,
  roles,
  room,
  serverNow,
}: Pick<PanelProps, "seats" | "roles" | "room" | "serverNow">) {
  const t = useT();
  return (
    <TradeRow id="people" label={t("trade.row.people")} last>
      <ul aria-label={t("room.members")} className="grid gap-4">
        {seats.map((seat) => (
          <Seat key={seat.id} seat={seat} roomId={room.id} now={serverNow} />
        ))}
      </ul>
      <Roles seats={seats} roles={roles} />
    </TradeRow>
  );
}

function Seat({ seat, roomId, now }: { seat: SeatShown; roomId: number; now: string }) {
  const t = useT();
  return (
    <li className="grid grid-cols-[auto_minmax(0,1fr)] gap-3">
      <Avatar initials={seat.initials} />
      <div className="grid gap-1">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="font-bold wrap-anywhere">{seat.name}</span>
          {seat.me && (
            <span className="rounded-full bg-brand-soft px-2 py-0.5 text-xs font-bold text-brand">
              {t("room.you")}
            </span>
          )}
          <span className="rounded-full border border-edge px-2 py-0.5 text-xs font-semibold">
            {t(`roles.${seat.role}`)}
          </span>
          <span className={`text-sm text-quiet ${seat.me ? "basis-full" : ""}`}>
            <PresenceMark of={seat} now={now}>
              {seat.me && <BusyButton />}
            </PresenceMark>
          </span>
        </p>
        <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 text-sm">
          <dt className="text-quiet">{t("info.phone")}</dt>
          <dd className="wrap-anywhere">{seat.phone ?? t("room.notProvided")}</dd>
          <dt className="text-quiet">{t("room.bank")}</dt>
          <dd className="wrap-anywhere">{seat.bank ?? t("room.notProvided")}</dd>
        </dl>
        {!seat.me && (
          <a
            href={paths.reportPerson(roomId, seat.id)}
            className="inline-flex min-h-11 items-center justify-self-start text-sm text-quiet underline underline-offset-4"
          >
            {t("room.reportPerson")}
          </a>
        )}
      </div>
    </li>
  );
}

/** The creator may swap the roles until the first QR; afterwards everyone sees why it is no longer possible. */
function Roles({ seats, roles }: Pick<PanelProps, "seats" | "roles">) {
  const t = useT();
  const me = seats.find((seat) => seat.me);
  if (roles === "locked" || me === undefined) {
    return (
      <p className="flex gap-2 text-sm text-quiet">
        <Icon of={Lock} className="relative top-0.5 size-4" />
        {t("room.rolesLocked")}
      </p>
    );
  }
  if (roles === "creator") return <p className="text-sm text-quiet">{t("room.rolesCreator")}</p>;
  const wanted = me.role === "seller" ? "buyer" : "seller";
  return (
    <form method="post" className="grid gap-2">
      <input type="hidden" name="form" value="swap-roles" />
      <input type="hidden" name="user" value={me.id} />
      <input type="hidden" name="role" value={wanted} />
      <Button look="plain">
        <Icon of={ArrowLeftRight} className="size-5" />
        {t(seats.length === 2 ? "room.swapRoles" : `room.become.${wanted}`)}
      </Button>
      <p className="text-sm text-quiet">{t("room.rolesUntil")}</p>
    </form>
  );
}
