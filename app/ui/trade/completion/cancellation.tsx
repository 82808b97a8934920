import { useT } from "../../frame/i18n.tsx";
import { formatInlineMoney } from "../progress/trade-words.ts";
import { TradeStepForm } from "../trade-step-form.tsx";
import type { TradeShown } from "../types.ts";

/** Cancels a trade whose money is held: both parties must agree. */
export function Cancellation({ trade, role }: { trade: TradeShown; role: "buyer" | "seller" }) {
  const t = useT();
  const { can } = trade;
  if (!can.requestCancellation && !can.agreeCancellation && !can.withdrawCancellation) return null;
  const other = role === "buyer" ? "seller" : "buyer";
  const what = { sum: formatInlineMoney(trade.refundable), name: trade.names.buyer };
  return (
    <>
      {can.agreeCancellation && (
        <p className="font-semibold wrap-anywhere">
          {t("trade.cancelAskedBy", { name: trade.names[other] })}
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
      {can.agreeCancellation && role === "seller" && trade.vault.openedAt !== null && (
        <p className="font-semibold text-warn">{t("trade.cancelOpened")}</p>
      )}
      {can.requestCancellation && (
        <TradeStepForm
          form="cancel"
          fields={{ vaultShown: trade.vault.revision }}
          label={t("trade.requestCancel")}
          look="danger"
          ask={t("trade.cancelAsk", what)}
          yes={t("trade.cancelYes.ask", what)}
        />
      )}
      {can.agreeCancellation && (
        <TradeStepForm
          form="agree-cancel"
          fields={{ agreesTo: trade.cancelAsked[other] ?? "", vaultShown: trade.vault.revision }}
          label={t("trade.agreeCancel")}
          look="danger"
          ask={t("trade.cancelAsk", what)}
          yes={t("trade.cancelYes.agree", what)}
        />
      )}
      {can.withdrawCancellation && (
        <TradeStepForm form="withdraw-cancel" label={t("trade.withdrawCancel")} look="plain" />
      )}
    </>
  );
}
