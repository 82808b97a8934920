import { formatLongMoment, formatMoney } from "#format";
import { confirmRulingSchema } from "#forms/escrow";
import type { RulingProposalView } from "#views/escrow";
import { Button } from "../../../ui/forms/button.tsx";
import { Field } from "../../../ui/forms/field.tsx";
import { PersonForm } from "../../../ui/forms/person-form.tsx";
import { type PostedForm, usePostedForm } from "../../../ui/forms/posted-form.ts";
import { useLanguage, useT } from "../../../ui/frame/i18n.tsx";
import { Card } from "../../../ui/layout/card.tsx";
import { FactList } from "../../../ui/layout/fact-list.tsx";
import { AdminErrors } from "../form-errors.tsx";

/** A ruling that the mediator proposed, with its reason. Another administrator can confirm it; its proposer can withdraw it. */
export function ProposedRuling({
  proposal,
  posted,
}: {
  proposal: RulingProposalView;
  posted: PostedForm | null;
}) {
  const t = useT();
  const language = useLanguage();
  const { own, by, obstacle, ruling, sum, reason, warnings } = proposal;
  const at = formatLongMoment(proposal.at, language);
  const mayWithdraw = own || obstacle === "PROPOSER_NOT_ADMIN";
  return (
    <Card title={t("admin.ruling.proposal")}>
      <p className="font-semibold" data-proposed={proposal.id}>
        {own ? t("admin.ruling.proposedOwn", { at }) : t("admin.ruling.proposedBy", { name: by, at })}
      </p>
      <FactList
        rows={[
          { label: t("admin.ruling.label"), value: t(`admin.ruling.${ruling}`) },
          {
            label: t(ruling === "release" ? "admin.dispute.toSeller" : "admin.dispute.toBuyer"),
            value: formatMoney(sum),
            strong: true,
          },
        ]}
      />
      <p className="border-l-4 border-line pl-3 whitespace-pre-wrap wrap-anywhere">{reason}</p>
      {warnings.length > 0 && (
        <div className="text-warn">
          <p className="font-semibold">{t("admin.ruling.givenWarnings")}</p>
          {warnings.map((warning) => (
            <p key={warning}>{t(`admin.ruling.warning.${warning}`)}</p>
          ))}
        </div>
      )}
      {obstacle !== null && <p className="font-semibold text-warn">{t(`errors.${obstacle}`)}</p>}
      {!own && obstacle === null && <Confirm proposal={proposal} posted={posted} />}
      {mayWithdraw && (
        <PersonForm>
          <input type="hidden" name="form" value="withdraw-ruling" />
          <input type="hidden" name="proposal" value={proposal.id} />
          <Button look="plain">{t("admin.ruling.withdraw")}</Button>
        </PersonForm>
      )}
    </Card>
  );
}

function Confirm({ proposal, posted }: { proposal: RulingProposalView; posted: PostedForm | null }) {
  const t = useT();
  const [form, fields] = usePostedForm("confirm-ruling", confirmRulingSchema, posted);
  const key = proposal.ruling === "release" ? "admin.dispute.typeSeller" : "admin.dispute.typeBuyer";
  return (
    <PersonForm className="grid gap-3" noValidate>
      <input type="hidden" name="form" value="confirm-ruling" />
      <input type="hidden" name="proposal" value={proposal.id} />
      <AdminErrors id={form.errorId} errors={form.errors} />
      <Field
        label={t(key, { sum: formatMoney(proposal.sum) })}
        field={fields.sum}
        unit="₮"
        inputMode="numeric"
        autoComplete="off"
      />
      <Button look="danger">{t("admin.ruling.confirm")}</Button>
    </PersonForm>
  );
}
