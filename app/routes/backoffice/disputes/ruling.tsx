import { formatMoney } from "#format";
import { rulingSchema } from "#forms/escrow";
import { Button, TextLink } from "../../../ui/forms/button.tsx";
import { CheckboxField, ChoiceField, Field, TextField } from "../../../ui/forms/field.tsx";
import { PersonForm } from "../../../ui/forms/person-form.tsx";
import { type PostedForm, usePostedForm } from "../../../ui/forms/posted-form.ts";
import { useT } from "../../../ui/frame/i18n.tsx";
import { Card } from "../../../ui/layout/card.tsx";
import { FactList } from "../../../ui/layout/fact-list.tsx";
import { Notice } from "../../../ui/layout/notice.tsx";
import { AdminErrors } from "../form-errors.tsx";
import type { RulingDraft } from "./types.ts";

const rulingChoices = ["release", "refund", "split"] as const;

interface Props {
  here: string;
  held: number;
  /** The vault's revision that the page shows. */
  vault: string;
  /** The chosen ruling with its amounts; null while nothing is chosen. */
  draft: RulingDraft | null;
  /** The requested ruling, and why it is not possible. */
  asked: { ruling: string; refundAmount: string; error: string | null };
  posted: PostedForm | null;
}

/** First shows what each party would get, then asks for the reason and the typed amount: two pages, so that it works without scripts. */
export function Ruling(props: Props) {
  const t = useT();
  return (
    <Card id="ruling" title={t("admin.rule")}>
      <p>{t("admin.ruleAsk", { sum: formatMoney(props.held) })}</p>
      {props.draft === null ? <Choose {...props} /> : <Confirm {...props} draft={props.draft} />}
    </Card>
  );
}

function Choose({ here, asked }: Props) {
  const t = useT();
  const field = (name: string, initialValue: string, errors: string[] = []) => {
    return { id: `choose-${name}`, name, initialValue, errors, errorId: `choose-${name}-error` };
  };
  return (
    <form method="get" action={`${here}#ruling`} className="grid gap-3" noValidate>
      <ChoiceField
        label={t("admin.ruling.label")}
        field={field("ruling", asked.ruling)}
        options={rulingChoices.map((value) => ({ value, label: t(`admin.ruling.${value}`) }))}
      />
      <Field
        label={t("admin.ruling.refundAmount")}
        field={field("refund", asked.refundAmount, asked.error === null ? [] : [asked.error])}
        hint={t("admin.ruling.refundHint")}
        unit="₮"
        inputMode="numeric"
        autoComplete="off"
      />
      <Button look="plain" className="justify-self-start">
        {t("admin.dispute.showSums")}
      </Button>
    </form>
  );
}

function Confirm({ here, draft, vault, posted }: Props & { draft: RulingDraft }) {
  const t = useT();
  const [form, fields] = usePostedForm("rule", rulingSchema, posted);
  return (
    <PersonForm className="grid gap-3" noValidate>
      <input type="hidden" name="form" value="rule" />
      <input type="hidden" name="ruling" value={draft.ruling} />
      <input type="hidden" name="vaultShown" value={vault} />
      {draft.refundAmount !== null && <input type="hidden" name="refundAmount" value={draft.refundAmount} />}
      <p className="font-semibold">{t(`admin.ruling.${draft.ruling}`)}</p>
      <FactList
        rows={[
          { label: t("admin.dispute.toBuyer"), value: formatMoney(draft.toBuyer), strong: true },
          { label: t("admin.dispute.toSeller"), value: formatMoney(draft.toSeller), strong: true },
          { label: t("admin.dispute.fee"), value: formatMoney(draft.fee) },
        ]}
      />
      {draft.secondNeeded && <p className="font-semibold">{t("admin.ruling.secondNeeded")}</p>}
      <AdminErrors id={form.errorId} errors={form.errors} />
      <TextField
        label={t("admin.ruling.reason")}
        hint={t("admin.dispute.reasonHint")}
        field={fields.reason}
      />
      <Field
        label={t(draft.ruling === "release" ? "admin.dispute.typeSeller" : "admin.dispute.typeBuyer", {
          sum: formatMoney(draft.sum),
        })}
        field={fields.sum}
        unit="₮"
        inputMode="numeric"
        autoComplete="off"
      />
      {draft.warnings.length > 0 && (
        <Notice tone="warn" title={t("admin.ruling.warned")}>
          {draft.warnings.map((warning) => (
            <p key={warning} data-ruling-warning={warning}>
              {t(`admin.ruling.warning.${warning}`)}
            </p>
          ))}
          <CheckboxField label={t("admin.ruling.warningsKnown")} field={fields.warningsConfirmed} />
        </Notice>
      )}
      <div className="flex flex-wrap items-center gap-3">
        <Button look="danger">
          {draft.secondNeeded ? t("admin.ruling.propose") : t("trade.yes", { what: t("admin.rule") })}
        </Button>
        <TextLink to={`${here}#ruling`}>{t("admin.dispute.chooseAgain")}</TextLink>
      </div>
    </PersonForm>
  );
}
