import { Check } from "lucide";
import type { ReactNode } from "react";
import { useT } from "../frame/i18n.tsx";
import { Icon } from "../layout/icon.tsx";
import { BankName } from "./bank-name.tsx";
import type { TradeShown } from "./types.ts";

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

/**
 * That what one party shared has been received: the reader confirmed it of `theirs`, or the other party of `mine`. Nothing without a
 * confirmation, because none is needed.
 */
export function ReceiptNote(props: {
  trade: Pick<TradeShown, "mine" | "theirs" | "names">;
  role: "buyer" | "seller";
  of: "mine" | "theirs";
}) {
  const t = useT();
  const { trade, role, of } = props;
  const isConfirmed = of === "theirs" ? trade.mine.confirmed : trade.theirs.confirmed;
  if (!isConfirmed) return null;
  const name = trade.names[role === "buyer" ? "seller" : "buyer"];
  return (
    <p className="flex items-center gap-1.5 text-sm font-semibold text-good" data-received={of}>
      <Icon of={Check} className="size-4" />
      <span className="min-w-0 wrap-anywhere">
        {of === "theirs" ? t("info.youReceived") : t("info.theyReceived", { name })}
      </span>
    </p>
  );
}
