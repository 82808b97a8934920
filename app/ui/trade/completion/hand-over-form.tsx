import { handOverSchema } from "#forms/escrow";
import { Button } from "../../forms/button.tsx";
import { FormErrors, TextField } from "../../forms/field.tsx";
import { PersonForm } from "../../forms/person-form.tsx";
import { type PostedForm, usePostedForm } from "../../forms/posted-form.ts";
import { useT } from "../../frame/i18n.tsx";

/** The seller records that the goods are handed over, and how. */
export function HandOverForm({ posted }: { posted: PostedForm | null }) {
  const t = useT();
  const [form, fields] = usePostedForm("hand-over", handOverSchema, posted);
  return (
    <PersonForm className="grid gap-3" noValidate>
      <input type="hidden" name="form" value="hand-over" />
      <FormErrors id={form.errorId} errors={form.errors} />
      <TextField label={t("trade.handOverNote")} field={fields.note} rows={2} />
      <Button>{t("trade.handOver")}</Button>
    </PersonForm>
  );
}
