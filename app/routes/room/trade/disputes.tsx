import { formatLongMoment } from "#format";
import { disputeStatementSchema } from "#forms/escrow";
import { Button } from "../../../ui/forms/button.tsx";
import { FormErrors, TextField } from "../../../ui/forms/field.tsx";
import { PersonForm } from "../../../ui/forms/person-form.tsx";
import { type PostedForm, usePostedForm } from "../../../ui/forms/posted-form.ts";
import { useLanguage, useT, useText } from "../../../ui/frame/i18n.tsx";
import { Disclosure } from "../../../ui/layout/disclosure.tsx";
import { StatementList } from "../../../ui/trade/statements.tsx";
import type { DisputeShown } from "../../../ui/trade/types.ts";

/** Opens a dispute, with its reason. */
export function DisputeOpening({ posted }: { posted: PostedForm | null }) {
  const t = useT();
  return (
    <>
      <p className="text-sm text-quiet">{t("trade.disputeWhen")}</p>
      <DisputeReasonForm form="dispute" posted={posted} />
    </>
  );
}

/** A party's own account of what happened, while the dispute is open; `asked` until they have given it. */
export function DisputeExplanation({ posted, asked }: { posted: PostedForm | null; asked: boolean }) {
  const t = useT();
  const form = <DisputeReasonForm form="explain" posted={posted} />;
  return (
    <>
      <p className="text-sm text-quiet">{t("dispute.evidenceHow")}</p>
      {asked || posted?.form === "explain" ? (
        form
      ) : (
        <Disclosure summary={t("trade.explain")}>{form}</Disclosure>
      )}
    </>
  );
}

/** Who opened the dispute, who decides it or how it ended, and its statements. */
export function DisputeCourse({
  dispute: { openedBy, openedAt, outcome, mediator, statements },
}: {
  dispute: DisputeShown;
}) {
  const t = useT();
  const text = useText();
  const language = useLanguage();
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
      <StatementList statements={statements} />
    </>
  );
}

function DisputeReasonForm(props: { form: "dispute" | "explain"; posted: PostedForm | null }) {
  const t = useT();
  const [form, fields] = usePostedForm(props.form, disputeStatementSchema, props.posted);
  const opens = props.form === "dispute";
  const label = t(opens ? "trade.openDispute" : "trade.explain");
  return (
    <PersonForm id={`fold-${props.form}`} className="grid gap-3" noValidate>
      <input type="hidden" name="form" value={props.form} />
      <FormErrors id={form.errorId} errors={form.errors} />
      <TextField label={t(opens ? "trade.disputeReason" : "trade.explainLabel")} field={fields.reason} />
      <Button look={opens ? "danger" : "primary"}>{label}</Button>
    </PersonForm>
  );
}
