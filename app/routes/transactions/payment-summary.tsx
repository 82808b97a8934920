import { formatMoney } from "#format";
import { paths } from "../../paths.ts";
import { ButtonLink } from "../../ui/forms/button.tsx";
import { useT, useText } from "../../ui/frame/i18n.tsx";
import { Card } from "../../ui/layout/card.tsx";
import { FactList } from "../../ui/layout/fact-list.tsx";
import { DisclosureRow } from "../../ui/rows/disclosure-row.tsx";
import { ReceivedOtherwise } from "../../ui/trade/completion/completion-step.tsx";
import { RoleMoneyLine } from "../../ui/trade/progress/role-money.tsx";
import { bannerOf, moneyForRole, turnForRole } from "../../ui/trade/progress/trade-words.ts";
import type { TradeShown } from "../../ui/trade/types.ts";

interface Props {
  trade: TradeShown;
  role: "buyer" | "seller";
}

/**
 * Where the money of a trade is, the reader's amount and whose turn it is. Every step is taken in the room, if it still exists (`open`).
 */
export function PaymentSummary(props: Props & { roomId: number; open: boolean }) {
  const t = useT();
  const text = useText();
  const { trade, role, roomId, open } = props;
  const { own, turn } = turnForRole(trade, role);
  const toQr = trade.qr !== null && !trade.heldForChecking;
  return (
    <Card label={t("trade.payment")} tight>
      <RoleMoneyLine {...moneyForRole(trade, role)} />
      <p className="font-semibold">{text(`trade.banner.${bannerOf(trade)}`)}</p>
      <p className={own ? "font-semibold text-brand" : "text-quiet"}>
        {text(own ? `trade.yourTurn.${turn}` : `trade.turn.${turn}`)}
      </p>
      <ReceivedOtherwise trade={trade} />
      {open && (
        <ButtonLink
          to={toQr ? paths.roomTrade(roomId) : paths.room(roomId)}
          look={own ? "primary" : "plain"}
          className="mt-2"
        >
          {t(toQr ? "transaction.toQr" : "transaction.toRoom")}
        </ButtonLink>
      )}
    </Card>
  );
}

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
    { label: t("trade.net"), value: formatMoney(trade.toSeller) },
  ];
  if (trade.refund) rows.push({ label: t("trade.refund.row"), value: formatMoney(trade.refund.amount) });
  return <FactList rows={rows} />;
}
