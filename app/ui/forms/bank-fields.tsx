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

/** Fields of a bank account: the banks of Mongolia are suggested, another can be typed. */
export function BankFields({ fields, contact }: { fields: BankFieldStates; contact: boolean }) {
  const t = useT();
  const language = useLanguage();
  return (
    <>
      <Field label={t("info.accountName")} field={fields.accountName} autoComplete="name" />
      <Field label={t("info.bankName")} field={fields.bankName} list="banks" autoComplete="off" />
      <datalist id="banks">
        {mongolianBanks.map((bank) => (
          <option key={bank.en} value={bank[language]} />
        ))}
      </datalist>
      <Field
        label={t("info.accountNumber")}
        field={fields.accountNumber}
        inputMode="numeric"
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
      <Field label={t("info.name")} field={fields.accountName} autoComplete="name" />
      <ContactFields fields={fields} />
    </>
  );
}

function ContactFields({ fields }: { fields: Pick<BankFieldStates, "phoneNumber" | "email"> }) {
  const t = useT();
  return (
    <>
      <Field label={t("info.phone")} field={fields.phoneNumber} type="tel" autoComplete="tel" />
      <Field label={t("info.email")} field={fields.email} type="email" autoComplete="email" />
    </>
  );
}
