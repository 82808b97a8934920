import { unpackMessage } from "#format";
import type { PostedForm } from "../../../ui/forms/posted-form.ts";
import { useText } from "../../../ui/frame/i18n.tsx";
import type { PanelProps, TradeShown } from "../../../ui/trade/types.ts";

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
