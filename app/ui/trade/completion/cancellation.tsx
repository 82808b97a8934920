import { useT } from "../../frame/i18n.tsx";
import { formatInlineMoney } from "../progress/trade-words.ts";
import { TradeStepForm } from "../trade-step-form.tsx";
import type { TradeShown } from "../types.ts";

/** Cancels a trade whose money is held: both parties must agree, and the one who is asked may also decline. */
export function Cancellation({ trade, role }: { trade: TradeShown; role: "buyer" | "seller" }) {
  const t = useT();
  const { can } = trade;
  if (!can.requestCancellation && !can.declineCancellation && !can.withdrawCancellation) return null;
  const other = role === "buyer" ? "seller" : "buyer";
  const what = { sum: formatInlineMoney(trade.refundable), name: trade.names.buyer };
  return (
    <>
      {can.declineCancellation && (
        <p className="font-semibold wrap-anywhere">
          {t("trade.cancelAskedBy", { name: trade.names[other] })}
        </p>
      )}
      <p className="text-sm text-quiet">{t(explanationOf(trade))}</p>
      {can.agreeCancellation && role === "seller" && trade.vault.openedAt !== null && (
        <p className="font-semibold text-warn">{t("trade.cancelOpened")}</p>
      )}
      {can.requestCancellation && (
        <TradeStepForm
          form="cancel"
          fields={{ vaultShown: trade.vault.revision }}
          label={t("trade.requestCancel")}
          look="danger"
          ask={trade.onHold ? t("trade.cancelAskChecked") : t(`trade.cancelAsk.${role}`, what)}
          yes={t(`trade.cancelYes.ask.${role}`, what)}
        />
      )}
      {can.agreeCancellation && (
        <TradeStepForm
          form="agree-cancel"
          fields={{ agreesTo: trade.cancelAsked[other] ?? "", vaultShown: trade.vault.revision }}
          label={t("trade.agreeCancel")}
          look="danger"
          ask={t(`trade.cancelAsk.${role}`, what)}
          yes={t(`trade.cancelYes.agree.${role}`, what)}
        />
      )}
      {can.declineCancellation && (
        <TradeStepForm
          form="decline-cancel"
          fields={{ requestedAt: trade.cancelAsked[other] ?? "" }}
          label={t("trade.declineCancel")}
          look="plain"
        />
      )}
      {can.withdrawCancellation && (
        <TradeStepForm form="withdraw-cancel" label={t("trade.withdrawCancel")} look="plain" />
      )}
    </>
  );
}

/** While a trade is on hold, it cannot end: a request can be made and declined, but not agreed to. */
function explanationOf({ can, onHold }: TradeShown) {
  if (can.agreeCancellation) return "trade.cancelAsked";
  if (can.declineCancellation) return "trade.cancelOnlyDeclined";
  if (!can.withdrawCancellation) return "trade.cancelBoth";
  return onHold ? "trade.cancelWaitsChecked" : "trade.cancelWaits";
}
