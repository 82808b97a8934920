import { formatMoney } from "#format";
import { paths } from "../../../paths.ts";
import { ButtonLink } from "../../../ui/forms/button.tsx";
import { useT } from "../../../ui/frame/i18n.tsx";
import { Card } from "../../../ui/layout/card.tsx";
import { FactList } from "../../../ui/layout/fact-list.tsx";

/** Shown to a party of the trade only: its amount, and the link to its room. */
export function OwnTradeCard({ roomId, gross }: { roomId: number; gross: number }) {
  const t = useT();
  return (
    <Card title={t("verify.own.title")} className="whole border-brand">
      <FactList rows={[{ label: t("trade.gross"), value: formatMoney(gross), strong: true }]} />
      <ButtonLink to={paths.room(roomId)} look="primary" className="justify-self-start">
        {t("transaction.toRoom")}
      </ButtonLink>
    </Card>
  );
}
