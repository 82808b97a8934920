import { formatLongMoment, formatMoney } from "#format";
import type { RunView } from "#views/escrow";
import { Button } from "../../../ui/forms/button.tsx";
import { PersonForm } from "../../../ui/forms/person-form.tsx";
import { useLanguage, useT } from "../../../ui/frame/i18n.tsx";
import { Card } from "../../../ui/layout/card.tsx";
import { Notice } from "../../../ui/layout/notice.tsx";

/** The provider's and the ledger's totals of a day, as of its last reconciliation, and the button that reconciles it now. */
export function DaySums({ day, run }: { day: string; run: RunView | null }) {
  const t = useT();
  const language = useLanguage();
  return (
    <Card title={day}>
      {run === null ? (
        <p className="text-quiet">{t("admin.recon.notYet")}</p>
      ) : (
        <>
          <Sums run={run} />
          {run.found === 0 && <Notice tone="good" title={t("admin.recon.agrees")} />}
          <p className="text-sm text-quiet">
            {t("admin.recon.lastRun", { at: formatLongMoment(run.begunAt, language) })}
          </p>
        </>
      )}
      <PersonForm className="grid justify-items-start">
        <input type="hidden" name="form" value="reconcile" />
        <input type="hidden" name="day" value={day} />
        <Button>{t("admin.recon.run")}</Button>
      </PersonForm>
    </Card>
  );
}

function Sums({ run }: { run: RunView }) {
  const t = useT();
  const { thereCount = 0, thereSum = 0, hereCount = 0, hereSum = 0 } = run;
  const rows = [
    { name: "there", count: thereCount ?? 0, sum: thereSum ?? 0 },
    { name: "here", count: hereCount ?? 0, sum: hereSum ?? 0 },
    {
      name: "apart",
      count: (thereCount ?? 0) - (hereCount ?? 0),
      sum: (thereSum ?? 0) - (hereSum ?? 0),
    },
  ] as const;
  return (
    <table className="w-full tabular-nums">
      <thead>
        <tr className="border-b border-line text-sm text-quiet">
          <td />
          <th scope="col" className="py-2 pl-3 text-right font-semibold">
            {t("admin.recon.payments")}
          </th>
          <th scope="col" className="py-2 pl-3 text-right font-semibold">
            {t("admin.recon.sum")}
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, count, sum }) => (
          <tr
            key={name}
            data-side={name}
            className={name === "apart" ? "border-t border-line font-bold" : ""}
          >
            <th scope="row" className="py-2 text-left font-semibold">
              {t(`admin.recon.${name}`)}
            </th>
            <td className="py-2 pl-3 text-right">{count}</td>
            <td
              className={`py-2 pl-3 text-right whitespace-nowrap ${name === "apart" && sum !== 0 ? "text-bad" : ""}`}
            >
              {formatMoney(sum)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
