import { useT } from "../../frame/i18n.tsx";
import { formatInlineMoney } from "../progress/trade-words.ts";
import { TradeStepForm } from "../trade-step-form.tsx";
import type { TradeShown } from "../types.ts";

/** Cancels a trade whose money is held: both parties must agree. */
export function Cancellation({ trade, role }: { trade: TradeShown; role: "buyer" | "seller" }) {
  const t = useT();
  const { can } = trade;
  if (!can.requestCancellation && !can.agreeCancellation && !can.withdrawCancellation) return null;
  const what = { sum: formatInlineMoney(trade.refundable), name: trade.names.buyer };
  return (
    <>
      {can.agreeCancellation && (
        <p className="font-semibold wrap-anywhere">
          {t("trade.cancelAskedBy", { name: trade.names[role === "buyer" ? "seller" : "buyer"] })}
        </p>
      )}
      <p className="text-sm text-quiet">
        {t(
          can.agreeCancellation
            ? "trade.cancelAsked"
            : can.withdrawCancellation
              ? "trade.cancelWaits"
              : "trade.cancelBoth",
        )}
      </p>
      {(can.requestCancellation || can.agreeCancellation) && (
        <TradeStepForm
          form="cancel"
          label={t(can.agreeCancellation ? "trade.agreeCancel" : "trade.requestCancel")}
          look="danger"
          ask={t("trade.cancelAsk", what)}
          yes={t(can.agreeCancellation ? "trade.cancelYes.agree" : "trade.cancelYes.ask", what)}
        />
      )}
      {can.withdrawCancellation && (
        <TradeStepForm form="withdraw-cancel" label={t("trade.withdrawCancel")} look="plain" />
      )}
    </>
  );
}
