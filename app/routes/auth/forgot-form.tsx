import { forgotPasswordInput } from "#forms/identity";
import { Button } from "../../ui/forms/button.tsx";
import { emailInputProps, Field, FormErrors } from "../../ui/forms/field.tsx";
import { PersonForm } from "../../ui/forms/person-form.tsx";
import { type PostedForm, usePostedForm } from "../../ui/forms/posted-form.ts";
import { useT } from "../../ui/frame/i18n.tsx";
import { Notice } from "../../ui/layout/notice.tsx";

/** Requests the email that resets a forgotten password, also again. Its text is the same whether or not the account exists. */
export function ForgotForm(props: {
  action: string;
  posted: PostedForm | null;
  email?: string | undefined;
  sent?: boolean;
  /** How long the link is valid, in words. */
  resetLink: string;
}) {
  const t = useT();
  const { resetLink } = props;
  const [form, fields] = usePostedForm("forgot", forgotPasswordInput, props.posted, { email: props.email });
  return (
    <PersonForm action={props.action} className="grid gap-4" noValidate>
      <input type="hidden" name="form" value="forgot" />
      <h2 className="text-lg font-bold">{t("auth.forgotTitle")}</h2>
      {props.sent ? (
        <Notice tone="info" title={t("auth.forgotSentTitle")}>
          {t("auth.forgotSent")}
        </Notice>
      ) : (
        <p className="text-quiet">{t("auth.forgotLead", { resetLink })}</p>
      )}
      <FormErrors id={form.errorId} errors={form.errors} />
      <Field label={t("auth.email")} field={fields.email} {...emailInputProps} required />
      <Button look={props.sent ? "plain" : "primary"}>
        {t(props.sent ? "auth.sendAgain" : "auth.sendLink")}
      </Button>
    </PersonForm>
  );
}
