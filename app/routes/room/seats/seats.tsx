import { ArrowLeftRight, Lock } from "lucide";
import type { ReactNode } from "react";
import { paths } from "../../../paths.ts";
import { Button } from "../../../ui/forms/button.tsx";
import { PersonForm } from "../../../ui/forms/person-form.tsx";
import { useT } from "../../../ui/frame/i18n.tsx";
import { Avatar } from "../../../ui/layout/avatar.tsx";
import { Disclosure } from "../../../ui/layout/disclosure.tsx";
import { Icon } from "../../../ui/layout/icon.tsx";
import { DisclosureRow } from "../../../ui/rows/disclosure-row.tsx";
import type { PanelProps, SeatShown } from "../../../ui/trade/types.ts";
import { BusyButton } from "./busy-button.tsx";
import { PresenceMark } from "./presence-mark.tsx";

/**
 * The members of the room, their roles, and how to reach them: the last row of the trade's rows, and a card of its own while there are none.
 * The edges are within the part, because an answer in place replaces only what a part contains.
 */
export function Seats({
  seats,
  roles,
  room,
  trade,
  serverNow,
}: Pick<PanelProps, "seats" | "roles" | "room" | "trade" | "serverNow">) {
  const t = useT();
  return (
    <div
      className={`border border-line bg-card px-3.5 ${trade === null ? "mt-2.5 rounded-card" : "rounded-b-card border-t-0"}`}
    >
      <DisclosureRow id="people" label={t("trade.row.people")}>
        <ul aria-label={t("room.members")} className="grid gap-4">
          {seats.map((seat) => (
            <Seat key={seat.id} seat={seat} roomId={room.id} now={serverNow} />
          ))}
        </ul>
        <Roles seats={seats} roles={roles} />
      </DisclosureRow>
    </div>
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

/**
 * The creator may swap the roles until the first QR, after a confirmation that says what changes; afterwards everyone sees why it is no
 * longer possible.
 */
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
  const other = seats.find((seat) => !seat.me);
  // Alone in a room, there is nobody whose role would change too.
  if (other === undefined) {
    return (
      <SwapForm me={me.id} wanted={wanted}>
        <Button look="plain">
          <Icon of={ArrowLeftRight} className="size-5" />
          {t(`room.become.${wanted}`)}
        </Button>
      </SwapForm>
    );
  }
  return (
    <Disclosure
      summary={
        <span className="flex items-center gap-2">
          <Icon of={ArrowLeftRight} className="size-5" />
          {t("room.swapRoles")}
        </span>
      }
    >
      <SwapForm me={me.id} wanted={wanted}>
        <p className="wrap-anywhere">{t(`room.swapAsk.${wanted}`, { name: other.name })}</p>
        <Button look="plain">{t("room.swapYes")}</Button>
      </SwapForm>
    </Disclosure>
  );
}

function SwapForm(props: { me: number; wanted: SeatShown["role"]; children: ReactNode }) {
  const t = useT();
  return (
    <PersonForm className="grid gap-2">
      <input type="hidden" name="form" value="swap-roles" />
      <input type="hidden" name="user" value={props.me} />
      <input type="hidden" name="role" value={props.wanted} />
      {props.children}
      <p className="text-sm text-quiet">{t("room.rolesUntil")}</p>
    </PersonForm>
  );
}
