import { formatMoney } from "#format";
import { useT, useText } from "../../../ui/frame/i18n.tsx";
import { Disclosure } from "../../../ui/layout/disclosure.tsx";
import { CompletionStep, offersCompletion } from "../../../ui/trade/completion/completion-step.tsx";
import { amountForRole } from "../../../ui/trade/progress/trade-words.ts";
import { RefundCard } from "../../../ui/trade/refund-card.tsx";
import type { TradePanelProps } from "../../../ui/trade/types.ts";
import { CreateTrade } from "../trade/create-trade.tsx";
import { DisputeCourse } from "../trade/disputes.tsx";
import { OwnDetails, SharedInformation } from "../trade/information.tsx";
import { Terms } from "../trade/terms.tsx";
import { VaultCard } from "../trade/vault-card.tsx";
import { findNextStep, showsVault } from "./step-kinds.ts";
import { TradeRow } from "./trade-row.tsx";

/** What a trade is made of, each in a row that opens: the dispute, the amounts, the accounts, what was shared, the vault. */
export function TradeRows(props: TradePanelProps) {
  const t = useT();
  const { trade, posted } = props;
  const step = findNextStep(props);
  return (
    <>
      {trade.dispute && (
        <TradeRow id="dispute-course" label={t("trade.dispute")} open={trade.dispute.outcome === null}>
          <DisputeCourse dispute={trade.dispute} />
        </TradeRow>
      )}
      <SumRow {...props} />
      {trade.refund && props.role === "buyer" && step !== "refund" && (
        <TradeRow
          id="refund-account"
          label={t("trade.refund.title")}
          value={formatMoney(trade.refund.amount)}
          open={posted?.form === "refund-destination"}
        >
          <RefundCard {...props} bare />
        </TradeRow>
      )}
      {step !== "complete" && offersCompletion(props) && (
        <TradeRow id="completion" label={t("trade.exchange")} open={posted?.form === "hand-over"}>
          <CompletionStep {...props} />
        </TradeRow>
      )}
      {trade.infoOpen && <AccountRow {...props} asked={step === "account"} />}
      {trade.infoOpen && (
        <TradeRow
          id="shared"
          label={t("trade.row.shared")}
          value={t(trade.theirs.confirmed ? "trade.row.confirmed" : "trade.row.open")}
          open={posted?.form === "info"}
        >
          <SharedInformation {...props} />
        </TradeRow>
      )}
      {(trade.vault.state !== "none" || (step === "answer" && trade.can.seal)) && !showsVault(props) && (
        <TradeRow id="vault" label={t("vault.title")}>
          <VaultCard {...props} bare />
        </TradeRow>
      )}
    </>
  );
}

/** The reader's amount, and what it is made of; the seller corrects it here while nothing is paid. */
function SumRow(props: TradePanelProps) {
  const t = useT();
  const text = useText();
  const { trade, role, posted } = props;
  const due = amountForRole(trade, role);
  return (
    <TradeRow
      id="terms"
      label={text(due?.label ?? "trade.gross")}
      value={
        <strong className="text-base text-ink tabular-nums">{due?.sum ?? formatMoney(trade.gross)}</strong>
      }
      open={posted?.form === "amend"}
    >
      <Terms trade={trade} />
      {trade.can.amend && (
        <Disclosure id="amend" summary={t("trade.amend")} open={posted?.form === "amend"}>
          {trade.qrAsked && <p className="text-sm text-quiet">{t("trade.amendQr")}</p>}
          <CreateTrade {...props} form="amend" defaults={trade} />
        </Disclosure>
      )}
    </TradeRow>
  );
}

/** The seller's bank account or the buyer's contact details; not while they are the next step. */
function AccountRow(props: TradePanelProps & { asked: boolean }) {
  const t = useT();
  const { trade, role, posted } = props;
  if (props.asked) return null;
  const given = trade.mine.accountName !== null;
  const missing = !given && trade.can.bankInfo && !trade.over;
  return (
    <TradeRow
      id="account"
      label={t(role === "seller" ? "trade.row.bank" : "trade.row.contact")}
      value={
        missing ? (
          <span className="rounded-full bg-warn-soft px-2 py-0.5 font-semibold text-warn">
            {t("trade.row.add")}
          </span>
        ) : (
          t(given ? "trade.row.added" : "info.notGiven")
        )
      }
      open={posted?.form === "bank-info"}
    >
      <OwnDetails {...props} />
    </TradeRow>
  );
}
