import { type FieldState, PasswordField } from "../../../../ui/forms/field.tsx";
import { useT } from "../../../../ui/frame/i18n.tsx";
import { CodeField } from "../second-factor/code-field.tsx";

/** Fields that prove who is at the keyboard: the current password and, if the second factor is on, a code. */
export function ProofFields(props: {
  fields: { password: FieldState; code: FieldState };
  withCode: boolean;
}) {
  const t = useT();
  const { password, code } = props.fields;
  return (
    <>
      <PasswordField label={t("auth.password")} field={password} autoComplete="current-password" required />
      {props.withCode && (
        <CodeField label={t("auth.code.label")} field={code} hint={t("settings.factor.codeHint")} />
      )}
    </>
  );
}
