import { shareInfoSchema } from "#forms/escrow";
import { Button } from "../../../ui/forms/button.tsx";
import { FormErrors, TextField } from "../../../ui/forms/field.tsx";
import { PersonForm } from "../../../ui/forms/person-form.tsx";
import { type PostedForm, usePostedForm } from "../../../ui/forms/posted-form.ts";
import { useT } from "../../../ui/frame/i18n.tsx";
import { Disclosure } from "../../../ui/layout/disclosure.tsx";

/** Free text for the other party. */
export function ShareForm({ posted }: { posted: PostedForm | null }) {
  const t = useT();
  const [form, fields] = usePostedForm("info", shareInfoSchema, posted);
  return (
    <Disclosure id="share" summary={t("info.share")} open={posted?.form === "info"}>
      <PersonForm className="grid gap-3" noValidate>
        <input type="hidden" name="form" value="info" />
        <FormErrors id={form.errorId} errors={form.errors} />
        <TextField label={t("info.text")} field={fields.info} />
        <Button look="plain">{t("info.shareSubmit")}</Button>
      </PersonForm>
    </Disclosure>
  );
}
