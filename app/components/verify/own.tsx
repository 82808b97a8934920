import { money } from "#format";
import { paths } from "../../paths.ts";
import { ButtonLink } from "../button.tsx";
import { Card } from "../card.tsx";
import { Facts } from "../facts.tsx";
import { useT } from "../i18n.tsx";

/** For a party of the trade alone: its sum, and the way to its room. */
export function Own({ roomId, gross }: { roomId: number; gross: number }) {
  const t = useT();
  return (
    <Card title={t("verify.own.title")} className="border-brand">
      <Facts rows={[{ label: t("trade.gross"), value: money(gross), strong: true }]} />
      <ButtonLink to={paths.room(roomId)} look="primary" className="justify-self-start">
        {t("transaction.toRoom")}
      </ButtonLink>
    </Card>
  );
}
