import { formatLongDay, formatMoney } from "#format";
import { paths } from "../../../paths.ts";
import { useLanguage, useT, useText } from "../../frame/i18n.tsx";
import { MoneyState, type MoneyStatus } from "./money-state.tsx";

interface HistoryRow {
  id: number;
  code: string;
  /** ISO 8601. */
  at: string;
  /** In whole ₮. */
  amount: number;
  role: "buyer" | "seller";
  status: string;
  money: MoneyStatus;
}

const historyColumns = ["code", "date", "amount", "role", "status", "actions"] as const;

/** The address of a row's "View". */
type RowPath = (id: number) => string;

/** A person's transactions: a table, whose rows are cards on narrow screens. */
export function HistoryTable({ rows, to = paths.transaction }: { rows: HistoryRow[]; to?: RowPath }) {
  const t = useT();
  return (
    <table className="w-full max-lg:block">
      <thead className="max-lg:sr-only">
        <tr className="border-b border-line text-sm text-quiet">
          {historyColumns.map((column) => (
            <th
              key={column}
              scope="col"
              className={`px-2 py-2 font-semibold ${column === "amount" ? "pr-8 text-right" : "text-left"}`}
            >
              {t(`history.${column}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="max-lg:grid max-lg:gap-3 md:grid-cols-2">
        {rows.map((row) => (
          <Row key={row.id} row={row} to={to} />
        ))}
      </tbody>
    </table>
  );
}

const cellClasses = "lg:px-2 lg:py-3";

function Row({ row, to }: { row: HistoryRow; to: RowPath }) {
  const { id, code, at, amount, role, status, money: state } = row;
  const t = useT();
  const text = useText();
  const language = useLanguage();
  return (
    <tr
      data-code={code}
      className="content-start max-lg:grid max-lg:grid-cols-[minmax(0,1fr)_auto] max-lg:items-center max-lg:gap-x-3 max-lg:gap-y-1 max-lg:rounded-control max-lg:border max-lg:border-line max-lg:p-3 lg:border-b lg:border-line"
    >
      <td className={`${cellClasses} font-mono font-semibold whitespace-nowrap`}>{code}</td>
      <td
        className={`${cellClasses} text-sm text-quiet max-lg:order-3 max-lg:col-span-2 lg:whitespace-nowrap`}
      >
        <time dateTime={at}>{formatLongDay(at, language)}</time>
      </td>
      <td className={`${cellClasses} text-right font-bold whitespace-nowrap tabular-nums lg:pr-8`}>
        {formatMoney(amount)}
      </td>
      <td className={`${cellClasses} text-sm max-lg:order-5`}>{t(`roles.${role}`)}</td>
      <td className={`${cellClasses} max-lg:order-4 max-lg:col-span-2`}>
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <MoneyState money={state} />
          {status !== state && <span className="text-sm">{text(`status.${status}`)}</span>}
        </span>
      </td>
      <td className={`${cellClasses} max-lg:order-6 max-lg:text-right`}>
        <a
          href={to(id)}
          aria-label={t("history.viewOf", { code })}
          className="inline-flex min-h-11 items-center font-semibold text-brand underline underline-offset-4"
        >
          {t("history.view")}
        </a>
      </td>
    </tr>
  );
}
