import { formatLongMoment } from "#format";
import { useLanguage, useT } from "../../frame/i18n.tsx";
import { Disclosure } from "../../layout/disclosure.tsx";
import { Notice } from "../../layout/notice.tsx";
import { formatInlineMoney } from "../progress/trade-words.ts";
import { TradeStepForm } from "../trade-step-form.tsx";
import type { TradePanelProps, TradeShown } from "../types.ts";
import {
  confirmsEarly,
  confirmsHandOver,
  isHandedOverInGame,
  offersEarlyConfirmation,
  waitsForBuyer,
} from "./completion-content.ts";
import { HandOverForm } from "./hand-over-form.tsx";
import { TradeCheckNotice } from "./trade-check-notice.tsx";

/** Handover and confirmation while Midman holds the money: what the reader does next, or why they wait. */
export function CompletionStep(props: TradePanelProps) {
  const t = useT();
  const { trade, role, posted } = props;
  const { can } = trade;
  // A seller who has already handed over can record it while the payment is checked, but nothing asks for it.
  const checked = trade.heldForChecking;
  return (
    <>
      <ReceivedOtherwise trade={trade} />
      <HandOverNote trade={trade} />
      {role === "buyer" && trade.vault.state === "sealed" && can.openVault && (
        <p className="text-sm font-semibold">{t("vault.card.openFirst")}</p>
      )}
      {checked && <CheckNotice asks={role === "seller" && !trade.handedOver} whole={trade.tradeChecked} />}
      {can.handOver && <HandOver {...{ trade, posted, checked }} />}
      {waitsForBuyer(props) && <p className="text-sm text-quiet">{t("trade.buyerFirst")}</p>}
      {can.confirm && role === "buyer" && !(checked && !confirmsHandOver(trade)) && (
        <Notice tone="info">
          <p>
            {confirmsHandOver(trade)
              ? t("trade.remind.check", { within: props.changeWithin })
              : t("trade.otherwise.wait")}
          </p>
        </Notice>
      )}
      {can.confirm && !confirmsEarly(props) && <ConfirmForm {...props} />}
    </>
  );
}

/** How and where the goods were handed over, in the seller's words; nothing without any. */
export function HandOverNote({ trade }: Pick<TradePanelProps, "trade">) {
  const t = useT();
  if (trade.handOverNote === null) return null;
  return (
    <p className="text-sm whitespace-pre-wrap wrap-anywhere" data-hand-over-note>
      <span className="text-quiet">{t("trade.handOverSaid")}</span> {trade.handOverNote}
    </p>
  );
}

/**
 * The buyer's confirmation that is never asked for: before a recorded handover, or in a dispute, which it ends. Nothing if there is none.
 */
export function EarlyConfirmation(props: TradePanelProps) {
  const { trade } = props;
  if (!offersEarlyConfirmation(props)) return null;
  return confirmsHandOver(trade) ? <ConfirmForm {...props} /> : <ConfirmWithoutHandOver trade={trade} />;
}

/**
 * The seller's handover form, with what to know before it. `checked`: the payment is being checked, so the form is offered but not asked
 * for.
 */
function HandOver({
  trade,
  posted,
  checked,
}: Pick<TradePanelProps, "trade" | "posted"> & { checked: boolean }) {
  const t = useT();
  const inGame = isHandedOverInGame(trade);
  return (
    <>
      {trade.receivedOtherwiseAt !== null && (
        <Notice tone="warn">
          <p>{t("trade.otherwise.seller")}</p>
        </Notice>
      )}
      {!checked && (
        <Notice tone="good">
          <p>{t("trade.remind.held", { sum: formatInlineMoney(trade.held) })}</p>
        </Notice>
      )}
      {inGame && !checked && <p>{t("trade.handOverInGame", { button: t("trade.handOver") })}</p>}
      {(trade.can.seal && !inGame) || checked ? (
        <Disclosure
          id="hand-over"
          summary={t(checked ? "trade.handOverDone" : "trade.handOverElse")}
          open={posted?.form === "hand-over"}
        >
          <HandOverForm posted={posted} />
        </Disclosure>
      ) : (
        <HandOverForm posted={posted} />
      )}
    </>
  );
}

/** Midman is checking a payment that was confirmed earlier; `asks`: the reader is the seller and has not handed over yet. */
function CheckNotice({ asks, whole }: { asks: boolean; whole: boolean }) {
  const t = useT();
  if (whole) return <TradeCheckNotice />;
  return (
    <Notice tone="warn" title={t("trade.outcome.held")}>
      <p>{t(asks ? "trade.outcome.checkedSeller" : "trade.outcome.checkedBuyer")}</p>
    </Notice>
  );
}

/** What a confirmation names of the trade that it was given for: a retry must not decide about another state. */
function confirmFields({ vault, status, dispute }: TradeShown): Record<string, string> {
  return {
    vaultShown: vault.revision,
    ...(status === "disputed" && dispute && { endsDispute: dispute.openedAt }),
  };
}

/** Confirming before any recorded handover: a separate step, never the primary action, which states its consequences. */
function ConfirmWithoutHandOver({ trade }: { trade: TradeShown }) {
  const t = useT();
  const what = { sum: formatInlineMoney(trade.net) };
  return (
    <TradeStepForm
      form="confirm-otherwise"
      fields={confirmFields(trade)}
      label={t("trade.otherwise.label")}
      look="plain"
      ask={t("trade.otherwise.ask", what)}
      yes={t("trade.otherwise.yes", what)}
    />
  );
}

/** Says that the buyer confirmed without a recorded handover; both parties see the same. */
export function ReceivedOtherwise({ trade }: { trade: Pick<TradeShown, "receivedOtherwiseAt"> }) {
  const t = useT();
  const language = useLanguage();
  if (trade.receivedOtherwiseAt === null) return null;
  return (
    <p className="text-sm text-quiet" data-received-otherwise>
      {t("trade.otherwise.said", { at: formatLongMoment(trade.receivedOtherwiseAt, language) })}
    </p>
  );
}

/** Confirming cannot be undone: the second press names the amount and who gets it. */
function ConfirmForm({ trade, role }: TradePanelProps) {
  const t = useT();
  const disputed = trade.status === "disputed";
  const what = { sum: formatInlineMoney(trade.net), name: trade.names.seller };
  const ask = disputed ? ("trade.releaseAsk" as const) : (`trade.confirmAsk.${role}` as const);
  return (
    <TradeStepForm
      form="confirm"
      fields={confirmFields(trade)}
      label={t(disputed ? "trade.release" : "trade.confirm")}
      look={disputed ? "plain" : "primary"}
      ask={t(ask, what)}
      yes={t(role === "buyer" ? "trade.confirmYes.buyer" : "trade.confirmYes.seller", what)}
    />
  );
}
