import { formatMoney } from "#format";
import type { CaseView } from "#views/escrow";
import { ButtonLink } from "../../../ui/forms/button.tsx";
import { useT, useText } from "../../../ui/frame/i18n.tsx";
import { Card } from "../../../ui/layout/card.tsx";
import { StatementList } from "../../../ui/trade/statements.tsx";
import { Moment } from "../moment.tsx";

/** The disputes of a trade with all their statements, newest first; `to` leads to the page where the dispute is decided. */
export function Cases({ cases, to }: { cases: CaseView[]; to?: string }) {
  const t = useT();
  return (
    <Card title={t("admin.dispute.cases")}>
      {to !== undefined && (
        <ButtonLink to={to} className="justify-self-start">
          {t("admin.work.open.dispute")}
        </ButtonLink>
      )}
      {cases.toReversed().map((one) => (
        <section key={one.openedAt} className="grid gap-3">
          <h3 className="font-semibold">
            {t("trade.disputeBy", { role: t(`roles.${one.openedBy}`) })} · <Moment at={one.openedAt} />
          </h3>
          <CaseOutcome {...one} />
          <StatementList statements={one.statements} />
        </section>
      ))}
    </Card>
  );
}

function CaseOutcome({ outcome, endedAt, refundAmount }: CaseView) {
  const t = useT();
  const text = useText();
  if (outcome === null || endedAt === null) return null;
  return (
    <p>
      {text(`dispute.outcome.${outcome}`)}
      {refundAmount !== null && ` ${t("admin.dispute.refunded", { sum: formatMoney(refundAmount) })}`} ·{" "}
      <Moment at={endedAt} />
    </p>
  );
}
