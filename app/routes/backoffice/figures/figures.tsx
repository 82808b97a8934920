import { formatMoney, formatRemaining } from "#format";
import type { Period } from "#views/escrow";
import { paths } from "../../../paths.ts";
import { useLanguage, useT } from "../../../ui/frame/i18n.tsx";
import { Card } from "../../../ui/layout/card.tsx";
import { Tabs } from "../../../ui/layout/tabs.tsx";
import { Chart } from "./chart.tsx";

const figureKinds = ["trades", "volume", "fees", "payoutMinutes"] as const;
type FormatFigure = (kind: (typeof figureKinds)[number], value: number | null) => string;

/** Midman's figures by day or by week: four charts, and the same data in a table beside them. */
export function FiguresCard({ by, periods }: { by: "day" | "week"; periods: Period[] }) {
  const t = useT();
  const language = useLanguage();
  const said = {
    trades: (value: number) => value.toLocaleString("en-US"),
    volume: formatMoney,
    fees: formatMoney,
    payoutMinutes: (value: number) => formatRemaining(value * 60_000, language),
  };
  const shown: FormatFigure = (kind, value) => (value === null ? "–" : said[kind](value));
  return (
    <Card title={t("admin.figures.title")} id="figures">
      <Tabs
        label={t("admin.figures.by")}
        tabs={(["day", "week"] as const).map((one) => ({
          to: paths.adminFigures(one),
          label: t(`admin.figures.${one}`),
          current: one === by,
        }))}
      />
      <div className="grid gap-4 md:grid-cols-2">
        {figureKinds.map((kind) => {
          const values = periods.map((period) => period[kind]);
          const top = values.some((value) => value !== null) ? Math.max(...values.map((v) => v ?? 0)) : null;
          const most = t("admin.figures.most", { what: shown(kind, top) });
          return (
            <Chart
              key={kind}
              id={`chart-${kind}`}
              title={t(`admin.figures.kind.${kind}`)}
              desc={`${t(`admin.figures.desc.${by}`, { first: periods[0]?.from, last: periods.at(-1)?.from })} ${most}`}
              points={periods.map((period) => ({
                label: period.from,
                value: period[kind],
                shown: shown(kind, period[kind]),
              }))}
              most={most}
            />
          );
        })}
      </div>
      <Table by={by} periods={periods} shown={shown} />
    </Card>
  );
}

function Table({ by, periods, shown }: { by: "day" | "week"; periods: Period[]; shown: FormatFigure }) {
  const t = useT();
  return (
    <section
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region needs a stop for the keyboard
      tabIndex={0}
      aria-label={t("admin.figures.table")}
      className="max-h-80 overflow-auto rounded-control border border-line"
    >
      <table className="w-full text-sm tabular-nums">
        <thead>
          <tr className="border-b border-line text-quiet">
            <th scope="col" className="px-3 py-2 text-left font-semibold">
              {t(`admin.figures.from.${by}`)}
            </th>
            {figureKinds.map((kind) => (
              <th key={kind} scope="col" className="px-3 py-2 text-right font-semibold">
                {t(`admin.figures.kind.${kind}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {periods.toReversed().map((period) => (
            <tr key={period.from} className="border-b border-line last:border-b-0">
              <th scope="row" className="px-3 py-1.5 text-left font-normal whitespace-nowrap">
                {period.from}
              </th>
              {figureKinds.map((kind) => (
                <td key={kind} className="px-3 py-1.5 text-right whitespace-nowrap">
                  {shown(kind, period[kind])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
