import { Landmark } from "lucide";
import { formatMoment, formatMoney } from "#format";
import type { SettlementView } from "#views/escrow";
import { paths } from "../../../../paths.ts";
import { useT } from "../../../../ui/frame/i18n.tsx";
import { Card } from "../../../../ui/layout/card.tsx";
import { EmptyState } from "../../../../ui/layout/empty-state.tsx";
import { ColumnHead } from "../../lists/column-head.tsx";
import { ListPages } from "../../lists/list-pages.tsx";

const settlementColumns = ["reference", "at", "who", "received", "cost"] as const;
const settlementSums = ["received", "cost"] as const;
const settlementCellClasses = "lg:px-2 lg:py-3";

/** Every settlement that two administrators recorded, newest first. */
export function SettlementList(props: { rows: SettlementView[]; next: number | null; paged: boolean }) {
  const t = useT();
  const { rows, next, paged } = props;
  return (
    <Card title={t("admin.settlements.recorded")}>
      {rows.length === 0 ? (
        <EmptyState icon={Landmark} title={t("admin.settlements.nothing")} />
      ) : (
        <table className="w-full max-lg:block">
          <ColumnHead
            columns={settlementColumns}
            sums={settlementSums}
            label={(column) => t(`admin.settlements.${column}`)}
          />
          <tbody className="max-lg:grid max-lg:gap-3">
            {rows.map((row) => (
              <Row key={row.id} {...row} />
            ))}
          </tbody>
        </table>
      )}
      <ListPages
        newest={paged ? { to: paths.adminSettlements, label: t("admin.settlements.newest") } : null}
        older={
          next === null
            ? null
            : { to: `${paths.adminSettlements}?before=${next}`, label: t("admin.settlements.older") }
        }
      />
    </Card>
  );
}

function Row({ bankReference, received, cost, enteredBy, confirmedBy, at }: SettlementView) {
  const t = useT();
  return (
    <tr className="max-lg:grid max-lg:gap-1 max-lg:rounded-control max-lg:border max-lg:border-line max-lg:p-3 lg:border-b lg:border-line">
      <td className={`${settlementCellClasses} font-mono text-sm wrap-anywhere`}>{bankReference}</td>
      <td className={`${settlementCellClasses} text-sm whitespace-nowrap text-quiet tabular-nums`}>
        <time dateTime={at}>{formatMoment(at)}</time>
      </td>
      <td className={`${settlementCellClasses} text-sm wrap-anywhere`}>{`${enteredBy}, ${confirmedBy}`}</td>
      {([received, cost] as const).map((sum, place) => (
        <td
          key={settlementColumns[place + 3]}
          className={`${settlementCellClasses} tabular-nums lg:text-right lg:whitespace-nowrap ${place === 0 ? "font-bold" : ""}`}
        >
          <span className="block text-sm font-normal text-quiet lg:hidden">
            {t(`admin.settlements.${place === 0 ? "received" : "cost"}`)}
          </span>
          {formatMoney(sum)}
        </td>
      ))}
    </tr>
  );
}
