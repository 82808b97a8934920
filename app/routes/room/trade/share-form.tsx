import { info } from "#forms/escrow";
import { Button } from "../../../ui/forms/button.tsx";
import { Errors, TextField } from "../../../ui/forms/field.tsx";
import { type Posted, usePostedForm } from "../../../ui/forms/posted-form.ts";
import { useT } from "../../../ui/frame/i18n.tsx";
import { Fold } from "../../../ui/layout/disclosure.tsx";

/** Free text for the other side. */
export function ShareForm({ posted }: { posted: Posted | null }) {
  const t = useT();
  const [form, fields] = usePostedForm("info", info, posted);
  return (
    <Fold id="share" summary={t("info.share")} open={posted?.form === "info"}>
      <form method="post" className="grid gap-3" noValidate>
        <input type="hidden" name="form" value="info" />
        <Errors id={form.errorId} errors={form.errors} />
        <TextField label={t("info.text")} field={fields.info} />
        <Button look="plain">{t("info.shareSubmit")}</Button>
      </form>
    </Fold>
  );
}
