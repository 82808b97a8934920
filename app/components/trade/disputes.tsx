import { dispute } from "#forms/escrow";
import { Button } from "../button.tsx";
import { Card } from "../card.tsx";
import { Errors, TextField } from "../field.tsx";
import { Fold } from "../fold.tsx";
import { useT } from "../i18n.tsx";
import { type Posted, usePostedForm } from "../posted-form.ts";
import { Act } from "./act.tsx";
import type { TradeShown } from "./types.ts";

/** Where a party turns when something is wrong, and where both explain it. */
export function Disputes({ trade, posted }: { trade: TradeShown; posted: Posted | null }) {
  const t = useT();
  const { can, disputeBy } = trade;
  const disputed = trade.status === "disputed";
  if (!can.openDispute && !disputed) return null;
  return (
    <Card title={t("trade.dispute")}>
      {disputeBy && <p>{t("trade.disputeBy", { role: t(`roles.${disputeBy}`) })}</p>}
      {can.openDispute && <p className="text-sm text-quiet">{t("trade.disputeWhen")}</p>}
      {disputed && <Reason form="explain" posted={posted} />}
      {can.withdrawDispute && <Act form="withdraw-dispute" label={t("trade.withdrawDispute")} look="plain" />}
      {can.openDispute && <Reason form="dispute" posted={posted} />}
    </Card>
  );
}

function Reason(props: { form: "dispute" | "explain"; posted: Posted | null }) {
  const t = useT();
  const [form, fields] = usePostedForm(props.form, dispute, props.posted);
  const opens = props.form === "dispute";
  const label = t(opens ? "trade.openDispute" : "trade.explain");
  return (
    <Fold
      id={`fold-${props.form}`}
      summary={label}
      look={opens ? "danger" : "plain"}
      open={props.posted?.form === props.form}
    >
      <form method="post" className="grid gap-3" noValidate>
        <input type="hidden" name="form" value={props.form} />
        <Errors id={form.errorId} errors={form.errors} />
        <TextField label={t(opens ? "trade.disputeReason" : "trade.explainLabel")} field={fields.reason} />
        <Button look={opens ? "danger" : "primary"}>{label}</Button>
      </form>
    </Fold>
  );
}
