import { ArrowDown } from "lucide";
import { unpackMessage } from "#format";
import { TextLink } from "../../../ui/forms/button.tsx";
import type { PostedForm } from "../../../ui/forms/posted-form.ts";
import { useT, useText } from "../../../ui/frame/i18n.tsx";
import { Card } from "../../../ui/layout/card.tsx";
import { Icon } from "../../../ui/layout/icon.tsx";
import { Clocks, TurnClock } from "../../../ui/trade/progress/clocks.tsx";
import { MoneyState } from "../../../ui/trade/progress/money-state.tsx";
import { TradeLine } from "../../../ui/trade/progress/trade-line.tsx";
import {
  amountForRole,
  bannerOf,
  findTurnClock,
  handOverOf,
  turnForRole,
  visibleClocks,
} from "../../../ui/trade/progress/trade-words.ts";
import type { PanelProps, TradeShown } from "../../../ui/trade/types.ts";
import { supportAt } from "./payment.tsx";

type Props = PanelProps & { posted: PostedForm | null };

/**
 * The state of the trade, whose turn it is and for how long, in a few lines. On a phone it comes before the conversation, and the rest of
 * the panel after it.
 */
export function TradeProgressCard(props: Props) {
  const t = useT();
  const { trade } = props;
  return (
    <Card tight className="gap-1.5 lg:gap-2" label={t("trade.standing")}>
      <RefusedFormNotice {...props} />
      {trade === null ? (
        <p>{t(props.seatsTaken ? `trade.none.${props.role}` : "trade.none.alone")}</p>
      ) : (
        <>
          <TradeNow {...props} trade={trade} />
          <Clocks clocks={otherClocksOf(trade, false)} role={props.role} serverNow={props.serverNow} />
          <div className="max-lg:hidden empty:hidden">
            <Clocks clocks={otherClocksOf(trade, true)} role={props.role} serverNow={props.serverNow} />
          </div>
          <SupportHint trade={trade} patience={props.qrLifetime} />
        </>
      )}
      {trade === null && props.canCreate && (
        <TextLink to="#trade-panel" className="-my-2 lg:hidden">
          {t("trade.toRequest")}
          <Icon of={ArrowDown} className="size-4" />
        </TextLink>
      )}
    </Card>
  );
}

/** The state of the money, the reader's amount, the progress line, the headline and whose turn it is. */
function TradeNow({ trade, role, serverNow }: Props & { trade: TradeShown }) {
  const text = useText();
  const due = amountForRole(trade, role);
  return (
    <>
      <p
        className="flex items-center justify-between gap-x-3"
        data-status={trade.status}
        data-hand-over={handOverOf(trade)}
      >
        <MoneyState money={trade.standing.money} />
        {due && (
          <span className="text-right text-xs leading-tight text-quiet sm:text-sm">
            {text(due.label)}{" "}
            <strong className="text-lg whitespace-nowrap text-ink tabular-nums">{due.sum}</strong>
          </span>
        )}
      </p>
      <TradeLine {...trade.standing} ended={trade.standing.ended || trade.status === "disputed"} bare />
      <p
        className={`font-semibold max-lg:text-sm ${trade.status === "payment_failed" ? "text-bad" : ""}`}
        data-banner
      >
        {text(`trade.banner.${bannerOf(trade)}`)}
      </p>
      <TurnLine trade={trade} role={role} serverNow={serverNow} />
    </>
  );
}

/** Whose turn it is and for how long; where the trade's cards come after the conversation, a tap leads to them. */
function TurnLine({ trade, role, serverNow }: Pick<Props, "role" | "serverNow"> & { trade: TradeShown }) {
  const t = useT();
  const text = useText();
  const { own, turn } = turnForRole(trade, role);
  const clock = findTurnClock(trade);
  return (
    <div
      className={`relative flex items-center gap-2 rounded-control py-1.5 pr-2 pl-3 lg:py-2 ${own ? "bg-brand-soft text-brand" : "bg-sunk"}`}
    >
      <p
        className={`grid grow gap-0.5 leading-snug ${own ? "font-semibold max-lg:text-[0.9375rem]" : "max-lg:text-sm"}`}
      >
        {text(own ? `trade.yourTurn.${turn}` : `trade.turn.${turn}`)}
        {clock && <TurnClock clock={clock} serverNow={serverNow} />}
      </p>
      <a
        href="#trade-panel"
        className={`grid size-8 shrink-0 place-items-center rounded-full after:absolute after:inset-0 lg:hidden ${own ? "bg-brand text-brand-ink" : "border border-edge"}`}
      >
        <Icon of={ArrowDown} className="size-5" />
        <span className="sr-only">{t("trade.toDetails")}</span>
      </a>
    </div>
  );
}

/** The clocks besides that of the turn: either the running or the paused ones, for which a phone has no room. */
function otherClocksOf(trade: TradeShown, halted: boolean): TradeShown["clocks"] {
  return visibleClocks(trade).filter((clock) => clock !== findTurnClock(trade) && clock.paused === halted);
}

/** Offers support to a person who has waited ten minutes for the confirmation of a payment. */
function SupportHint({ trade, patience }: { trade: TradeShown; patience: string }) {
  const t = useT();
  if (!trade.late && trade.status !== "payment_failed") return null;
  return (
    <p className="-my-1.5 text-sm font-semibold text-warn" data-contact>
      {trade.late && t("trade.late", { span: patience })}{" "}
      <a href={supportAt(trade)} className="inline-flex min-h-11 items-center underline wrap-anywhere">
        {t("support.toForm")}
      </a>
    </p>
  );
}

/** Why a posted form was refused that the panel no longer shows, because the trade has moved on. */
function RefusedFormNotice({ posted, trade, canCreate }: Props) {
  const text = useText();
  if (posted === null || posted.review) return null;
  if (posted.form === "message" || posted.form === "image" || isFormShown(posted.form, trade, canCreate))
    return null;
  const said = Object.values(posted.result.error ?? {}).flatMap((messages) => messages ?? []);
  return said.map(unpackMessage).map(({ key, params }) => (
    <p key={key} role="alert" className="font-semibold text-bad">
      {text(key, params)}
    </p>
  ));
}

function isFormShown(form: string, trade: TradeShown | null, canCreate: boolean): boolean {
  if (trade === null) return form === "create-trade" && canCreate;
  const { can } = trade;
  const shown: Record<string, boolean> = {
    amend: can.amend,
    "hand-over": can.handOver,
    dispute: can.openDispute,
    explain: trade.status === "disputed",
    "bank-info": can.bankInfo && !trade.over,
    info: can.shareInfo && !trade.over,
    "refund-destination": can.refundDestination,
  };
  return shown[form] ?? false;
}
