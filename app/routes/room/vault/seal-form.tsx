import { Lock } from "lucide";
import { sealVaultFormSchema, typedSecrets } from "#forms/escrow";
import { Button, TextLink } from "../../../ui/forms/button.tsx";
import { CheckboxField, Field, FormErrors, PasswordField, TextField } from "../../../ui/forms/field.tsx";
import { PersonForm } from "../../../ui/forms/person-form.tsx";
import { type PostedForm, usePostedForm } from "../../../ui/forms/posted-form.ts";
import { useT } from "../../../ui/frame/i18n.tsx";
import { Icon } from "../../../ui/layout/icon.tsx";
import { Notice } from "../../../ui/layout/notice.tsx";

// A browser must neither offer a password of the seller here nor save one of these.
const noAutofill = { autoComplete: "off", autoCapitalize: "none", spellCheck: false } as const;

/**
 * The form for the secrets, with a box to tick above the button as confirmation. No secret is ever sent back into a page, so there is no
 * review step.
 */
export function SealForm(props: { posted: PostedForm | null; clientId: string; again: boolean }) {
  const t = useT();
  const { posted, clientId, again } = props;
  const [form, fields] = usePostedForm("seal", sealVaultFormSchema, posted);
  const typed = typedSecrets(posted?.form === "seal" ? posted.result.initialValue?.typed : undefined);
  return (
    // The browser checks that the box is ticked, so that secrets rarely have to be typed again; the server checks everything else.
    <PersonForm className="grid gap-4" autoComplete="off">
      <input type="hidden" name="form" value="seal" />
      <input type="hidden" name="clientId" value={clientId} />
      <FormErrors id={form.errorId} errors={form.errors} />
      {typed.length > 0 && (
        <Notice tone="warn">
          <p>{t("vault.form.typeAgain")}</p>
          <ul className="list-disc pl-5 font-semibold">
            {typed.map((name) => (
              <li key={name}>{t(`vault.field.${name}`)}</li>
            ))}
          </ul>
          <TextLink to="?">{t("vault.form.startAgain")}</TextLink>
          <input type="hidden" name="typed" value={typed.join(" ")} />
        </Notice>
      )}
      <p className="text-sm text-quiet">{t(again ? "vault.form.againHint" : "vault.form.hint")}</p>
      <Field label={t("vault.field.login")} field={fields.login} {...noAutofill} />
      <PasswordField label={t("vault.field.password")} field={fields.password} autoComplete="new-password" />
      <Field label={t("vault.field.email")} field={fields.email} inputMode="email" {...noAutofill} />
      <PasswordField
        label={t("vault.field.emailPassword")}
        field={fields.emailPassword}
        autoComplete="new-password"
      />
      <TextField label={t("vault.field.recoveryNotes")} field={fields.recoveryNotes} {...noAutofill} />
      <TextField label={t("vault.field.notes")} field={fields.notes} {...noAutofill} />
      <CheckboxField
        label={t("vault.form.sure")}
        field={fields.sure}
        hint={again ? "" : t("vault.form.sureHint")}
        value="on"
        required
      />
      <Button>
        <Icon of={Lock} />
        {t(again ? "vault.form.submitAgain" : "vault.form.submit")}
      </Button>
    </PersonForm>
  );
}
