import { Landmark } from "lucide";
import { moment, money } from "#format";
import { paths } from "../../paths.ts";
import { TextLink } from "../button.tsx";
import { Card } from "../card.tsx";
import { Empty } from "../empty.tsx";
import { useT } from "../i18n.tsx";

interface RecordedShown {
  id: number;
  bankReference: string;
  received: number;
  cost: number;
  enteredBy: string;
  confirmedBy: string;
  at: string;
}

const columns = ["reference", "at", "who", "received", "cost"] as const;
const sums = new Set<string>(["received", "cost"]);
const cell = "lg:px-2 lg:py-3";

/** Every settlement that two administrators recorded, newest first. */
export function SettlementList(props: { rows: RecordedShown[]; next: number | null; paged: boolean }) {
  const t = useT();
  const { rows, next, paged } = props;
  return (
    <Card title={t("admin.settlements.recorded")}>
      {rows.length === 0 ? (
        <Empty icon={Landmark} title={t("admin.settlements.nothing")} />
      ) : (
        <table className="w-full max-lg:block">
          <thead className="max-lg:sr-only">
            <tr className="border-b border-line text-sm text-quiet">
              {columns.map((column) => (
                <th
                  key={column}
                  scope="col"
                  className={`px-2 py-2 font-semibold ${sums.has(column) ? "text-right" : "text-left"}`}
                >
                  {t(`admin.settlements.${column}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="max-lg:grid max-lg:gap-3">
            {rows.map((row) => (
              <Row key={row.id} {...row} />
            ))}
          </tbody>
        </table>
      )}
      {(next !== null || paged) && (
        <p className="flex flex-wrap gap-x-6">
          {paged && <TextLink to={paths.adminSettlements}>{t("admin.settlements.newest")}</TextLink>}
          {next !== null && (
            <TextLink to={`${paths.adminSettlements}?before=${next}`}>
              {t("admin.settlements.older")}
            </TextLink>
          )}
        </p>
      )}
    </Card>
  );
}

function Row({ bankReference, received, cost, enteredBy, confirmedBy, at }: RecordedShown) {
  const t = useT();
  return (
    <tr className="max-lg:grid max-lg:gap-1 max-lg:rounded-control max-lg:border max-lg:border-line max-lg:p-3 lg:border-b lg:border-line">
      <td className={`${cell} font-mono text-sm wrap-anywhere`}>{bankReference}</td>
      <td className={`${cell} text-sm whitespace-nowrap text-quiet tabular-nums`}>
        <time dateTime={at}>{moment(at)}</time>
      </td>
      <td className={`${cell} text-sm wrap-anywhere`}>{`${enteredBy}, ${confirmedBy}`}</td>
      {([received, cost] as const).map((sum, place) => (
        <td
          key={columns[place + 3]}
          className={`${cell} tabular-nums lg:text-right lg:whitespace-nowrap ${place === 0 ? "font-bold" : ""}`}
        >
          <span className="block text-sm font-normal text-quiet lg:hidden">
            {t(`admin.settlements.${place === 0 ? "received" : "cost"}`)}
          </span>
          {money(sum)}
        </td>
      ))}
    </tr>
  );
}
