import { formatMoney } from "#format";
import type { PostedForm } from "../../../ui/forms/posted-form.ts";
import { useT } from "../../../ui/frame/i18n.tsx";
import { Cancellation } from "../../../ui/trade/completion/cancellation.tsx";
import { EarlyConfirmation } from "../../../ui/trade/completion/completion-step.tsx";
import { formatInlineMoney } from "../../../ui/trade/progress/trade-words.ts";
import { TradeStepForm } from "../../../ui/trade/trade-step-form.tsx";
import type { PanelProps, TradePanelProps } from "../../../ui/trade/types.ts";
import { DisputeOpening } from "../trade/disputes.tsx";
import { rowGroupClasses, TradeRow } from "./trade-row.tsx";

/** How a trade ends other than by its steps: confirmed early, withdrawn, cancelled together, or disputed. */
export function TradeEndings(props: PanelProps & { posted: PostedForm | null }) {
  const { trade } = props;
  if (trade === null || !hasEnding(trade.can)) return null;
  return <Endings {...props} trade={trade} />;
}

function Endings(props: TradePanelProps) {
  const t = useT();
  const { trade, posted } = props;
  const { can } = trade;
  const cancels = can.requestCancellation || can.agreeCancellation || can.withdrawCancellation;
  return (
    <div className={`${rowGroupClasses} grid gap-2 py-2`}>
      <EarlyConfirmation {...props} />
      {can.withdraw && <Withdrawal trade={trade} />}
      {cancels && (
        <TradeRow id="cancellation" label={t("trade.row.cancel")} open={!can.requestCancellation} last>
          <Cancellation trade={trade} />
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

function hasEnding(can: TradePanelProps["trade"]["can"]): boolean {
  return (
    can.confirm ||
    can.withdraw ||
    can.requestCancellation ||
    can.agreeCancellation ||
    can.withdrawCancellation ||
    can.withdrawDispute ||
    can.openDispute
  );
}
