import { paths } from "../../../paths.ts";
import { ButtonLink } from "../../../ui/forms/button.tsx";
import type { PostedForm } from "../../../ui/forms/posted-form.ts";
import { useT } from "../../../ui/frame/i18n.tsx";
import { Card } from "../../../ui/layout/card.tsx";
import { RefusalNotice } from "../../../ui/layout/refusal-notice.tsx";
import { CompletionCard } from "../../../ui/trade/completion/completion-card.tsx";
import { RefundCard } from "../../../ui/trade/refund-card.tsx";
import type { PanelProps } from "../../../ui/trade/types.ts";
import { CreateTrade } from "./create-trade.tsx";
import { Disputes } from "./disputes.tsx";
import { Information } from "./information.tsx";
import { PaymentCard } from "./payment.tsx";
import { VaultCard } from "./vault-card.tsx";

/**
 * The trade beside the conversation: its amounts, and the forms of the current steps, the next step first. Rendered by the server only; the
 * room's island fetches it again when the socket reports a change.
 */
export function TradePanel(props: PanelProps & { posted: PostedForm | null }) {
  const t = useT();
  const { trade, posted } = props;
  if (trade === null) {
    if (props.obstacle !== null) {
      return (
        <Card title={t("trade.payment")}>
          <RefusalNotice message={props.obstacle} />
        </Card>
      );
    }
    if (!props.canCreate) return null;
    return (
      <Card title={t("trade.payment")}>
        <CreateTrade {...props} form="create-trade" />
      </Card>
    );
  }
  const payment = <PaymentCard {...props} trade={trade} />;
  const waits = trade.standing.money === "waiting";
  return (
    <>
      <RefundCard {...props} trade={trade} />
      {waits && payment}
      <VaultCard {...props} trade={trade} />
      <CompletionCard {...props} trade={trade} />
      {trade.infoOpen && <Information {...props} trade={trade} />}
      <Disputes trade={trade} posted={posted} />
      {!waits && payment}
      {trade.over && <NextTradeCard room={props.room} />}
    </>
  );
}

/** A room holds one trade: the next one with the same person needs its own room. */
function NextTradeCard({ room }: Pick<PanelProps, "room">) {
  const t = useT();
  return (
    <Card title={t("trade.againTitle")}>
      <p className="text-sm text-quiet">{t("trade.againWhy")}</p>
      <ButtonLink to={`${paths.chat}?dialog=create&with=${room.id}`} look="primary">
        {t("trade.again")}
      </ButtonLink>
    </Card>
  );
}
