import { formatLongMoment } from "#format";
import type { CaseView } from "#views/escrow";
import { useLanguage, useT } from "../frame/i18n.tsx";
import { MidmanMark } from "../layout/midman-mark.tsx";

/** The statements of both parties and the mediator in a dispute, oldest first. Midman's are under its mark. */
export function StatementList({ statements }: Pick<CaseView, "statements">) {
  const t = useT();
  const language = useLanguage();
  return (
    <ol className="grid gap-3">
      {statements.map(({ by, body, at }) => (
        <li
          key={`${by}${at}`}
          data-said-by={by}
          className={`border-l-4 py-1 pl-3 ${by === "admin" ? "border-khadag bg-sunk" : "border-line"}`}
        >
          <p className="flex flex-wrap items-center gap-x-2 text-sm text-quiet">
            {by === "admin" && <MidmanMark className="size-4 text-khadag" />}
            <strong className="text-ink">{by === "admin" ? t("dispute.mediator") : t(`roles.${by}`)}</strong>
            <time dateTime={at} className="tabular-nums">
              {formatLongMoment(at, language)}
            </time>
          </p>
          <p className="whitespace-pre-wrap wrap-anywhere">{body}</p>
        </li>
      ))}
    </ol>
  );
}
