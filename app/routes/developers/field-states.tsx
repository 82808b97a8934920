import {
  CheckboxField,
  ChoiceField,
  Field,
  type FieldState,
  FormErrors,
  PasswordField,
  Select,
  TextField,
} from "../../ui/forms/field.tsx";
import { useT } from "../../ui/frame/i18n.tsx";

const exampleField = (name: string, initialValue?: string, errors?: string[]): FieldState => ({
  id: `design-${name}`,
  name,
  errorId: `design-${name}-error`,
  initialValue,
  errors,
});

/** The fields of forms: empty, filled in, invalid, read-only. */
export function FieldStates() {
  const t = useT();
  const payers = (["buyer", "seller", "split"] as const).map((value) => ({
    value,
    label: t(`trade.feePayer.${value}`),
  }));
  return (
    <div className="grid items-start gap-4 md:grid-cols-2">
      <Field label={t("chat.name")} field={exampleField("empty")} placeholder={t("chat.namePlaceholder")} />
      <Field
        label={t("trade.amountInput")}
        field={exampleField("unit", "150000")}
        unit="₮"
        inputMode="numeric"
      />
      <Field
        label={t("auth.username")}
        field={exampleField("wrong", "a", ["validation.username"])}
        autoFocus={false}
      />
      <Field label={t("auth.email")} field={exampleField("fixed", "bat@example.mn")} readOnly />
      <PasswordField
        label={t("auth.password")}
        field={exampleField("secret")}
        hint={t("auth.passwordHint")}
      />
      <Select label={t("trade.whoPays")} field={exampleField("select", "buyer")} options={payers} />
      <ChoiceField label={t("trade.whoPays")} field={exampleField("choices", "split")} options={payers} />
      <CheckboxField
        label={t("trade.feePayer.split")}
        field={exampleField("check", "on")}
        hint={t("auth.initialsHint")}
      />
      <TextField label={t("trade.descriptionInput")} field={exampleField("text")} />
      <FormErrors id="design-form-error" errors={["errors.INVALID_CREDENTIALS"]} autoFocus={false} />
    </div>
  );
}
