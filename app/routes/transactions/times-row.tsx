import { formatLongMoment } from "#format";
import { useLanguage, useT, useText } from "../../ui/frame/i18n.tsx";
import { DisclosureRow } from "../../ui/rows/disclosure-row.tsx";
import type { StepTime } from "./types.ts";

/** When each step of the trade was done, and when it ended, as a row that opens. */
export function TimesRow({ times }: { times: StepTime[] }) {
  const t = useT();
  const text = useText();
  const language = useLanguage();
  return (
    <DisclosureRow id="times" label={t("transaction.times")}>
      <dl className="grid gap-1 text-sm">
        {times.map(({ label, at }) => (
          <div key={label} className="flex flex-wrap justify-between gap-x-4">
            <dt className="text-quiet">{text(label)}</dt>
            <dd className="ms-auto">
              <time dateTime={at} className="tabular-nums">
                {formatLongMoment(at, language)}
              </time>
            </dd>
          </div>
        ))}
      </dl>
    </DisclosureRow>
  );
}
