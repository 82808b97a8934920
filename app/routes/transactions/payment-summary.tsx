import { formatMoney } from "#format";
import { paths } from "../../paths.ts";
import { ButtonLink, TextLink } from "../../ui/forms/button.tsx";
import { useT, useText } from "../../ui/frame/i18n.tsx";
import { Card } from "../../ui/layout/card.tsx";
import { FactList } from "../../ui/layout/fact-list.tsx";
import { ReceivedOtherwise } from "../../ui/trade/completion/completion-step.tsx";
import { MoneyState } from "../../ui/trade/progress/money-state.tsx";
import { bannerOf, turnForRole } from "../../ui/trade/progress/trade-words.ts";
import type { TradeShown } from "../../ui/trade/types.ts";

interface Props {
  trade: TradeShown;
  role: "buyer" | "seller";
  roomId: number;
  /** Whether the room, where every step is taken, still exists. */
  open: boolean;
}

/** The amounts of a trade, where its money is, and whose turn it is; every step is taken in the room. */
export function PaymentSummary({ trade, role, roomId, open }: Props) {
  const t = useT();
  const text = useText();
  const { own, turn } = turnForRole(trade, role);
  const toQr = trade.qr !== null && !trade.heldForChecking;
  return (
    <Card title={t("trade.payment")}>
      <div className="grid justify-items-start gap-2">
        <MoneyState money={trade.standing.money} />
        <p className="font-semibold">{text(`trade.banner.${bannerOf(trade)}`)}</p>
        <p className={own ? "font-semibold text-brand" : "text-quiet"}>
          {text(own ? `trade.yourTurn.${turn}` : `trade.turn.${turn}`)}
        </p>
      </div>
      <ReceivedOtherwise trade={trade} />
      {trade.description && <p className="wrap-anywhere">{trade.description}</p>}
      <AmountList trade={trade} />
      {open && (
        <ButtonLink to={toQr ? paths.roomTrade(roomId) : paths.room(roomId)} look={own ? "primary" : "plain"}>
          {t(toQr ? "transaction.toQr" : "transaction.toRoom")}
        </ButtonLink>
      )}
      <TextLink to={paths.verify(trade.code)}>{t("verify.title")}</TextLink>
    </Card>
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
