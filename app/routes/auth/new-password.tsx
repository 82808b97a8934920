import { Button } from "../../ui/forms/button.tsx";
import { type FieldState, PasswordField } from "../../ui/forms/field.tsx";
import { useT } from "../../ui/frame/i18n.tsx";

/** A new password, typed twice, and the button that saves it. */
export function NewPassword(props: {
  fields: { newPassword: FieldState; confirmPassword: FieldState };
  isAdmin: boolean;
}) {
  const t = useT();
  const { newPassword, confirmPassword } = props.fields;
  return (
    <>
      <PasswordField
        label={t("auth.newPassword")}
        field={newPassword}
        autoComplete="new-password"
        hint={t(props.isAdmin ? "auth.passwordHintAdmin" : "auth.passwordHint")}
        required
      />
      <PasswordField
        label={t("auth.confirmPassword")}
        field={confirmPassword}
        autoComplete="new-password"
        required
      />
      <Button>{t("auth.savePassword")}</Button>
    </>
  );
}
