import {
  Check,
  Choices,
  Errors,
  Field,
  type FieldState,
  PasswordField,
  Select,
  TextField,
} from "../../ui/forms/field.tsx";
import { useT } from "../../ui/frame/i18n.tsx";

const field = (name: string, initialValue?: string, errors?: string[]): FieldState => ({
  id: `design-${name}`,
  name,
  errorId: `design-${name}-error`,
  initialValue,
  errors,
});

/** The fields of forms: empty, filled, wrong, not to be changed. */
export function FieldStates() {
  const t = useT();
  const payers = (["buyer", "seller", "split"] as const).map((value) => ({
    value,
    label: t(`trade.feePayer.${value}`),
  }));
  return (
    <div className="grid items-start gap-4 md:grid-cols-2">
      <Field label={t("chat.name")} field={field("empty")} placeholder={t("chat.namePlaceholder")} />
      <Field label={t("trade.amountInput")} field={field("unit", "150000")} unit="₮" inputMode="numeric" />
      <Field
        label={t("auth.username")}
        field={field("wrong", "a", ["validation.username"])}
        autoFocus={false}
      />
      <Field label={t("auth.email")} field={field("fixed", "bat@example.mn")} readOnly />
      <PasswordField label={t("auth.password")} field={field("secret")} hint={t("auth.passwordHint")} />
      <Select label={t("trade.whoPays")} field={field("select", "buyer")} options={payers} />
      <Choices label={t("trade.whoPays")} field={field("choices", "split")} options={payers} />
      <Check label={t("trade.feePayer.split")} field={field("check", "on")} hint={t("auth.initialsHint")} />
      <TextField label={t("trade.descriptionInput")} field={field("text")} />
      <Errors id="design-form-error" errors={["errors.INVALID_CREDENTIALS"]} autoFocus={false} />
    </div>
  );
}
