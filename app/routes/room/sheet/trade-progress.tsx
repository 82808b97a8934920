import { unpackMessage } from "#format";
import type { PostedForm } from "../../../ui/forms/posted-form.ts";
import { useT, useText } from "../../../ui/frame/i18n.tsx";
import { HandOverNote, ReceivedOtherwise } from "../../../ui/trade/completion/completion-step.tsx";
import { Confirmations } from "../../../ui/trade/completion/confirmations.tsx";
import { Clocks } from "../../../ui/trade/progress/clocks.tsx";
import { LabelledSteps } from "../../../ui/trade/progress/labelled-steps.tsx";
import { bannerOf, findTurnClock, visibleClocks } from "../../../ui/trade/progress/trade-words.ts";
import type { PanelProps, TradePanelProps, TradeShown } from "../../../ui/trade/types.ts";
import { findNextStep } from "./step-kinds.ts";

/** Where the trade stands: its steps by name, its state in a sentence, the other deadlines, and who has confirmed. */
export function TradeProgress(props: TradePanelProps) {
  const t = useT();
  const text = useText();
  const { trade, role, serverNow } = props;
  const confirming = trade.standing.done.includes("held") && trade.standing.money !== "none";
  // Beside its form the next step says these itself.
  const apart = findNextStep(props) !== "complete";
  const others = visibleClocks(trade).filter((clock) => clock !== findTurnClock(trade));
  return (
    <section
      aria-label={t("trade.standing")}
      className="grid gap-2 rounded-card border border-line bg-card p-3.5"
    >
      <LabelledSteps {...trade.standing} ended={trade.standing.ended || trade.status === "disputed"} />
      <p
        className={`text-sm font-semibold ${trade.status === "payment_failed" ? "text-bad" : ""}`}
        data-banner
      >
        {text(`trade.banner.${bannerOf(trade)}`)}
      </p>
      <Clocks clocks={others} role={role} serverNow={serverNow} />
      {apart && <ReceivedOtherwise trade={trade} />}
      {apart && <HandOverNote trade={trade} />}
      {confirming && <Confirmations trade={trade} />}
    </section>
  );
}

/** Why a posted form was refused that the panel no longer shows, because the trade has moved on. */
export function RefusedFormNotice({ posted, trade, canCreate }: PanelProps & { posted: PostedForm | null }) {
  const text = useText();
  if (posted === null || posted.review) return null;
  if (posted.form === "message" || posted.form === "image" || isFormShown(posted.form, trade, canCreate))
    return null;
  const said = Object.values(posted.result.error ?? {}).flatMap((messages) => messages ?? []);
  return said.map(unpackMessage).map(({ key, params }) => (
    <p key={key} role="alert" className="font-semibold text-bad">
      {text(key, params)}
    </p>
  ));
}

function isFormShown(form: string, trade: TradeShown | null, canCreate: boolean): boolean {
  if (trade === null) return form === "create-trade" && canCreate;
  const { can } = trade;
  const shown: Record<string, boolean> = {
    amend: can.amend,
    "hand-over": can.handOver,
    dispute: can.openDispute,
    explain: trade.status === "disputed",
    "bank-info": can.bankInfo && !trade.over,
    info: can.shareInfo && !trade.over,
    "refund-destination": can.refundDestination,
  };
  return shown[form] ?? false;
}
