import { Avatar } from "../../components/avatar.tsx";
import type { Presence, RoomProps } from "./types.ts";

/** On a phone they come after the conversation. Presence is known only once the script runs. */
export function Seats(props: RoomProps & { presence: Record<number, Presence> | null }) {
  const { strings } = props;
  return (
    <ul aria-label={strings.members} className="order-last grid gap-2 sm:order-first sm:grid-cols-2">
      {props.seats.map((seat) => {
        const presence = props.presence && (props.presence[seat.id] ?? "offline");
        return (
          <li key={seat.id} className="flex items-start gap-3 rounded-card border border-line bg-card p-3">
            <Avatar initials={seat.avatarInitials} />
            <div className="grid min-w-0 gap-0.5 text-sm">
              <p className="text-base font-bold wrap-anywhere">
                {seat.displayName}{" "}
                {seat.id === props.me && (
                  <span className="rounded-full bg-brand-soft px-2 py-0.5 text-xs text-brand">
                    {strings.you}
                  </span>
                )}
              </p>
              <p>
                <span className="font-semibold">{strings.roles[seat.role]}</span>
                {presence && <PresenceDot presence={presence} label={strings.presence[presence]} />}
              </p>
              <p className="text-quiet wrap-anywhere">
                {strings.phone}: {seat.phoneNumber || strings.notProvided}
              </p>
              <p className="text-quiet wrap-anywhere">
                {strings.bank}: {seat.bankAccount || strings.notProvided}
              </p>
            </div>
          </li>
        );
      })}
    </ul>
  );
}

const dots: Record<Presence, string> = {
  online: "bg-good",
  away: "bg-warn",
  busy: "bg-bad",
  offline: "bg-edge",
};

function PresenceDot({ presence, label }: { presence: Presence; label: string }) {
  return (
    <>
      <span aria-hidden className={`mr-1 ml-2 inline-block size-2 rounded-full ${dots[presence]}`} />
      {label}
    </>
  );
}
