import { dispute } from "#forms/escrow";
import { Button } from "../button.tsx";
import { Card } from "../card.tsx";
import { Errors, TextField } from "../field.tsx";
import { useT } from "../i18n.tsx";
import { type Posted, usePostedForm } from "../posted-form.ts";
import { Act } from "./act.tsx";
import type { TradeShown } from "./types.ts";

/** Where a party turns when something is wrong. */
export function Disputes({ trade, posted }: { trade: TradeShown; posted: Posted | null }) {
  const t = useT();
  const [form, fields] = usePostedForm("dispute", dispute, posted);
  if (!trade.can.openDispute && !trade.can.withdrawDispute) return null;
  return (
    <Card title={t("trade.dispute")}>
      {trade.can.withdrawDispute && (
        <Act form="withdraw-dispute" label={t("trade.withdrawDispute")} look="plain" />
      )}
      {trade.can.openDispute && (
        <details id="details-dispute" open={posted?.form === "dispute"}>
          <summary className="cursor-pointer font-semibold text-bad">{t("trade.openDispute")}</summary>
          <form method="post" className="grid gap-3 pt-3" noValidate>
            <input type="hidden" name="form" value="dispute" />
            <Errors id={form.errorId} errors={form.errors} />
            <TextField label={t("trade.disputeReason")} field={fields.reason} />
            <Button look="danger">{t("trade.openDispute")}</Button>
          </form>
        </details>
      )}
    </Card>
  );
}
