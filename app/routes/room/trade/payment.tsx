import { formatMoney } from "#format";
import { paths } from "../../../paths.ts";
import { useT } from "../../../ui/frame/i18n.tsx";
import { Disclosure } from "../../../ui/layout/disclosure.tsx";
import { FactList } from "../../../ui/layout/fact-list.tsx";
import { Notice } from "../../../ui/layout/notice.tsx";
import { TradeCheckNotice } from "../../../ui/trade/completion/trade-check-notice.tsx";
import { formatInlineMoney } from "../../../ui/trade/progress/trade-words.ts";
import { isPaidInPart } from "../../../ui/trade/state/trade-state.ts";
import { TradeStepForm } from "../../../ui/trade/trade-step-form.tsx";
import type { PaymentQr, TradePanelProps, TradeShown } from "../../../ui/trade/types.ts";
import { PaymentAnswer, PaymentCheck } from "./paying/payment-check.tsx";
import { QrBox } from "./qr-box.tsx";

/** The ways to pay, and the state of the payment. */
export function PaymentStep(props: TradePanelProps) {
  const t = useT();
  const { trade, role } = props;
  const pays = role === "buyer";
  const qr = trade.qr !== null && !trade.heldForChecking && <TradeQr {...props} qr={trade.qr} />;
  return (
    <>
      {pays && <Purchase trade={trade} />}
      <PaymentOutcome trade={trade} buyer={pays} serverNow={props.serverNow} />
      {/* The buyer scans the code, so the seller's page keeps it folded. */}
      {qr && !pays && !trade.qr?.expired ? (
        <Disclosure id="qr" summary={t("trade.getQr")}>
          {qr}
        </Disclosure>
      ) : (
        qr
      )}
      <Actions {...props} />
    </>
  );
}

function TradeQr({ trade, role, room, serverNow, qr }: TradePanelProps & { qr: PaymentQr }) {
  return (
    <QrBox
      qr={qr}
      serverNow={serverNow}
      gross={trade.gross - trade.booked}
      room={room.id}
      trade={trade.id}
      code={trade.code}
      pays={role === "buyer"}
      recheck={trade.can.verify ? trade.id : null}
    />
  );
}

/** What the buyer pays for, and what the sum is made of, with their own part of the fee: seen before the QR, not after the money has gone. */
function Purchase({ trade }: { trade: TradeShown }) {
  const t = useT();
  const fee = trade.gross - trade.amount;
  const feeLabel =
    trade.feePayer === "split"
      ? t("trade.feeHalf")
      : t("trade.fee", { payer: t(`trade.feePayer.${trade.feePayer}`) });
  return (
    <div data-purchase className="grid gap-1 text-sm">
      <p className="wrap-anywhere">
        <strong>{trade.description ?? t(`trade.goods.${trade.goods}`)}</strong>
        {trade.description && <span className="text-quiet"> · {t(`trade.goods.${trade.goods}`)}</span>}
      </p>
      <FactList
        tight
        rows={[
          { label: t("trade.amount"), value: formatMoney(trade.amount) },
          ...(fee > 0 ? [{ label: feeLabel, value: formatMoney(fee) }] : []),
          { label: t("trade.sum.pay"), value: formatMoney(trade.gross), strong: true },
        ]}
      />
    </div>
  );
}

/** The state of a payment that has begun but is not complete, and the next step. */
function PaymentOutcome({
  trade,
  buyer,
  serverNow,
}: {
  trade: TradeShown;
  buyer: boolean;
  serverNow: string;
}) {
  const t = useT();
  if (trade.standing.money !== "waiting") return null;
  if (trade.tradeChecked) return <TradeCheckNotice />;
  if (trade.heldForChecking) {
    return (
      <Notice tone="warn" title={t("trade.outcome.held")}>
        <p>{t(buyer ? "trade.outcome.heldNext" : "trade.outcome.heldNextSeller")}</p>
      </Notice>
    );
  }
  if (isPaidInPart(trade)) {
    const [paid, rest] = [formatInlineMoney(trade.booked), formatInlineMoney(trade.gross - trade.booked)];
    return (
      <Notice tone="warn" title={t("trade.outcome.part", { paid, rest })}>
        {buyer && <p>{t("trade.outcome.partNext")}</p>}
      </Notice>
    );
  }
  if (trade.status === "payment_failed") {
    return (
      <Notice tone="bad" title={t("trade.outcome.failed")}>
        {buyer && <p>{t("trade.outcome.failedNext")}</p>}
      </Notice>
    );
  }
  return buyer ? null : <PaymentAnswer trade={trade} serverNow={serverNow} buyer={false} />;
}

/** The address of the support form for a trade's payment. */
function supportAt({ code }: Pick<TradeShown, "code">): string {
  return `${paths.support}?topic=payment&code=${code}#write`;
}

/**
 * The buyer's ways to pay; none while a payment is checked, because Midman then reports the result itself. No QR is offered while money may
 * already have arrived, and replacing one asks for confirmation.
 */
function Actions({ trade, role, payWithin, serverNow }: TradePanelProps) {
  const t = useT();
  const { can, qr } = trade;
  if (role === "seller") return <SellersQr trade={trade} />;
  if (trade.heldForChecking) return null;
  if (!can.invoice && !can.markPaid && !can.verify) return null;
  const payable = qr !== null && !qr.expired;
  return (
    <div className="grid gap-3">
      {can.invoice && !trade.qrAsked && (
        <p className="text-sm text-quiet">{t("trade.window", { span: payWithin })}</p>
      )}
      {can.invoice && qr === null && <TradeStepForm form="invoice" label={t("trade.getQr")} />}
      {can.invoice && qr?.expired && <NewQr look="primary" />}
      <PaymentCheck trade={trade} serverNow={serverNow} look={payable ? "primary" : "plain"} />
      {can.invoice && payable && <NewQr look="plain" />}
    </div>
  );
}

/** Asks for confirmation: what was paid with the QR shown must not be paid again with another. */
function NewQr({ look }: { look: "primary" | "plain" }) {
  const t = useT();
  return (
    <TradeStepForm
      form="new-invoice"
      label={t("trade.newQr")}
      look={look}
      ask={t("trade.newQrAsk", { verify: t("trade.verify") })}
      yes={t("trade.newQrYes")}
    />
  );
}

/** Tells the seller that a new QR is the buyer's to request. */
function SellersQr({ trade: { qr, standing, heldForChecking, can } }: { trade: TradeShown }) {
  const t = useT();
  const payable = qr !== null && !qr.expired;
  if (standing.money !== "waiting" || payable || heldForChecking) return null;
  const own = can.amend || can.withdraw ? ` ${t("trade.requestIsYours")}` : "";
  return (
    <p className="text-sm text-quiet">{`${t("trade.qrIsBuyers", { button: t(qr === null ? "trade.getQr" : "trade.newQr") })}${own}`}</p>
  );
}

/** Offers support, once on the page, after a failed payment and to a person who has waited ten minutes for a confirmation. */
export function SupportHint({ trade, patience }: { trade: TradeShown; patience: string }) {
  const t = useT();
  if (!trade.late && trade.status !== "payment_failed") return null;
  return (
    <p className="-my-1.5 text-sm font-semibold text-warn" data-contact>
      {trade.late && t("trade.late", { span: patience })}{" "}
      <a href={supportAt(trade)} className="inline-flex min-h-11 items-center underline wrap-anywhere">
        {t("support.toForm")}
      </a>
    </p>
  );
}
