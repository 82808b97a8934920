import { formatMoment, formatMoney } from "#format";
import type { SuspenseView } from "#views/escrow";
import { paths } from "../../../paths.ts";
import { useLanguage, useT } from "../../../ui/frame/i18n.tsx";
import { Card } from "../../../ui/layout/card.tsx";
import { ColumnHead } from "../lists/column-head.tsx";
import { ListPages } from "../lists/list-pages.tsx";
import { bankNames } from "../payouts/payout-item.tsx";

const suspenseColumns = ["payment", "paidAt", "from", "trade", "refund", "amount"] as const;
const suspenseCellClasses = "lg:px-2 lg:py-3";

/** Money in suspense, which belongs to no transaction: what it is, where it came from, and the state of its refund. */
export function Suspense(props: { rows: SuspenseView[]; next: number | null; paged: boolean }) {
  const t = useT();
  const { rows, next, paged } = props;
  return (
    <Card title={t("admin.moneyDesk.suspense")}>
      <p className="text-quiet">{t("admin.moneyDesk.suspenseLead")}</p>
      {rows.length === 0 ? (
        <p>{t("admin.moneyDesk.nothing")}</p>
      ) : (
        <table className="w-full max-lg:block">
          <ColumnHead
            columns={suspenseColumns}
            sums={["amount"]}
            label={(column) => t(`admin.moneyDesk.${column}`)}
          />
          <tbody className="max-lg:grid max-lg:gap-3">
            {rows.map((row) => (
              <Row key={row.paymentId} {...row} />
            ))}
          </tbody>
        </table>
      )}
      <ListPages
        newest={paged ? { to: paths.adminMoney, label: t("admin.moneyDesk.newest") } : null}
        older={
          next === null
            ? null
            : { to: `${paths.adminMoney}?before=${next}`, label: t("admin.moneyDesk.older") }
        }
      />
    </Card>
  );
}

function Row({ providerPaymentId, amount, paidAt, transaction, wallet, payerBank, refund }: SuspenseView) {
  const t = useT();
  const language = useLanguage();
  const from = [wallet, payerBank && bankNames([payerBank], language)].filter(Boolean).join(" · ");
  return (
    <tr className="max-lg:grid max-lg:gap-1 max-lg:rounded-control max-lg:border max-lg:border-line max-lg:p-3 lg:border-b lg:border-line">
      <td className={`${suspenseCellClasses} font-mono text-sm wrap-anywhere`}>
        {providerPaymentId ?? t("admin.moneyDesk.byHand")}
      </td>
      <td className={`${suspenseCellClasses} text-sm whitespace-nowrap text-quiet tabular-nums`}>
        <time dateTime={paidAt}>{formatMoment(paidAt)}</time>
      </td>
      <td className={`${suspenseCellClasses} wrap-anywhere`}>{from || "–"}</td>
      <td className={suspenseCellClasses}>
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
      <td className={`${suspenseCellClasses} text-sm`}>
        {refund === null ? t("admin.moneyDesk.noRefund") : t(`admin.state.${refund.state}`)}
        {refund !== null && !refund.destination && (
          <span className="block text-warn">{t("admin.noDestination")}</span>
        )}
      </td>
      <td className={`${suspenseCellClasses} font-bold whitespace-nowrap tabular-nums lg:text-right`}>
        {formatMoney(amount)}
      </td>
    </tr>
  );
}
