import { Clock as ClockPicture } from "lucide";
import { formatCountdown, formatWhen } from "#format";
import type { Clock } from "#views/escrow";
import { useLanguage, useT, useText } from "../../frame/i18n.tsx";
import { Icon } from "../../layout/icon.tsx";

/** The party that a deadline binds; Midman if it is neither. */
const clockOwners: Readonly<Record<string, "buyer" | "seller" | "both">> = {
  payment_window: "buyer",
  hand_over: "seller",
  buyer_finish: "buyer",
  seller_finish: "seller",
  refund_account: "buyer",
  dispute_statements: "both",
};

/** Clocks of Midman's whose label addresses a party: a review starts only if the buyer has not confirmed, and a payout goes to the seller. */
const readersOf: Readonly<Record<string, "buyer" | "seller">> = { admin_review: "buyer", payout: "seller" };

/** How long before its deadline a clock turns amber, in seconds. */
const warningSeconds = (kind: string) => (kind === "payment_window" || kind === "payout" ? 1_800 : 7_200);

interface Props {
  clocks: Clock[];
  role: "buyer" | "seller";
  serverNow: string;
}

/** Every running deadline of a trade: whose turn it is, for what, how long, and until when. */
export function Clocks({ clocks, ...rest }: Props) {
  const t = useT();
  if (clocks.length === 0) return null;
  return (
    <ul aria-label={t("clock.title")} className="grid gap-1.5 lg:gap-2">
      {clocks.map((clock) => (
        <ClockLine key={clock.kind} clock={clock} {...rest} />
      ))}
    </ul>
  );
}

function ClockLine({ clock, role, serverNow }: Omit<Props, "clocks"> & { clock: Clock }) {
  const t = useT();
  const text = useText();
  const language = useLanguage();
  const owner = clockOwners[clock.kind];
  const own = owner === role || owner === "both";
  const speaksToReader = own || readersOf[clock.kind] === role;
  return (
    <li
      data-clock={clock.kind}
      className={`grid grid-cols-[auto_minmax(0,1fr)] gap-x-2 rounded-control px-3 py-1 text-xs lg:py-2 lg:text-sm ${clock.overdue ? "bg-bad-soft text-bad" : "bg-sunk"}`}
    >
      <Icon of={ClockPicture} className="size-4 lg:size-5" />
      <div className="grid gap-0.5">
        <p className="flex justify-between gap-x-3 *:last:shrink-0 *:last:text-end max-[22rem]:flex-wrap max-[22rem]:*:last:shrink lg:flex-wrap">
          <span className={own ? "font-semibold" : ""}>
            {text(speaksToReader ? `clock.own.${clock.kind}` : `clock.what.${clock.kind}`)}
          </span>
          <TimeLeft clock={clock} serverNow={serverNow} />
        </p>
        {!clock.paused && (
          <p className={clock.overdue ? "" : "text-quiet max-lg:sr-only"}>
            {t(clock.overdue ? "clock.was" : "clock.until", {
              at: formatWhen(clock.dueAt, serverNow, language),
            })}
          </p>
        )}
        <EndNote clock={clock} role={role} />
        <ExtensionNote clock={clock} />
      </div>
    </li>
  );
}

/** How long a clock still runs, or that it is paused or over. */
export function TimeLeft({ clock, serverNow }: { clock: Clock; serverNow: string }) {
  const t = useT();
  if (clock.paused) return <strong className="text-quiet">{t("clock.paused")}</strong>;
  if (clock.overdue) return <strong className="text-bad">{t("clock.overdue")}</strong>;
  return <Countdown until={clock.dueAt} serverNow={serverNow} near={warningSeconds(clock.kind)} />;
}

/** The clock of the current step, to show beside its text. */
export function TurnClock({ clock, role, serverNow }: Omit<Props, "clocks"> & { clock: Clock }) {
  const t = useT();
  const language = useLanguage();
  const at = formatWhen(clock.dueAt, serverNow, language);
  return (
    <span data-clock={clock.kind} className="flex flex-wrap gap-x-2 text-xs font-normal lg:text-sm">
      {!clock.paused && <span>{t(clock.overdue ? "clock.was" : "clock.until", { at })}</span>}
      <TimeLeft clock={clock} serverNow={serverNow} />
      <EndNote clock={clock} role={role} />
      <ExtensionNote clock={clock} />
    </span>
  );
}

/** Clocks that run beside another one: the sentence says what happens at the end of each, so that a reader knows which of them matters. */
const clocksWithEndNote: Readonly<Record<string, ReadonlySet<string>>> = {
  buyer: new Set(["payment_window", "buyer_finish", "admin_review"]),
  seller: new Set(["admin_review"]),
};

function EndNote({ clock, role }: { clock: Clock; role: Props["role"] }) {
  const text = useText();
  if (clock.overdue || clock.paused || !clocksWithEndNote[role]?.has(clock.kind)) return null;
  return <span className="basis-full text-quiet">{text(`clock.end.${clock.kind}`)}</span>;
}

function ExtensionNote({ clock }: { clock: Clock }) {
  const t = useT();
  if (clock.extendedMinutes === 0) return null;
  return <span className="basis-full">{t("clock.extended", { count: clock.extendedMinutes })}</span>;
}

/** The time left until a deadline, counted down by the server's clock; `short` if it is never longer than an hour. */
export function Countdown(props: { until: string; serverNow: string; near: number; short?: boolean }) {
  const left = Date.parse(props.until) - Date.parse(props.serverNow);
  return (
    <time
      data-countdown={props.until}
      data-now={props.serverNow}
      data-near={props.near}
      data-short={props.short ? "" : undefined}
      data-soon={left < props.near * 1000 ? "" : undefined}
      dateTime={props.until}
      className="font-bold tabular-nums data-soon:text-warn"
    >
      {formatCountdown(Math.max(0, Math.round(left / 1000)), props.short)}
    </time>
  );
}
