import { formatLongMoment } from "#format";
import { claimPayoutSchema } from "#forms/payments";
import type { PayoutView, Sender } from "#views/escrow";
import { Button } from "../../../ui/forms/button.tsx";
import { Field } from "../../../ui/forms/field.tsx";
import { PersonForm } from "../../../ui/forms/person-form.tsx";
import { type PostedForm, usePostedForm } from "../../../ui/forms/posted-form.ts";
import { useLanguage, useT } from "../../../ui/frame/i18n.tsx";
import { Disclosure } from "../../../ui/layout/disclosure.tsx";
import { AdminErrors } from "../form-errors.tsx";

interface ClaimProps {
  /** Who has claimed the transfer; null while nobody has. */
  sender: PayoutView["sender"];
  /** The reader may not claim it: they approved it, or count as the same reviewer as the administrator who did. */
  mayNotClaim: boolean;
  posted: PostedForm | null;
}

/** Who has claimed an approved payout, and the button by which the reader claims it or takes it over. */
export function PayoutClaim({ sender, mayNotClaim, posted }: ClaimProps) {
  const t = useT();
  const language = useLanguage();
  if (sender === null) {
    if (mayNotClaim) return null;
    return (
      <>
        <p>{t("admin.payout.claim.nobody")}</p>
        <ClaimForm from={null} label={t("admin.payout.claim.take")} posted={posted} />
      </>
    );
  }
  const { displayName: name, own, note } = sender;
  const at = formatLongMoment(sender.since, language);
  return (
    <>
      <p className={own ? "font-semibold" : "font-semibold text-warn"}>
        {t(own ? "admin.payout.claim.own" : "admin.payout.claim.other", { name, at })}
      </p>
      {note !== null && (
        <p className="border-l-4 border-line pl-3 wrap-anywhere">{t("admin.payout.claim.noted", { note })}</p>
      )}
      {!own && !mayNotClaim && (
        <Disclosure id="step-claim" summary={t("admin.payout.claim.over")} open={posted?.form === "claim"}>
          <div className="grid gap-3">
            <p>{t("admin.payout.claim.ask", { name })}</p>
            <ClaimForm from={sender.id} label={t("admin.payout.claim.over")} posted={posted} />
          </div>
        </Disclosure>
      )}
    </>
  );
}

/** Who has claimed a payout, in a list's row. */
export function PayoutSender({ sender }: { sender: Pick<Sender, "displayName" | "since"> }) {
  const t = useT();
  const language = useLanguage();
  const at = formatLongMoment(sender.since, language);
  return (
    <strong className="wrap-anywhere">{t("admin.payout.sender", { name: sender.displayName, at })}</strong>
  );
}

/** A payout is taken over only from the administrator whom the reader sees here. */
function ClaimForm(props: { from: number | null; label: string; posted: PostedForm | null }) {
  const t = useT();
  const { from, label } = props;
  const [form, fields] = usePostedForm("claim", claimPayoutSchema, props.posted);
  return (
    <PersonForm className="grid gap-3" noValidate>
      <input type="hidden" name="form" value="claim" />
      {from !== null && <input type="hidden" name="from" value={from} />}
      <AdminErrors id={form.errorId} errors={form.errors} />
      <Field
        label={t("admin.payout.claim.note")}
        hint={t("admin.payout.claim.noteHint")}
        field={fields.note}
        autoComplete="off"
      />
      <Button look={from === null ? "primary" : "plain"}>{label}</Button>
    </PersonForm>
  );
}
