import { moment, money } from "#format";
import { Card } from "../card.tsx";
import { useT, useText } from "../i18n.tsx";
import type { Posted } from "../posted-form.ts";
import { Act } from "./act.tsx";
import { CreateTrade } from "./create-trade.tsx";
import { Disputes } from "./disputes.tsx";
import { Information } from "./information.tsx";
import { QrBox } from "./qr-box.tsx";
import type { PanelProps, TradeShown } from "./types.ts";

/**
 * The trade beside the conversation: where it stands, whose turn it is, and the forms of what may be done now.
 * It is server-rendered alone; the room's island fetches it again when the socket hints at a change.
 */
export function TradePanel(props: PanelProps & { posted: Posted | null }) {
  const t = useT();
  const { trade, posted } = props;
  if (trade === null) {
    return (
      <Card title={t("trade.payment")}>
        <p>{t(props.seatsTaken ? `trade.none.${props.role}` : "trade.none.alone")}</p>
        {props.canCreate && <CreateTrade posted={posted} form="create-trade" />}
      </Card>
    );
  }
  return (
    <>
      <Card title={t("trade.payment")}>
        <Standing trade={trade} />
        {trade.qr && <QrBox qr={trade.qr} serverNow={props.serverNow} gross={trade.gross - trade.booked} />}
        <PaymentActions trade={trade} posted={posted} />
      </Card>
      <Exchange trade={trade} posted={posted} />
      {trade.infoOpen && <Information {...props} trade={trade} posted={posted} />}
      <Disputes trade={trade} posted={posted} />
    </>
  );
}

function Standing({ trade }: { trade: TradeShown }) {
  const t = useT();
  const text = useText();
  const banner = `trade.banner.${trade.status}`;
  return (
    <>
      <p className="flex flex-wrap items-center gap-2">
        <strong className="rounded-full bg-brand-soft px-3 py-1 text-sm" data-status={trade.status}>
          {text(`status.${trade.status}`)}
        </strong>
        <span className="font-mono text-sm">{trade.code}</span>
      </p>
      <p className="font-semibold" data-banner>
        {text(banner)}
      </p>
      <p className="text-quiet">{text(`trade.turn.${trade.turn}`)}</p>
      {trade.description && <p className="wrap-anywhere">{trade.description}</p>}
      <Figures trade={trade} />
      {trade.clocks.map((clock) => (
        <p key={clock.kind} className={`text-sm ${clock.overdue ? "font-semibold text-bad" : "text-quiet"}`}>
          {text(`trade.clock.${clock.kind}`)}: {moment(clock.dueAt)} {clock.overdue && t("trade.overdue")}
        </p>
      ))}
    </>
  );
}

function Figures({ trade }: { trade: TradeShown }) {
  const t = useT();
  const rows: Array<[string, number]> = [
    [t("trade.amount"), trade.amount],
    [t("trade.fee", { payer: t(`trade.feePayer.${trade.feePayer}`) }), trade.fee],
    [t("trade.gross"), trade.gross],
    [t("trade.net"), trade.net],
  ];
  if (trade.booked > 0 && trade.booked < trade.gross) {
    rows.push([t("trade.booked"), trade.booked], [t("trade.rest"), trade.gross - trade.booked]);
  }
  return (
    <dl className="grid grid-cols-[1fr_auto] gap-x-4 gap-y-1 tabular-nums">
      {rows.map(([label, sum]) => (
        <div key={label} className="contents">
          <dt>{label}</dt>
          <dd className="text-right font-semibold">{money(sum)}</dd>
        </div>
      ))}
    </dl>
  );
}

function PaymentActions({ trade, posted }: { trade: TradeShown; posted: Posted | null }) {
  const t = useT();
  const { can } = trade;
  return (
    <div className="grid gap-3">
      {can.invoice && (
        <Act
          form="invoice"
          label={t(trade.qr ? "trade.newQr" : "trade.getQr")}
          look={trade.qr ? "plain" : "primary"}
        />
      )}
      {can.markPaid && <Act form="mark-paid" label={t("trade.markPaid")} />}
      {can.verify && <Act form="verify" label={t("trade.verify")} look="plain" />}
      {can.amend && (
        <details id="details-amend">
          <summary className="cursor-pointer font-semibold">{t("trade.amend")}</summary>
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

function Exchange({ trade, posted }: { trade: TradeShown; posted: Posted | null }) {
  const t = useT();
  const { can } = trade;
  const failed = posted?.form === "cancel" || posted?.form === "confirm";
  const anything =
    can.handOver ||
    can.confirm ||
    can.requestCancellation ||
    can.agreeCancellation ||
    can.withdrawCancellation ||
    trade.confirmed.buyer;
  if (!anything && !failed) return null;
  return (
    <Card title={t("trade.exchange")}>
      {(trade.confirmed.buyer || trade.confirmed.seller) && (
        <ul className="text-sm">
          <li>{t(trade.confirmed.buyer ? "trade.buyerConfirmed" : "trade.buyerNotConfirmed")}</li>
          <li>{t(trade.confirmed.seller ? "trade.sellerConfirmed" : "trade.sellerNotConfirmed")}</li>
        </ul>
      )}
      {can.handOver && <Act form="hand-over" label={t("trade.handOver")} note={t("trade.handOverNote")} />}
      {can.confirm && (
        <Act
          form="confirm"
          label={t("trade.confirm")}
          ask={t("trade.confirmAsk", { sum: money(trade.net) })}
        />
      )}
      {can.requestCancellation && (
        <Act
          form="cancel"
          label={t("trade.requestCancel")}
          look="danger"
          ask={t("trade.cancelAsk", { sum: money(trade.gross) })}
        />
      )}
      {can.agreeCancellation && (
        <Act
          form="cancel"
          label={t("trade.agreeCancel")}
          look="danger"
          ask={t("trade.cancelAsk", { sum: money(trade.gross) })}
        />
      )}
      {can.withdrawCancellation && (
        <Act form="withdraw-cancel" label={t("trade.withdrawCancel")} look="plain" />
      )}
    </Card>
  );
}
