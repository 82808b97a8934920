import { Check } from "lucide";
import { formatLongMoment } from "#format";
import type { StepView } from "#views/escrow";
import { useLanguage, useT, useText } from "../../ui/frame/i18n.tsx";
import { Icon } from "../../ui/layout/icon.tsx";
import { DisclosureRow } from "../../ui/rows/disclosure-row.tsx";

/** The five steps of a trade with the time of each, as a row that says how many are done. */
export function ProgressRow({ steps }: { steps: StepView[] }) {
  const t = useT();
  const text = useText();
  const language = useLanguage();
  const done = steps.filter(({ completedAt }) => completedAt !== null).length;
  return (
    <DisclosureRow id="progress" label={t("transaction.progress")} value={`${done}/${steps.length}`}>
      {done === 0 && <p className="text-quiet">{t("transaction.noSteps")}</p>}
      {done > 0 && (
        <ol className="grid gap-3">
          {steps.map(({ step, completedAt }) => (
            <li key={step} className="grid grid-cols-[2rem_minmax(0,1fr)] gap-x-3" data-step={step}>
              <span
                aria-hidden="true"
                className={`grid size-8 place-items-center rounded-full border-2 ${completedAt ? "border-khadag bg-khadag text-white" : "border-edge"}`}
              >
                {completedAt && <Icon of={Check} className="size-4" />}
              </span>
              <span className={`self-center ${completedAt ? "font-semibold" : "text-quiet"}`}>
                {text(`steps.${step}`)}
              </span>
              {completedAt ? (
                <time dateTime={completedAt} className="col-start-2 text-sm text-quiet tabular-nums">
                  {formatLongMoment(completedAt, language)}
                </time>
              ) : (
                <span className="col-start-2 text-sm text-quiet">{t("transaction.stepToCome")}</span>
              )}
            </li>
          ))}
        </ol>
      )}
    </DisclosureRow>
  );
}
