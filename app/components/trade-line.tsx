import { Check } from "lucide-react";
import { useT } from "./i18n.tsx";
import { Icon } from "./icon.tsx";
import { Mark } from "./mark.tsx";

/** The six marks of a trade, in their order. */
export const marks = ["agreed", "paid", "held", "handedOver", "confirmed", "paidOut"] as const;
export type MarkName = (typeof marks)[number];

/**
 * Where a trade stands: agreed → paid → held → handed over → confirmed → paid out, as a ribbon that fills. `done` names the
 * marks that are behind it. On a phone only the next mark's name is written out; screen readers hear all of them.
 */
export function TradeLine(props: { done: readonly MarkName[]; ended?: boolean }) {
  const t = useT();
  const next = props.ended ? undefined : marks.find((mark) => !props.done.includes(mark));
  return (
    <ol aria-label={t("line.label")} className="grid grid-cols-6">
      {marks.map((mark, at) => (
        <Point
          key={mark}
          mark={mark}
          done={props.done.includes(mark)}
          joined={at > 0 && props.done.includes(mark)}
          first={at === 0}
          now={mark === next}
        />
      ))}
    </ol>
  );
}

function Point(props: { mark: MarkName; done: boolean; joined: boolean; first: boolean; now: boolean }) {
  const t = useT();
  const { mark, done, now } = props;
  const look = done
    ? "border-khadag bg-khadag text-white"
    : now
      ? "border-khadag bg-card text-khadag"
      : "border-line bg-card text-quiet";
  return (
    <li
      aria-current={now ? "step" : undefined}
      className="relative grid min-w-0 content-start justify-items-center gap-1 text-center"
    >
      {!props.first && (
        <span
          aria-hidden="true"
          className={`absolute top-3.5 right-1/2 -z-0 h-1 w-full ${props.joined ? "bg-khadag" : "bg-line"}`}
        />
      )}
      <span className={`relative grid size-8 place-items-center rounded-full border-2 ${look}`}>
        {mark === "held" ? <Mark className="size-5" /> : done && <Icon of={Check} className="size-4" />}
      </span>
      <span className={`text-xs wrap-anywhere ${now ? "font-bold text-ink" : "text-quiet max-sm:sr-only"}`}>
        {t(`line.${mark}`)}
        <span className="sr-only">{t(done ? "line.done" : now ? "line.now" : "line.toCome")}</span>
      </span>
    </li>
  );
}
