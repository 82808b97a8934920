import { formatMoney } from "#format";
import type { PostedForm } from "../../../ui/forms/posted-form.ts";
import { useT } from "../../../ui/frame/i18n.tsx";
import { Cancellation } from "../../../ui/trade/completion/cancellation.tsx";
import { EarlyConfirmation } from "../../../ui/trade/completion/completion-step.tsx";
import { formatInlineMoney } from "../../../ui/trade/progress/trade-words.ts";
import { TradeStepForm } from "../../../ui/trade/trade-step-form.tsx";
import type { PanelProps, TradePanelProps } from "../../../ui/trade/types.ts";
import { DisputeOpening } from "../trade/disputes.tsx";
import { findNextStep } from "./step-kinds.ts";
import { rowGroupClasses, TradeRow } from "./trade-row.tsx";

/** How a trade ends other than by its steps: confirmed early, withdrawn, cancelled together, or disputed. */
export function TradeEndings(props: PanelProps & { posted: PostedForm | null }) {
  const { trade } = props;
  if (trade === null || !hasEnding({ ...props, trade })) return null;
  return <Endings {...props} trade={trade} />;
}

function Endings(props: TradePanelProps) {
  const t = useT();
  const { trade, posted } = props;
  const { can } = trade;
  return (
    <div className={`${rowGroupClasses} grid gap-2 py-2`}>
      <EarlyConfirmation {...props} />
      {can.withdraw && <Withdrawal trade={trade} />}
      {offersCancellation(props) && (
        <TradeRow id="cancellation" label={t("trade.row.cancel")} open={!can.requestCancellation} last>
          <Cancellation {...props} />
        </TradeRow>
      )}
      {can.withdrawDispute && (
        <TradeStepForm form="withdraw-dispute" label={t("trade.withdrawDispute")} look="plain" />
      )}
      {can.openDispute && (
        <TradeRow
          id="dispute"
          label={t("trade.row.dispute")}
          tone="bad"
          open={posted?.form === "dispute"}
          last
        >
          <DisputeOpening posted={posted} />
        </TradeRow>
      )}
    </div>
  );
}

/** The seller takes the request back while nothing is paid. */
function Withdrawal({ trade }: Pick<TradePanelProps, "trade">) {
  const t = useT();
  return (
    <TradeStepForm
      form="withdraw"
      label={t("trade.withdraw")}
      look="danger"
      ask={t(trade.qrAsked ? "trade.withdrawAskQr" : "trade.withdrawAsk", { sum: formatMoney(trade.gross) })}
      yes={t("trade.withdrawYes", { sum: formatInlineMoney(trade.gross) })}
    />
  );
}

/** Whether cancelling has a row here. It has none if the next step already asks for an answer to the other party's request. */
function offersCancellation(props: TradePanelProps): boolean {
  const { can } = props.trade;
  if (findNextStep(props) === "answer") return false;
  return can.requestCancellation || can.agreeCancellation || can.withdrawCancellation;
}

function hasEnding(props: TradePanelProps): boolean {
  const { can } = props.trade;
  return offersCancellation(props) || can.confirm || can.withdraw || can.withdrawDispute || can.openDispute;
}
