import { ChevronRight } from "lucide";
import { paths } from "../../../paths.ts";
import { PersonForm } from "../../../ui/forms/person-form.tsx";
import { useT, useText } from "../../../ui/frame/i18n.tsx";
import { Icon } from "../../../ui/layout/icon.tsx";
import { findAskingCodes } from "../../../ui/trade/progress/asking-codes.ts";
import { TimeLeft } from "../../../ui/trade/progress/clocks.tsx";
import { MoneyState } from "../../../ui/trade/progress/money-state.tsx";
import { ProgressSegments } from "../../../ui/trade/progress/progress-segments.tsx";
import {
  findTurnClock,
  handOverOf,
  moneyForRole,
  turnForRole,
} from "../../../ui/trade/progress/trade-words.ts";
import type { PanelProps, TradeShown } from "../../../ui/trade/types.ts";
import { type StripStep, stripStepOf } from "./strip-step.ts";

/**
 * The trade in two lines above the conversation, where its cards are a tap away: the state of the money, the reader's amount, whose turn it
 * is and for how long, and the one button that is next. All of it leads to the trade; the button to its form.
 */
export function RoomStrip(props: PanelProps) {
  const t = useT();
  const { trade, role, room } = props;
  const own = trade === null ? stripStepOf(props) !== null : turnForRole(trade, role).own;
  const step = stripStepOf(props);
  // A room of one shows its invite instead.
  if (trade === null && !props.seatsTaken) return null;
  return (
    <div
      className={`relative border-b border-line lg:hidden ${own ? "bg-brand-soft" : "bg-card"}`}
      data-status={trade?.status}
      data-hand-over={trade ? handOverOf(trade) : undefined}
      data-asking-codes={findAskingCodes(trade, role)}
    >
      <div
        className={`flex min-h-15 items-center gap-x-2 gap-y-1 px-3 py-1.5 ${step === null ? "" : "@max-[15rem]:flex-wrap"}`}
      >
        <div className={`grid min-w-0 grow gap-0.5 ${step === null ? "" : "@max-[15rem]:basis-full"}`}>
          {trade === null ? (
            <p className="line-clamp-2 text-sm leading-snug max-[22rem]:line-clamp-none @max-[15rem]:line-clamp-none">
              {t(`trade.none.${role}`)}
            </p>
          ) : (
            <StripLines {...props} trade={trade} />
          )}
        </div>
        {step === null ? (
          <Icon of={ChevronRight} className="size-5 text-quiet" />
        ) : (
          <StripButton step={step} roomId={room.id} />
        )}
      </div>
      {trade && (
        <ProgressSegments {...trade.standing} ended={trade.standing.ended || trade.status === "disputed"} />
      )}
      <a href={paths.roomTrade(room.id)} className="absolute inset-0 -outline-offset-4">
        <span className="sr-only">{t("trade.toDetails")}</span>
      </a>
    </div>
  );
}

function StripLines({ trade, role, serverNow }: PanelProps & { trade: TradeShown }) {
  const text = useText();
  const { state, word, amount: due } = moneyForRole(trade, role);
  const { own, turn } = turnForRole(trade, role);
  const clock = findTurnClock(trade);
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-2">
        <MoneyState money={state} word={word} small />
        {due && (
          <strong className="text-sm whitespace-nowrap tabular-nums">
            <span className="sr-only">{text(due.label)} </span>
            {due.sum}
          </strong>
        )}
      </p>
      <p className="flex items-baseline justify-between gap-x-2 text-xs leading-tight @max-[15rem]:flex-wrap">
        <span
          className={`line-clamp-2 wrap-anywhere max-[22rem]:line-clamp-none @max-[15rem]:line-clamp-none ${own ? "font-semibold text-brand" : ""}`}
        >
          {text(own ? `room.strip.turn.${turn}` : `trade.turn.${turn}`)}
        </span>
        {clock && (
          <span className="min-w-13 shrink-0 text-right">
            <TimeLeft clock={clock} serverNow={serverNow} />
          </span>
        )}
      </p>
    </>
  );
}

const stripButtonClasses =
  "relative z-10 inline-grid min-h-11 w-24 shrink-0 cursor-pointer max-[22rem]:w-min max-[22rem]:min-w-24 max-[22rem]:wrap-break-word @max-[15rem]:min-h-[44px] @max-[15rem]:w-full place-items-center rounded-control bg-brand px-1.5 text-center text-sm leading-tight font-semibold text-brand-ink no-underline wrap-anywhere";

/** The next step: its form in the trade, or, if one press is all of it, the press. */
function StripButton({ step, roomId }: { step: StripStep; roomId: number }) {
  const t = useT();
  if (step.press === undefined) {
    return (
      <a href={`${paths.roomTrade(roomId)}#${step.anchor}`} className={stripButtonClasses}>
        {t(`room.strip.do.${step.label}`)}
      </a>
    );
  }
  return (
    <PersonForm action={paths.room(roomId)} className="contents">
      <input type="hidden" name="form" value={step.press} />
      <button type="submit" className={stripButtonClasses}>
        {t(`room.strip.do.${step.label}`)}
      </button>
    </PersonForm>
  );
}
