import { mongolianBanks } from "#forms/escrow";
import { useLanguage, useT } from "../frame/i18n.tsx";
import { Field, type FieldState } from "./field.tsx";

interface BankFieldStates {
  accountName: FieldState;
  bankName: FieldState;
  accountNumber: FieldState;
  ibanNumber: FieldState;
  phoneNumber: FieldState;
  email: FieldState;
}

/** As the server takes it: 4 to 20 digits, with spaces and hyphens between them. Tells a script when an error of the field has been put right. */
const accountPattern = "[\\s\\-]*(\\d[\\s\\-]*){4,20}";

/** At least the 8 digits of a Mongolian number. */
const phonePattern = "\\+?[\\s\\-]*(\\d[\\s\\-]*){8,}";

/** Fields of a bank account: the banks of Mongolia are suggested, another can be typed. */
export function BankFields({ fields, contact }: { fields: BankFieldStates; contact: boolean }) {
  const t = useT();
  const language = useLanguage();
  return (
    <>
      <Field label={t("info.accountName")} field={fields.accountName} minLength={2} autoComplete="name" />
      <Field
        label={t("info.bankName")}
        field={fields.bankName}
        minLength={2}
        list="banks"
        autoComplete="off"
      />
      <datalist id="banks">
        {mongolianBanks.map((bank) => (
          <option key={bank.en} value={bank[language]} />
        ))}
      </datalist>
      <Field
        label={t("info.accountNumber")}
        field={fields.accountNumber}
        inputMode="numeric"
        pattern={accountPattern}
        autoComplete="off"
      />
      <Field label={t("info.ibanOptional")} field={fields.ibanNumber} autoComplete="off" />
      {contact && <ContactFields fields={fields} />}
    </>
  );
}

/** The buyer's form: name, phone and email. */
export function BuyerFields({
  fields,
}: {
  fields: Pick<BankFieldStates, "accountName" | "phoneNumber" | "email">;
}) {
  const t = useT();
  return (
    <>
      <Field label={t("info.name")} field={fields.accountName} minLength={2} autoComplete="name" />
      <ContactFields fields={fields} />
    </>
  );
}

function ContactFields({ fields }: { fields: Pick<BankFieldStates, "phoneNumber" | "email"> }) {
  const t = useT();
  return (
    <>
      <Field
        label={t("info.phone")}
        field={fields.phoneNumber}
        pattern={phonePattern}
        type="tel"
        autoComplete="tel"
      />
      <Field label={t("info.email")} field={fields.email} type="email" autoComplete="email" />
    </>
  );
}
