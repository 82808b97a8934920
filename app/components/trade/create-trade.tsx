import { amend, createTrade } from "#forms/escrow";
import { Button } from "../button.tsx";
import { Errors, Field, Select, TextField } from "../field.tsx";
import { useT } from "../i18n.tsx";
import { type Posted, usePostedForm } from "../posted-form.ts";
import type { Figures } from "./types.ts";

const payers = ["buyer", "seller", "split"] as const;

/** The payment request: what the goods cost and who pays the fee; the same form sets a wrong amount right. */
export function CreateTrade(props: {
  posted: Posted | null;
  form: "create-trade" | "amend";
  defaults?: Figures & { description: string | null };
}) {
  const t = useT();
  const { defaults } = props;
  const schema = props.form === "amend" ? amend : createTrade;
  const [form, fields] = usePostedForm(props.form, schema as typeof createTrade, props.posted, {
    amount: defaults?.amount,
    feePayer: defaults?.feePayer ?? "buyer",
    description: defaults?.description,
  });
  return (
    <form method="post" className="grid gap-4 pt-2" noValidate>
      <input type="hidden" name="form" value={props.form} />
      <Errors id={form.errorId} errors={form.errors} />
      <Field label={t("trade.amountInput")} field={fields.amount} inputMode="numeric" autoComplete="off" />
      <Select
        label={t("trade.whoPays")}
        field={fields.feePayer}
        options={payers.map((value) => ({ value, label: t(`trade.feePayer.${value}`) }))}
      />
      <TextField label={t("trade.descriptionInput")} field={fields.description} rows={2} />
      <Button>{t(props.form === "amend" ? "trade.amend" : "trade.create")}</Button>
    </form>
  );
}
