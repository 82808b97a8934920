import { Button } from "./button.tsx";
import { Field, type FieldState } from "./field.tsx";
import { useT } from "./i18n.tsx";

/** A new password, typed twice, and the button that keeps it. */
export function NewPassword(props: { fields: { newPassword: FieldState; confirmPassword: FieldState } }) {
  const t = useT();
  const { newPassword, confirmPassword } = props.fields;
  return (
    <>
      <Field
        label={t("auth.newPassword")}
        field={newPassword}
        type="password"
        autoComplete="new-password"
        hint={t("auth.passwordHint")}
      />
      <Field
        label={t("auth.confirmPassword")}
        field={confirmPassword}
        type="password"
        autoComplete="new-password"
      />
      <Button>{t("auth.savePassword")}</Button>
    </>
  );
}
