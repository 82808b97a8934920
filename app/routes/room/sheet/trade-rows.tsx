import { formatMoney } from "#format";
import { useT, useText } from "../../../ui/frame/i18n.tsx";
import { Disclosure } from "../../../ui/layout/disclosure.tsx";
import { DisclosureRow } from "../../../ui/rows/disclosure-row.tsx";
import { isHandedOverInGame, offersCompletion } from "../../../ui/trade/completion/completion-content.ts";
import { CompletionStep } from "../../../ui/trade/completion/completion-step.tsx";
import { hasEverSharedDetails } from "../../../ui/trade/party-contact.ts";
import { moneyForRole } from "../../../ui/trade/progress/trade-words.ts";
import { RefundCard } from "../../../ui/trade/refund-card.tsx";
import type { TradePanelProps } from "../../../ui/trade/types.ts";
import { CreateTrade } from "../trade/create-trade.tsx";
import { DisputeCourse } from "../trade/disputes.tsx";
import { OwnDetails, SharedInformation } from "../trade/information.tsx";
import { Terms } from "../trade/terms.tsx";
import { VaultCard } from "../trade/vault-card.tsx";
import { findNextStep, showsVault } from "./step-kinds.ts";

/** What a trade is made of, each in a row that opens: the dispute, the amounts, the accounts, what was shared, the vault. */
export function TradeRows(props: TradePanelProps) {
  const t = useT();
  const { trade, posted } = props;
  const step = findNextStep(props);
  const offersSealing = trade.can.seal && (step === "answer" || isHandedOverInGame(trade));
  const offersVault = trade.vault.state !== "none" || (offersSealing && !trade.heldForChecking);
  const hasShared = hasEverSharedDetails(trade.theirs);
  return (
    <>
      {trade.dispute && (
        <DisclosureRow id="dispute-course" label={t("trade.dispute")} open={trade.dispute.outcome === null}>
          <DisputeCourse dispute={trade.dispute} />
        </DisclosureRow>
      )}
      <SumRow {...props} />
      {trade.refund && props.role === "buyer" && step !== "refund" && (
        <DisclosureRow
          id="refund-account"
          label={t("trade.refund.account")}
          value={trade.refund.accountGiven ? t("trade.row.added") : undefined}
          open={posted?.form === "refund-destination"}
        >
          <RefundCard {...props} place="row" />
        </DisclosureRow>
      )}
      {step !== "complete" && offersCompletion(props) && (
        <DisclosureRow id="completion" label={t("trade.exchange")} open={posted?.form === "hand-over"}>
          <CompletionStep {...props} />
        </DisclosureRow>
      )}
      {trade.infoOpen && <AccountRow {...props} asked={step === "account"} />}
      {trade.infoOpen && (!trade.over || hasShared) && (
        <DisclosureRow
          id="shared"
          label={t(hasShared ? "trade.row.shared" : "trade.row.share")}
          value={hasShared && trade.mine.confirmed ? t("trade.row.received") : undefined}
          open={posted?.form === "info"}
        >
          <SharedInformation {...props} />
        </DisclosureRow>
      )}
      {offersVault && !showsVault(props) && (
        <DisclosureRow id="vault" label={t("vault.title")}>
          <VaultCard {...props} bare />
        </DisclosureRow>
      )}
    </>
  );
}

/** The reader's amount, and what it is made of; the seller corrects it here while nothing is paid. */
function SumRow(props: TradePanelProps) {
  const t = useT();
  const text = useText();
  const { trade, role, posted } = props;
  const due = moneyForRole(trade, role).amount;
  return (
    <DisclosureRow
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
    </DisclosureRow>
  );
}

/** The seller's bank account or the buyer's contact details; not while they are the next step. */
function AccountRow(props: TradePanelProps & { asked: boolean }) {
  const t = useT();
  const { trade, role, posted } = props;
  if (props.asked || (trade.over && !hasEverSharedDetails(trade.mine))) return null;
  const given = trade.mine.accountName !== null;
  const missing = !given && trade.can.bankInfo && !trade.over;
  return (
    <DisclosureRow
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
    </DisclosureRow>
  );
}
