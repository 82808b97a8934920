import { formatMoment, formatMoney } from "#format";
import type { TradeRecords } from "#views/escrow";
import { useT, useText } from "../../../ui/frame/i18n.tsx";
import { Card } from "../../../ui/layout/card.tsx";
import { Moment } from "../moment.tsx";

/** The ledger entries of a trade, as posted; they cannot be changed. */
export function Journals({ journals }: Pick<TradeRecords, "journals">) {
  const t = useT();
  const text = useText();
  return (
    <Card title={t("admin.records.journals")}>
      {journals.length === 0 && <p className="text-quiet">{t("admin.records.noJournals")}</p>}
      {journals.map((journal) => (
        <table key={journal.id} className="w-full text-sm tabular-nums" data-journal={journal.id}>
          <caption className="pb-1 text-left">
            <span className="flex flex-wrap items-baseline gap-x-3">
              <strong className="text-base">{text(`admin.records.kind.${journal.kind}`)}</strong>
              {journal.corrects !== null && (
                <span>{t("admin.records.corrects", { id: journal.corrects })}</span>
              )}
              <span className="text-quiet">
                {t("admin.records.number", { id: journal.id })} · <Moment at={journal.at} />
              </span>
              <strong className="ml-auto text-base">{formatMoney(journal.sum)}</strong>
            </span>
          </caption>
          <thead>
            <tr className="border-y border-line text-quiet">
              <th scope="col" className="py-1 text-left font-semibold">
                {t("admin.records.account")}
              </th>
              <th scope="col" className="py-1 pl-2 text-right font-semibold">
                {t("admin.records.debit")}
              </th>
              <th scope="col" className="py-1 pl-2 text-right font-semibold">
                {t("admin.records.credit")}
              </th>
            </tr>
          </thead>
          <tbody>
            {journal.lines.map(({ account, debit, credit }) => (
              <tr key={account} className="border-b border-line">
                <th scope="row" className="py-1 text-left font-normal wrap-anywhere">
                  {text(accountKey(account))}
                </th>
                <td className="py-1 pl-2 text-right whitespace-nowrap">{debit > 0 && formatMoney(debit)}</td>
                <td className="py-1 pl-2 text-right whitespace-nowrap">
                  {credit > 0 && formatMoney(credit)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      ))}
    </Card>
  );
}

/** The text key of an account: `escrow:7` is the money held for the trade that the page shows. */
function accountKey(account: string): string {
  const [first = ""] = account.split(":");
  return `admin.records.accounts.${first}`;
}

/** The latest actions on a trade and its money, and who took them. */
export function Activity({ activity }: Pick<TradeRecords, "activity">) {
  const t = useT();
  const text = useText();
  return (
    <Card title={t("admin.records.activity")}>
      {activity.length === 0 && <p className="text-quiet">{t("admin.records.noActivity")}</p>}
      <ol className="grid gap-2">
        {activity.map(({ id, at, action, by }) => (
          <li key={id} className="flex flex-wrap justify-between gap-x-4">
            <span className="wrap-anywhere">
              <span className="font-semibold">{text(`actions.${action}`)}</span>
              <span className="text-sm text-quiet"> · {by?.displayName ?? t("admin.records.itself")}</span>
            </span>
            <time dateTime={at} className="text-sm text-quiet tabular-nums">
              {formatMoment(at)}
            </time>
          </li>
        ))}
      </ol>
    </Card>
  );
}
