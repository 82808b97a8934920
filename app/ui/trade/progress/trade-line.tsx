import { Check } from "lucide";
import { useT } from "../../frame/i18n.tsx";
import { Icon } from "../../layout/icon.tsx";
import { MidmanMark } from "../../layout/midman-mark.tsx";

/** The six steps of a trade, in order. */
export const tradeMarks = ["agreed", "paid", "held", "handedOver", "confirmed", "paidOut"] as const;
export type MarkName = (typeof tradeMarks)[number];

export interface LineProps {
  done: readonly MarkName[];
  ended?: boolean;
  /** The payout is the next step, even if steps before it were skipped. */
  payingOut?: boolean;
  /** The handover was skipped: the next step is the one after it. */
  handOverSkipped?: boolean;
}

/**
 * The progress of a trade: agreed → paid → held → handed over → confirmed → paid out, as a line that fills. `done` names the completed
 * steps. A narrow place shows the line and the next step; screen readers get all steps.
 */
export function TradeLine(props: LineProps) {
  const t = useT();
  const next = findNextMark(props);
  return (
    <div className="@container grid gap-1">
      <ol aria-label={t("line.label")} className="grid grid-cols-6">
        {tradeMarks.map((mark) => (
          <TradeMark key={mark} mark={mark} at={placeOfMark(mark, props.done, next)} />
        ))}
      </ol>
      {next && (
        <p aria-hidden="true" className="text-sm @xl:hidden">
          <span className="text-quiet">{t("line.next")} </span>
          <strong>{t(`line.to.${next}`)}</strong>
        </p>
      )}
    </div>
  );
}

/** The step that comes next; none once the trade has ended or the last step is done, whichever were skipped. */
export function findNextMark(props: LineProps): MarkName | undefined {
  const passed = (mark: MarkName) =>
    props.done.includes(mark) || (mark === "handedOver" && props.handOverSkipped);
  const first = props.payingOut ? "paidOut" : tradeMarks.find((mark) => !passed(mark));
  return props.ended || props.done.includes("paidOut") ? undefined : first;
}

export type MarkPlace = "done" | "now" | "skipped" | "toCome";

/** The position of a step relative to the next one, if there is one. */
export function placeOfMark(
  mark: MarkName,
  done: readonly MarkName[],
  next: MarkName | undefined,
): MarkPlace {
  if (done.includes(mark)) return "done";
  if (mark === next) return "now";
  const later = tradeMarks.slice(tradeMarks.indexOf(mark) + 1);
  return later.some((one) => one === next || done.includes(one)) ? "skipped" : "toCome";
}

function TradeMark({ mark, at }: { mark: MarkName; at: MarkPlace }) {
  const t = useT();
  const done = at === "done";
  const now = at === "now";
  const look = done
    ? "border-khadag bg-khadag text-white"
    : now
      ? "border-khadag bg-card text-khadag"
      : "border-edge bg-card text-quiet";
  return (
    <li
      aria-current={now ? "step" : undefined}
      className="relative grid min-w-0 content-start justify-items-center gap-1 text-center"
    >
      {mark !== tradeMarks[0] && (
        <span
          aria-hidden="true"
          className={`absolute top-3.5 right-1/2 h-1 w-full ${done ? "bg-khadag" : "bg-line"}`}
        />
      )}
      <span className={`z-10 grid size-8 place-items-center rounded-full border-2 ${look}`}>
        {mark === "held" ? <MidmanMark className="size-5" /> : done && <Icon of={Check} className="size-4" />}
      </span>
      <span className={`text-xs @max-xl:sr-only ${now ? "font-bold text-ink" : "text-quiet"}`}>
        {t(`line.${mark}`)} <span className="sr-only">{t(`line.${at}`)}</span>
      </span>
    </li>
  );
}
