import { formatMoment, formatMoney } from "#format";
import { paths } from "../../../paths.ts";
import { Button } from "../../../ui/forms/button.tsx";
import { PersonForm } from "../../../ui/forms/person-form.tsx";
import { useT, useText } from "../../../ui/frame/i18n.tsx";
import { MoneyState, type MoneyStatus } from "../../../ui/trade/progress/money-state.tsx";
import { ColumnHead } from "../lists/column-head.tsx";

interface Row {
  id: number;
  code: string;
  description: string | null;
  /** In whole ₮. */
  amount: number;
  fee: number;
  gross: number;
  status: string;
  money: MoneyStatus;
  method: "qpay";
  /** ISO 8601. */
  at: string;
  /** Nothing is held, and it is not the reader's own trade. */
  mayDelete: boolean;
}

const tradeColumns = ["id", "code", "amount", "fee", "status", "method", "date", "actions"] as const;
const tradeSums = ["amount", "fee"] as const;

/** Transactions as administrators list them: a table, whose rows are cards on narrow screens. */
export function TradesTable({ rows }: { rows: Row[] }) {
  const t = useT();
  return (
    <table className="w-full max-lg:block">
      <ColumnHead
        columns={tradeColumns}
        sums={tradeSums}
        label={(column) => t(`admin.trades.column.${column}`)}
      />
      <tbody className="max-lg:grid max-lg:gap-3 md:grid-cols-2">
        {rows.map((row) => (
          <TradeRow key={row.id} {...row} />
        ))}
      </tbody>
    </table>
  );
}

const tradeCellClasses = "lg:px-2 lg:py-2";
const tradeAsideClasses = "max-lg:flex max-lg:justify-between max-lg:gap-2 max-lg:text-sm";

function TradeRow({
  id,
  code,
  description,
  amount,
  fee,
  gross,
  status,
  money: state,
  method,
  at,
  mayDelete,
}: Row) {
  const t = useT();
  const text = useText();
  return (
    <tr
      data-code={code}
      data-row
      className="max-lg:grid max-lg:grid-cols-2 max-lg:content-start max-lg:items-start max-lg:gap-x-4 max-lg:gap-y-1 max-lg:rounded-control max-lg:border max-lg:border-line max-lg:p-3 lg:border-b lg:border-line"
    >
      <td
        className={`${tradeCellClasses} ${tradeAsideClasses} text-quiet tabular-nums max-lg:order-1 max-lg:justify-end`}
      >
        <Label column="id" />
        {id}
      </td>
      <td className={tradeCellClasses}>
        <span className="font-mono font-semibold whitespace-nowrap">{code}</span>
        {description !== null && (
          <span className="line-clamp-1 max-w-60 text-sm text-quiet wrap-anywhere">{description}</span>
        )}
      </td>
      <td
        className={`${tradeCellClasses} ${tradeAsideClasses} font-bold whitespace-nowrap max-lg:order-3 max-lg:col-span-2 tabular-nums lg:text-right`}
      >
        <Label column="amount" />
        {formatMoney(amount)}
      </td>
      <td
        className={`${tradeCellClasses} ${tradeAsideClasses} whitespace-nowrap tabular-nums max-lg:order-3 max-lg:col-span-2 lg:text-right`}
      >
        <Label column="fee" />
        {formatMoney(fee)}
      </td>
      <td className={`${tradeCellClasses} max-lg:order-2 max-lg:col-span-2`}>
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <MoneyState money={state} />
          {status !== state && <span className="text-sm">{text(`status.${status}`)}</span>}
        </span>
      </td>
      <td className={`${tradeCellClasses} ${tradeAsideClasses} max-lg:order-4`}>
        {t(`admin.trades.method.${method}`)}
      </td>
      <td
        className={`${tradeCellClasses} ${tradeAsideClasses} text-sm whitespace-nowrap text-quiet tabular-nums max-lg:order-4 max-lg:justify-end`}
      >
        <time dateTime={at}>{formatMoment(at)}</time>
      </td>
      <td className={`${tradeCellClasses} max-lg:order-5 max-lg:col-span-2`}>
        <RowActions {...{ id, code, gross, mayDelete }} />
      </td>
    </tr>
  );
}

function RowActions({ id, code, gross, mayDelete }: Pick<Row, "id" | "code" | "gross" | "mayDelete">) {
  const t = useT();
  return (
    <div className="flex flex-wrap items-start gap-x-4 lg:flex-nowrap">
      <a
        href={paths.adminTransaction(id)}
        aria-label={t("history.viewOf", { code })}
        className="inline-flex min-h-11 items-center font-semibold text-brand underline underline-offset-4"
      >
        {t("history.view")}
      </a>
      {mayDelete && <Delete id={id} code={code} sum={formatMoney(gross)} />}
    </div>
  );
}

/** The label of a cell if the head of its column is hidden; screen readers get it from the table. */
function Label({ column }: { column: (typeof tradeColumns)[number] }) {
  const t = useT();
  return (
    <span aria-hidden="true" className="font-normal text-quiet lg:hidden">
      {t(`admin.trades.column.${column}`)}
    </span>
  );
}

/** Asks again before deleting, with the amount. */
function Delete({ id, code, sum }: { id: number; code: string; sum: string }) {
  const t = useT();
  return (
    <details className="relative max-lg:open:w-full">
      <summary
        aria-label={t("admin.trades.deleteOf", { code })}
        className="inline-flex min-h-11 cursor-pointer list-none items-center font-semibold text-bad underline underline-offset-4"
      >
        {t("admin.trades.delete")}
      </summary>
      <PersonForm className="z-10 grid gap-3 rounded-control border border-bad bg-card p-3 text-left lg:absolute lg:right-0 lg:w-80 lg:shadow-lift">
        <input type="hidden" name="form" value="delete" />
        <input type="hidden" name="transaction" value={id} />
        <p>{t("admin.deleteAsk", { sum })}</p>
        <Button look="danger">{t("trade.yes", { what: t("admin.trades.deleteOf", { code }) })}</Button>
      </PersonForm>
    </details>
  );
}
