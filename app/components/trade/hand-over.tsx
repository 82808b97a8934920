import { handOver } from "#forms/escrow";
import { Button } from "../button.tsx";
import { Errors, TextField } from "../field.tsx";
import { useT } from "../i18n.tsx";
import { type Posted, usePostedForm } from "../posted-form.ts";

/** The seller says that the goods are handed over, and how. */
export function HandOver({ posted }: { posted: Posted | null }) {
  const t = useT();
  const [form, fields] = usePostedForm("hand-over", handOver, posted);
  return (
    <form method="post" className="grid gap-3" noValidate>
      <input type="hidden" name="form" value="hand-over" />
      <Errors id={form.errorId} errors={form.errors} />
      <TextField label={t("trade.handOverNote")} field={fields.note} rows={2} />
      <Button>{t("trade.handOver")}</Button>
    </form>
  );
}
