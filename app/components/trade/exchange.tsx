import { Card } from "../card.tsx";
import { Fold } from "../fold.tsx";
import { useT } from "../i18n.tsx";
import { Notice } from "../notice.tsx";
import { Act } from "./act.tsx";
import { Cancellation } from "./cancellation.tsx";
import { Confirmations } from "./confirmations.tsx";
import { HandOver } from "./hand-over.tsx";
import type { InTrade } from "./types.ts";
import { decidedForThem, sum } from "./words.ts";

/** Handing over and confirming: who has done what, and what is the reader's to do now. */
export function Exchange(props: InTrade) {
  const t = useT();
  const { trade, role, posted } = props;
  const { can } = trade;
  const { money } = trade.standing;
  const under = (money === "held" || money === "disputed") && !trade.over;
  if (!under && trade.confirmed.buyer === null) return <Cancellation trade={trade} />;
  return (
    <>
      <Card title={t("trade.exchange")}>
        <Confirmations trade={trade} />
        {can.handOver && (
          <>
            <Notice tone="good">
              <p>{t("trade.remind.held", { sum: sum(trade.held) })}</p>
            </Notice>
            {can.seal ? (
              <Fold id="hand-over" summary={t("trade.handOverElse")} open={posted?.form === "hand-over"}>
                <HandOver posted={posted} />
              </Fold>
            ) : (
              <HandOver posted={posted} />
            )}
          </>
        )}
        {!can.confirm &&
          role === "seller" &&
          trade.confirmed.buyer === null &&
          !can.handOver &&
          under &&
          !decidedForThem(trade) && <p className="text-sm text-quiet">{t("trade.buyerFirst")}</p>}
        {can.confirm && role === "buyer" && (
          <Notice tone="info">
            <p>{t("trade.remind.check", { span: props.changeWithin })}</p>
          </Notice>
        )}
        {can.confirm && <Confirm {...props} />}
      </Card>
      <Cancellation trade={trade} />
    </>
  );
}

/** What cannot be undone: the second press names the sum and who gets it. */
function Confirm({ trade, role }: InTrade) {
  const t = useT();
  const disputed = trade.status === "disputed";
  const what = { sum: sum(trade.net), name: trade.names.seller };
  const ask = disputed ? "trade.releaseAsk" : "trade.confirmAsk";
  return (
    <Act
      form="confirm"
      label={t(disputed ? "trade.release" : "trade.confirm")}
      ask={t(ask, what)}
      yes={t(role === "buyer" ? "trade.confirmYes.buyer" : "trade.confirmYes.seller", what)}
    />
  );
}
