import { formatMoment, formatMoney } from "#format";
import type { RunView } from "#views/escrow";
import { paths } from "../../../../paths.ts";
import { useT } from "../../../../ui/frame/i18n.tsx";
import { Card } from "../../../../ui/layout/card.tsx";
import { ColumnHead } from "../../lists/column-head.tsx";
import { ListPages } from "../../lists/list-pages.tsx";

const runColumns = ["day", "when", "who", "there", "here", "result"] as const;
const runSums = ["there", "here"] as const;
const runCellClasses = "lg:px-2 lg:py-3";

/** Every reconciliation so far, newest first. */
export function RunHistory(props: { runs: RunView[]; day: string; next: number | null; paged: boolean }) {
  const t = useT();
  const { runs, day, next, paged } = props;
  return (
    <Card title={t("admin.recon.runs")} id="runs">
      {runs.length === 0 ? (
        <p className="text-quiet">{t("admin.recon.noRuns")}</p>
      ) : (
        <table className="w-full max-lg:block">
          <ColumnHead columns={runColumns} sums={runSums} label={(column) => t(`admin.recon.${column}`)} />
          <tbody className="max-lg:grid max-lg:gap-3">
            {runs.map((run) => (
              <Row key={run.id} {...run} />
            ))}
          </tbody>
        </table>
      )}
      <ListPages
        newest={paged ? { to: paths.adminReconciliationOf(day), label: t("admin.recon.newest") } : null}
        older={
          next === null
            ? null
            : { to: `${paths.adminReconciliationOf(day)}&before=${next}#runs`, label: t("admin.recon.older") }
        }
      />
    </Card>
  );
}

function Row({ day, begunAt, by, failure, thereSum, hereSum, found, opened, vanished }: RunView) {
  const t = useT();
  return (
    <tr
      data-row
      className="max-lg:grid max-lg:grid-cols-2 max-lg:items-center max-lg:gap-x-3 max-lg:rounded-control max-lg:border max-lg:border-line max-lg:p-3 lg:border-b lg:border-line"
    >
      <td className={runCellClasses}>
        <a
          href={paths.adminReconciliationOf(day)}
          className="inline-flex min-h-11 items-center font-semibold whitespace-nowrap text-brand tabular-nums underline underline-offset-4"
        >
          {day}
        </a>
      </td>
      <td
        className={`${runCellClasses} text-sm text-quiet tabular-nums max-lg:text-right lg:whitespace-nowrap`}
      >
        <time dateTime={begunAt}>{formatMoment(begunAt)}</time>
      </td>
      <td className={`${runCellClasses} text-sm wrap-anywhere max-lg:col-span-2`}>
        {by ?? t("admin.recon.byJob")}
      </td>
      {[thereSum, hereSum].map((sum, side) => (
        <td
          key={runColumns[side + 3]}
          className={`${runCellClasses} tabular-nums lg:text-right lg:whitespace-nowrap`}
        >
          <span className="block text-sm text-quiet lg:hidden">
            {t(`admin.recon.${side ? "here" : "there"}`)}
          </span>
          {sum === null ? "–" : formatMoney(sum)}
        </td>
      ))}
      <td
        className={`${runCellClasses} text-sm max-lg:col-span-2 ${failure || found ? "font-semibold" : ""}`}
      >
        {failure === null
          ? t("admin.recon.outcome", { found: found ?? 0, opened: opened ?? 0, vanished: vanished ?? 0 })
          : t(`admin.recon.failure.${failure}`)}
      </td>
    </tr>
  );
}
