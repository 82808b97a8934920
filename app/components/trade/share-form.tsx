import { info } from "#forms/escrow";
import { Button } from "../button.tsx";
import { Errors, TextField } from "../field.tsx";
import { Fold } from "../fold.tsx";
import { useT } from "../i18n.tsx";
import { type Posted, usePostedForm } from "../posted-form.ts";

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
