import { moment, money } from "#format";
import { paths } from "../../paths.ts";
import { TextLink } from "../button.tsx";
import { Card } from "../card.tsx";
import { useLanguage, useT } from "../i18n.tsx";
import { bankNames } from "./payout-item.tsx";

interface Suspended {
  paymentId: number;
  providerPaymentId: string | null;
  amount: number;
  paidAt: string;
  transaction: { id: number; code: string } | null;
  wallet: string | null;
  payerBank: string | null;
  refund: {
    state: "due" | "approved" | "sent" | "done" | "unknown" | "void";
    destination: boolean;
  } | null;
}

const columns = ["payment", "paidAt", "from", "trade", "refund", "amount"] as const;
const cell = "lg:px-2 lg:py-3";

/** The money that no transaction is owed: what it is, where it came from and how far its refund is. */
export function Suspense(props: { rows: Suspended[]; next: number | null; paged: boolean }) {
  const t = useT();
  const { rows, next, paged } = props;
  return (
    <Card title={t("admin.moneyDesk.suspense")}>
      <p className="text-quiet">{t("admin.moneyDesk.suspenseLead")}</p>
      {rows.length === 0 ? (
        <p>{t("admin.moneyDesk.nothing")}</p>
      ) : (
        <table className="w-full max-lg:block">
          <thead className="max-lg:sr-only">
            <tr className="border-b border-line text-sm text-quiet">
              {columns.map((column) => (
                <th
                  key={column}
                  scope="col"
                  className={`px-2 py-2 font-semibold ${column === "amount" ? "text-right" : "text-left"}`}
                >
                  {t(`admin.moneyDesk.${column}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="max-lg:grid max-lg:gap-3">
            {rows.map((row) => (
              <Row key={row.paymentId} {...row} />
            ))}
          </tbody>
        </table>
      )}
      {(next !== null || paged) && (
        <p className="flex flex-wrap gap-x-6">
          {paged && <TextLink to={paths.adminMoney}>{t("admin.moneyDesk.newest")}</TextLink>}
          {next !== null && (
            <TextLink to={`${paths.adminMoney}?before=${next}`}>{t("admin.moneyDesk.older")}</TextLink>
          )}
        </p>
      )}
    </Card>
  );
}

function Row({ providerPaymentId, amount, paidAt, transaction, wallet, payerBank, refund }: Suspended) {
  const t = useT();
  const language = useLanguage();
  const from = [wallet, payerBank && bankNames([payerBank], language)].filter(Boolean).join(" · ");
  return (
    <tr className="max-lg:grid max-lg:gap-1 max-lg:rounded-control max-lg:border max-lg:border-line max-lg:p-3 lg:border-b lg:border-line">
      <td className={`${cell} font-mono text-sm wrap-anywhere`}>
        {providerPaymentId ?? t("admin.moneyDesk.byHand")}
      </td>
      <td className={`${cell} text-sm whitespace-nowrap text-quiet tabular-nums`}>
        <time dateTime={paidAt}>{moment(paidAt)}</time>
      </td>
      <td className={`${cell} wrap-anywhere`}>{from || "–"}</td>
      <td className={cell}>
        {transaction === null ? (
          "–"
        ) : (
          <a
            href={paths.adminTransaction(transaction.id)}
            className="inline-flex min-h-11 items-center font-mono font-semibold whitespace-nowrap text-brand underline underline-offset-4"
          >
            {transaction.code}
          </a>
        )}
      </td>
      <td className={`${cell} text-sm`}>
        {refund === null ? t("admin.moneyDesk.noRefund") : t(`admin.state.${refund.state}`)}
        {refund !== null && !refund.destination && (
          <span className="block text-warn">{t("admin.noDestination")}</span>
        )}
      </td>
      <td className={`${cell} font-bold whitespace-nowrap tabular-nums lg:text-right`}>{money(amount)}</td>
    </tr>
  );
}
