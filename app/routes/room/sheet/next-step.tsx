import { paths } from "../../../paths.ts";
import { ButtonLink } from "../../../ui/forms/button.tsx";
import type { PostedForm } from "../../../ui/forms/posted-form.ts";
import { useT } from "../../../ui/frame/i18n.tsx";
import { Card } from "../../../ui/layout/card.tsx";
import { RefusalNotice } from "../../../ui/layout/refusal-notice.tsx";
import { Cancellation } from "../../../ui/trade/completion/cancellation.tsx";
import { CompletionStep } from "../../../ui/trade/completion/completion-step.tsx";
import { HandOverForm } from "../../../ui/trade/completion/hand-over-form.tsx";
import { turnForRole } from "../../../ui/trade/progress/trade-words.ts";
import { PushOffer } from "../../../ui/trade/push-offer.tsx";
import { RefundCard } from "../../../ui/trade/refund-card.tsx";
import { TradeHead, tradeHeadClasses } from "../../../ui/trade/state/trade-head.tsx";
import type { PanelProps, TradePanelProps } from "../../../ui/trade/types.ts";
import { CreateTrade } from "../trade/create-trade.tsx";
import { DetailsForm } from "../trade/details-form.tsx";
import { DisputeExplanation } from "../trade/disputes.tsx";
import { PaymentStep, SupportHint } from "../trade/payment.tsx";
import { VaultCard } from "../trade/vault-card.tsx";
import { findNextStep, showsVault } from "./step-kinds.ts";

type Props = PanelProps & { posted: PostedForm | null };

/** What the reader has to do and by when, with its form. If it is not the reader's turn, names the person they wait for. */
export function NextStep(props: Props) {
  const { trade } = props;
  return (
    <section
      id="next"
      aria-labelledby="trade-title"
      tabIndex={-1}
      className="grid grid-cols-1 gap-3 outline-none"
    >
      {trade === null ? <BeforeTrade {...props} /> : <TradeStep {...props} trade={trade} />}
    </section>
  );
}

/** Before the payment request: the seller's form for it, or what comes first. */
function BeforeTrade(props: Props) {
  const t = useT();
  const { canCreate, obstacle, seatsTaken, role } = props;
  return (
    <>
      <div
        className={`${tradeHeadClasses} ${canCreate ? "border-brand-soft bg-brand-soft" : "border-line bg-card"}`}
      >
        <h2 id="trade-title" data-next-step className="font-bold">
          {t(canCreate ? "chat.waits.request" : "trade.payment")}
        </h2>
        <p className="text-sm">{t(seatsTaken ? `trade.none.${role}` : "trade.none.alone")}</p>
      </div>
      {obstacle !== null && (
        <Card label={t("trade.payment")}>
          <RefusalNotice message={obstacle} />
        </Card>
      )}
      {canCreate && (
        <Card label={t("trade.payment")}>
          <CreateTrade {...props} form="create-trade" />
        </Card>
      )}
    </>
  );
}

function TradeStep(props: TradePanelProps) {
  const { trade, role, serverNow } = props;
  return (
    <>
      <TradeHead {...{ trade, role, serverNow }} headingId="trade-title">
        <SupportHint trade={trade} patience={props.qrLifetime} />
      </TradeHead>
      <PushOffer trade={trade} role={role} />
      {showsVault(props) && <VaultCard {...props} />}
      {props.posted?.form === "hand-over" && !trade.can.handOver && <LateHandOver {...props} />}
      <StepBody {...props} />
    </>
  );
}

/** A handover that was refused because the trade has moved on: its note stays, with the reason. */
function LateHandOver({ posted }: TradePanelProps) {
  const t = useT();
  return (
    <Card label={t("trade.handOver")}>
      <HandOverForm posted={posted} />
    </Card>
  );
}

/** The form of the next step. One thing is asked at a time: the rest is in the rows below. */
function StepBody(props: TradePanelProps) {
  const t = useT();
  const { trade, posted, role } = props;
  switch (findNextStep(props)) {
    case "refund":
      return <RefundCard {...props} place="step" />;
    case "explain":
      return (
        <Card label={t("trade.dispute")}>
          <DisputeExplanation posted={posted} asked={turnForRole(trade, role).own} />
        </Card>
      );
    case "pay":
      return (
        <Card label={t("trade.payment")}>
          <PaymentStep {...props} />
        </Card>
      );
    case "answer":
      return (
        <Card label={t("trade.row.cancel")}>
          <Cancellation {...props} />
        </Card>
      );
    case "account":
      return (
        <Card title={t("info.giveBank")}>
          <DetailsForm {...props} />
        </Card>
      );
    case "complete":
      return (
        <Card label={t("trade.exchange")}>
          <CompletionStep {...props} />
        </Card>
      );
    case "again":
      return <NextTradeCard room={props.room} />;
    default:
      return null;
  }
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
