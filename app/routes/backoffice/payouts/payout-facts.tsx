import { formatMoment, formatMoney } from "#format";
import type { PayoutView } from "#views/escrow";
import { CopyableValue } from "../../../ui/forms/copyable-value.tsx";
import { useLanguage, useT } from "../../../ui/frame/i18n.tsx";
import { Card } from "../../../ui/layout/card.tsx";
import { FactList } from "../../../ui/layout/fact-list.tsx";
import { BankName } from "../../../ui/trade/bank-name.tsx";
import { bankNames } from "./payout-item.tsx";

type TransferProps = Pick<
  PayoutView,
  "amount" | "destination" | "state" | "whole" | "remark" | "payerBanks"
> & {
  /** The reader makes the transfer: each value has a copy button. */
  sending: boolean;
};

const partLabels = {
  amount: "admin.payout.amount",
  bankName: "info.bankName",
  accountName: "info.accountName",
  accountNumber: "info.accountNumber",
  iban: "info.iban",
  remark: "admin.payout.remark",
} as const;

/** A field of the bank's form; `shown` is its value formatted for reading. */
type TransferPart = { field: keyof typeof partLabels; value: string; shown?: string };

/** The transfer as the bank's form needs it; with copy buttons only for the administrator who makes it. */
export function Transfer({ amount, destination, state, sending, whole, remark, payerBanks }: TransferProps) {
  const t = useT();
  const language = useLanguage();
  const account = state === "due" ? "notFrozen" : whole ? "frozen" : "masked";
  const parts: TransferPart[] = [
    { field: "amount", value: String(amount), shown: formatMoney(amount) },
    ...(destination === null ? [] : destinationParts(destination, remark)),
  ];
  return (
    <Card title={t("admin.payout.transfer")}>
      {sending &&
        parts.map(({ field, ...part }) => (
          <CopyableValue key={field} label={t(partLabels[field])} {...part} />
        ))}
      {!sending && (
        <FactList
          rows={parts.map(({ field, value, shown = value }) => ({
            label: t(partLabels[field]),
            value: field === "bankName" ? <BankName name={value} /> : shown,
          }))}
        />
      )}
      {destination === null ? (
        <p className="font-semibold text-warn">{t("admin.payout.noDestination")}</p>
      ) : (
        <p className="text-sm text-quiet">{t(`admin.payout.${account}`)}</p>
      )}
      {payerBanks.length > 0 && (
        <p className="text-sm text-quiet">
          {t("admin.cameFrom", { banks: bankNames(payerBanks, language) })}
        </p>
      )}
    </Card>
  );
}

function destinationParts(
  destination: NonNullable<PayoutView["destination"]>,
  remark: string,
): TransferPart[] {
  const { bankName, accountName, accountNumber, iban } = destination;
  return [
    { field: "bankName", value: bankName },
    { field: "accountName", value: accountName },
    { field: "accountNumber", value: accountNumber },
    ...(iban ? [{ field: "iban" as const, value: iban }] : []),
    { field: "remark", value: remark },
  ];
}

/** What happened to the payout, when and by whom. */
export function Moments({ moments, reason }: Pick<PayoutView, "moments" | "reason">) {
  const t = useT();
  return (
    <Card title={t("admin.timeline")}>
      <ol className="grid gap-2">
        {moments.map(({ what, at, by }) => (
          <li key={what} className="flex flex-wrap justify-between gap-x-4">
            <span className="wrap-anywhere">
              <strong>{t(`admin.payout.moment.${what}`)}</strong>
              {by !== null && ` · ${by}`}
            </span>
            <time dateTime={at} className="text-quiet tabular-nums">
              {formatMoment(at)}
            </time>
          </li>
        ))}
      </ol>
      {reason !== null && (
        <p className="border-l-4 border-line pl-3 whitespace-pre-wrap wrap-anywhere">{reason}</p>
      )}
    </Card>
  );
}

/** The amounts of a payout: its amount before the fee, the fee that Midman keeps, and what is paid out. */
export function Sums({ amount, fee }: { amount: number; fee: number }) {
  const t = useT();
  return (
    <FactList
      rows={[
        { label: t("admin.payout.beforeFee"), value: formatMoney(amount + fee) },
        { label: t("admin.payout.fee"), value: formatMoney(fee) },
        { label: t("admin.payout.amount"), value: formatMoney(amount), strong: true },
      ]}
    />
  );
}
