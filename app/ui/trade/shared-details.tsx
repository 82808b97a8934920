import type { ReactNode } from "react";
import { useT } from "../frame/i18n.tsx";
import { BankName } from "./bank-name.tsx";

/** What one party of a trade has shared: an account or contact details. Absent fields were not given. */
export type SharedDetails = Partial<
  Record<
    "name" | "accountName" | "bankName" | "accountNumber" | "iban" | "phoneNumber" | "email" | "info",
    string | null
  >
>;

/** The given fields with their labels, or `none` if there are none yet. */
export function SharedDetailsList({ given, none }: { given: SharedDetails | null; none: string }) {
  const t = useT();
  const rows: Array<[label: string, value: ReactNode]> = [
    [t("info.name"), given?.name],
    [t("info.accountName"), given?.accountName],
    [t("info.bankName"), given?.bankName && <BankName name={given.bankName} />],
    [t("info.accountNumber"), given?.accountNumber],
    [t("info.iban"), given?.iban],
    [t("info.phone"), given?.phoneNumber],
    [t("info.email"), given?.email],
    [t("info.text"), given?.info],
  ];
  const known = rows.filter(([, value]) => value);
  if (known.length === 0) return <p className="text-quiet">{none}</p>;
  return (
    <dl className="grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)] gap-x-4 text-sm">
      {known.map(([label, value]) => (
        <div key={label} className="contents">
          <dt className="text-quiet">{label}</dt>
          <dd className="whitespace-pre-wrap wrap-anywhere">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
