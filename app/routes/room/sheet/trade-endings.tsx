import { formatMoney } from "#format";
import type { PostedForm } from "../../../ui/forms/posted-form.ts";
import { useT } from "../../../ui/frame/i18n.tsx";
import { DisclosureRow } from "../../../ui/rows/disclosure-row.tsx";
import { RowGroup } from "../../../ui/rows/row-group.tsx";
import { Cancellation } from "../../../ui/trade/completion/cancellation.tsx";
import { offersEarlyConfirmation } from "../../../ui/trade/completion/completion-content.ts";
import { EarlyConfirmation } from "../../../ui/trade/completion/completion-step.tsx";
import { formatInlineMoney } from "../../../ui/trade/progress/trade-words.ts";
import { TradeStepForm } from "../../../ui/trade/trade-step-form.tsx";
import type { PanelProps, TradePanelProps } from "../../../ui/trade/types.ts";
import { DisputeOpening } from "../trade/disputes.tsx";
import { findNextStep } from "./step-kinds.ts";

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
    <RowGroup>
      <div className="py-2 empty:hidden">
        <EarlyConfirmation {...props} />
      </div>
      {can.withdraw && (
        <div className="py-2">
          <Withdrawal trade={trade} />
        </div>
      )}
      {offersCancellation(props) && (
        <DisclosureRow id="cancellation" label={t("trade.row.cancel")} open={!can.requestCancellation}>
          <Cancellation {...props} />
        </DisclosureRow>
      )}
      {can.withdrawDispute && (
        <div className="py-2">
          <TradeStepForm
            form="withdraw-dispute"
            fields={{ openedAt: trade.dispute?.openedAt ?? "" }}
            label={t("trade.withdrawDispute")}
            look="plain"
            ask={t("trade.withdrawDisputeAsk")}
          />
        </div>
      )}
      {can.openDispute && (
        <DisclosureRow
          id="dispute"
          label={t("trade.row.dispute")}
          tone="bad"
          open={posted?.form === "dispute"}
        >
          <DisputeOpening posted={posted} />
        </DisclosureRow>
      )}
    </RowGroup>
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
  return can.requestCancellation || can.declineCancellation || can.withdrawCancellation;
}

function hasEnding(props: TradePanelProps): boolean {
  const { can } = props.trade;
  return (
    offersCancellation(props) ||
    offersEarlyConfirmation(props) ||
    can.withdraw ||
    can.withdrawDispute ||
    can.openDispute
  );
}
