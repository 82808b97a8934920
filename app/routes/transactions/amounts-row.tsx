import { formatMoney } from "#format";
import { useT } from "../../ui/frame/i18n.tsx";
import { FactList } from "../../ui/layout/fact-list.tsx";
import { DisclosureRow } from "../../ui/rows/disclosure-row.tsx";
import type { TradeShown } from "../../ui/trade/types.ts";

/** What the price and the fee make of it, as a row with the price. */
export function AmountsRow({ trade }: { trade: TradeShown }) {
  const t = useT();
  return (
    <DisclosureRow id="amounts" label={t("trade.amount")} value={formatMoney(trade.amount)}>
      {trade.description && <p className="wrap-anywhere">{trade.description}</p>}
      <AmountList trade={trade} />
    </DisclosureRow>
  );
}

function AmountList({ trade }: { trade: TradeShown }) {
  const t = useT();
  const rows = [
    { label: t("trade.amount"), value: formatMoney(trade.amount) },
    {
      label: t("trade.fee", { payer: t(`trade.feePayer.${trade.feePayer}`) }),
      value: formatMoney(trade.fee),
    },
    { label: t("trade.gross"), value: formatMoney(trade.gross), strong: true },
  ];
  if (trade.status !== "cancelled") rows.push({ label: t("trade.net"), value: formatMoney(trade.toSeller) });
  if (trade.refund) rows.push({ label: t("trade.refund.row"), value: formatMoney(trade.refund.amount) });
  return <FactList rows={rows} />;
}
