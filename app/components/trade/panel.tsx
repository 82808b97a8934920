import { moment, money } from "#format";
import { Card } from "../card.tsx";
import { Facts } from "../facts.tsx";
import { useT, useText } from "../i18n.tsx";
import type { Posted } from "../posted-form.ts";
import { Act } from "./act.tsx";
import { CreateTrade } from "./create-trade.tsx";
import { Disputes } from "./disputes.tsx";
import { Exchange } from "./exchange.tsx";
import { Information } from "./information.tsx";
import { QrBox } from "./qr-box.tsx";
import { Refund } from "./refund.tsx";
import { Summary } from "./summary.tsx";
import type { InTrade, PanelProps, TradeShown } from "./types.ts";
import { paidInPart } from "./words.ts";

/**
 * The trade beside the conversation: its sums, and the forms of what may be done now. It is server-rendered alone; the room's
 * island fetches it again when the socket hints at a change.
 */
export function TradePanel(props: PanelProps & { posted: Posted | null }) {
  const t = useT();
  const { trade, posted } = props;
  if (trade === null) {
    if (!props.canCreate) return null;
    return (
      <Card title={t("trade.payment")}>
        <CreateTrade posted={posted} form="create-trade" />
      </Card>
    );
  }
  return (
    <>
      <Refund {...props} trade={trade} />
      <Card title={t("trade.payment")}>
        <Terms trade={trade} />
        {trade.qr && (
          <QrBox
            qr={trade.qr}
            serverNow={props.serverNow}
            gross={trade.gross - trade.booked}
            pays={props.role === "buyer"}
          />
        )}
        <PaymentActions {...props} trade={trade} />
      </Card>
      <Exchange trade={trade} posted={posted} />
      {trade.infoOpen && <Information {...props} trade={trade} posted={posted} />}
      <Disputes trade={trade} posted={posted} />
    </>
  );
}

function Terms({ trade }: { trade: TradeShown }) {
  const t = useT();
  const text = useText();
  return (
    <>
      <p className="font-mono text-sm" data-code>
        {trade.code}
      </p>
      {trade.description && <p className="wrap-anywhere">{trade.description}</p>}
      <Figures trade={trade} />
      {trade.clocks.map((clock) => (
        <p key={clock.kind} className={`text-sm ${clock.overdue ? "font-semibold text-bad" : "text-quiet"}`}>
          {text(`trade.clock.${clock.kind}`)}: {moment(clock.dueAt)} {clock.overdue && t("trade.overdue")}
          {clock.paused && t("trade.paused")}
        </p>
      ))}
    </>
  );
}

function Figures({ trade }: { trade: TradeShown }) {
  const t = useT();
  const rows = [
    { label: t("trade.amount"), value: money(trade.amount) },
    { label: t("trade.fee", { payer: t(`trade.feePayer.${trade.feePayer}`) }), value: money(trade.fee) },
    { label: t("trade.gross"), value: money(trade.gross), strong: !trade.over },
  ];
  if (trade.status !== "cancelled" && trade.standing.money !== "none") {
    rows.push({ label: t("trade.net"), value: money(trade.toSeller), strong: true });
  }
  if (trade.refund) {
    rows.push({ label: t("trade.refund.row"), value: money(trade.refund.amount), strong: true });
  }
  if (paidInPart(trade)) {
    rows.push(
      { label: t("trade.booked"), value: money(trade.booked), strong: false },
      { label: t("trade.rest"), value: money(trade.gross - trade.booked), strong: true },
    );
  }
  return <Facts rows={rows} />;
}

function PaymentActions({ trade, posted, payWithin }: InTrade) {
  const t = useT();
  const { can } = trade;
  const payable = trade.qr !== null && !trade.qr.expired;
  return (
    <div className="grid gap-3">
      {can.invoice && trade.qr === null && <Act form="invoice" label={t("trade.getQr")} />}
      {can.invoice && !trade.qrAsked && (
        <p className="text-sm text-quiet">{t("trade.window", { span: payWithin })}</p>
      )}
      {can.invoice && trade.qr !== null && (
        <Act form="new-invoice" label={t("trade.newQr")} look={trade.qr.expired ? "primary" : "plain"} />
      )}
      {can.markPaid && (
        <Act form="mark-paid" label={t("trade.markPaid")} look={payable ? "primary" : "plain"} />
      )}
      {can.verify && <Act form="verify" label={t("trade.verify")} look="plain" />}
      {can.amend && (
        <details id="details-amend" open={posted?.form === "amend"}>
          <Summary>{t("trade.amend")}</Summary>
          <CreateTrade posted={posted} form="amend" defaults={trade} />
        </details>
      )}
      {can.withdraw && (
        <Act
          form="withdraw"
          label={t("trade.withdraw")}
          look="danger"
          ask={t("trade.withdrawAsk", { sum: money(trade.gross) })}
        />
      )}
    </div>
  );
}
