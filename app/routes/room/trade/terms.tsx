import { formatMoney } from "#format";
import { CopyButton } from "../../../ui/forms/copyable-value.tsx";
import { useT } from "../../../ui/frame/i18n.tsx";
import { FactList } from "../../../ui/layout/fact-list.tsx";
import { isPaidInPart } from "../../../ui/trade/state/trade-state.ts";
import type { TradeShown } from "../../../ui/trade/types.ts";

/** What was agreed: the code, the goods, and each party's figure. */
export function Terms({ trade }: { trade: TradeShown }) {
  const t = useT();
  return (
    <>
      <div className="grid gap-1">
        <p className="flex flex-wrap items-center gap-x-3">
          <span className="font-mono text-sm" data-code>
            {trade.code}
          </span>
          <CopyButton value={trade.code} label={t("chat.copy")} />
        </p>
        {trade.description && <p className="wrap-anywhere">{trade.description}</p>}
      </div>
      <FactList rows={rowsOf(trade, t)} />
    </>
  );
}

function rowsOf(trade: TradeShown, t: ReturnType<typeof useT>) {
  const rows = [
    { label: t("trade.goodsInput"), value: t(`trade.goods.${trade.goods}`) },
    { label: t("trade.amount"), value: formatMoney(trade.amount) },
    {
      label: t("trade.fee", { payer: t(`trade.feePayer.${trade.feePayer}`) }),
      value: formatMoney(trade.fee),
    },
    { label: t("trade.gross"), value: formatMoney(trade.gross), strong: !trade.over },
  ];
  if (trade.status !== "cancelled" && trade.standing.money !== "none") {
    rows.push({ label: t("trade.net"), value: formatMoney(trade.toSeller), strong: true });
  }
  if (trade.refund) {
    rows.push({ label: t("trade.refund.row"), value: formatMoney(trade.refund.amount), strong: true });
  }
  if (isPaidInPart(trade)) {
    rows.push(
      { label: t("trade.booked"), value: formatMoney(trade.booked), strong: false },
      { label: t("trade.rest"), value: formatMoney(trade.gross - trade.booked), strong: true },
    );
  }
  return rows;
}
