import { formatLongMoment } from "#format";
import { disputeStatementSchema } from "#forms/escrow";
import { Button } from "../../../ui/forms/button.tsx";
import { FormErrors, TextField } from "../../../ui/forms/field.tsx";
import { type PostedForm, usePostedForm } from "../../../ui/forms/posted-form.ts";
import { useLanguage, useT, useText } from "../../../ui/frame/i18n.tsx";
import { Card } from "../../../ui/layout/card.tsx";
import { Disclosure } from "../../../ui/layout/disclosure.tsx";
import { StatementList } from "../../../ui/trade/statements.tsx";
import { TradeStepForm } from "../../../ui/trade/trade-step-form.tsx";
import type { DisputeShown, TradeShown } from "../../../ui/trade/types.ts";

/** Where a party opens a dispute, and where both explain it and follow its course. */
export function Disputes({ trade, posted }: { trade: TradeShown; posted: PostedForm | null }) {
  const t = useT();
  const { can } = trade;
  const disputed = trade.status === "disputed";
  if (!can.openDispute && trade.dispute === null) return null;
  return (
    <Card title={t("trade.dispute")}>
      {trade.dispute && <DisputeCourse dispute={trade.dispute} />}
      {can.openDispute && <p className="text-sm text-quiet">{t("trade.disputeWhen")}</p>}
      {disputed && <p className="text-sm text-quiet">{t("dispute.evidenceHow")}</p>}
      {disputed && <DisputeReasonForm form="explain" posted={posted} />}
      {can.withdrawDispute && (
        <TradeStepForm form="withdraw-dispute" label={t("trade.withdrawDispute")} look="plain" />
      )}
      {can.openDispute && <DisputeReasonForm form="dispute" posted={posted} />}
    </Card>
  );
}

/** Who opened the dispute, who decides it or how it ended, and its statements; a dispute that has ended is collapsed. */
function DisputeCourse({
  dispute: { openedBy, openedAt, outcome, mediator, statements },
}: {
  dispute: DisputeShown;
}) {
  const t = useT();
  const text = useText();
  const language = useLanguage();
  const said = <StatementList statements={statements} />;
  return (
    <>
      <p>
        {t("trade.disputeBy", { role: t(`roles.${openedBy}`) })} ·{" "}
        <time dateTime={openedAt} className="tabular-nums">
          {formatLongMoment(openedAt, language)}
        </time>
      </p>
      {outcome === null ? (
        <p className="font-semibold wrap-anywhere">
          {mediator === null ? t("dispute.noMediator") : t("dispute.mediatorIs", { name: mediator })}
        </p>
      ) : (
        <p className="font-semibold">{text(`dispute.outcome.${outcome}`)}</p>
      )}
      {outcome === null ? said : <Disclosure summary={t("dispute.said")}>{said}</Disclosure>}
    </>
  );
}

function DisputeReasonForm(props: { form: "dispute" | "explain"; posted: PostedForm | null }) {
  const t = useT();
  const [form, fields] = usePostedForm(props.form, disputeStatementSchema, props.posted);
  const opens = props.form === "dispute";
  const label = t(opens ? "trade.openDispute" : "trade.explain");
  return (
    <Disclosure
      id={`fold-${props.form}`}
      summary={label}
      look={opens ? "danger" : "plain"}
      open={props.posted?.form === props.form}
    >
      <form method="post" className="grid gap-3" noValidate>
        <input type="hidden" name="form" value={props.form} />
        <FormErrors id={form.errorId} errors={form.errors} />
        <TextField label={t(opens ? "trade.disputeReason" : "trade.explainLabel")} field={fields.reason} />
        <Button look={opens ? "danger" : "primary"}>{label}</Button>
      </form>
    </Disclosure>
  );
}
