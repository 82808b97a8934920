import { money } from "#format";
import { Card } from "../card.tsx";
import { useT } from "../i18n.tsx";
import type { Posted } from "../posted-form.ts";
import { Act } from "./act.tsx";
import { HandOver } from "./hand-over.tsx";
import type { TradeShown } from "./types.ts";

/** Handing over, confirming, and agreeing to cancel; only the last where nothing else is left. */
export function Exchange({ trade, posted }: { trade: TradeShown; posted: Posted | null }) {
  const t = useT();
  const { can, confirmed } = trade;
  const disputed = trade.status === "disputed";
  // A trade that an administrator ended waits for nobody's confirmation.
  const said = confirmed.buyer && (!trade.over || (trade.status === "completed" && confirmed.seller));
  const exchange = can.handOver || can.confirm || said;
  if (!exchange && !can.requestCancellation && !can.agreeCancellation && !can.withdrawCancellation)
    return null;
  return (
    <Card title={t(exchange ? "trade.exchange" : "trade.cancellation")}>
      {said && (
        <ul className="text-sm">
          <li>{t("trade.buyerConfirmed")}</li>
          <li>{t(confirmed.seller ? "trade.sellerConfirmed" : "trade.sellerNotConfirmed")}</li>
        </ul>
      )}
      {can.handOver && <HandOver posted={posted} />}
      {can.confirm && (
        <Act
          form="confirm"
          label={t(disputed ? "trade.release" : "trade.confirm")}
          ask={t(disputed ? "trade.releaseAsk" : "trade.confirmAsk", { sum: money(trade.net) })}
        />
      )}
      {(can.requestCancellation || can.agreeCancellation) && (
        <Act
          form="cancel"
          label={t(can.agreeCancellation ? "trade.agreeCancel" : "trade.requestCancel")}
          look="danger"
          ask={t("trade.cancelAsk", { sum: money(trade.gross) })}
        />
      )}
      {can.withdrawCancellation && (
        <Act form="withdraw-cancel" label={t("trade.withdrawCancel")} look="plain" />
      )}
    </Card>
  );
}
