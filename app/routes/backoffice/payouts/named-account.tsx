import { nameRefundAccountSchema } from "#forms/escrow";
import type { PayoutView } from "#views/escrow";
import { BankFields } from "../../../ui/forms/bank-fields.tsx";
import { Button } from "../../../ui/forms/button.tsx";
import { DetailsReview } from "../../../ui/forms/details-review.tsx";
import { TextField } from "../../../ui/forms/field.tsx";
import { PersonForm } from "../../../ui/forms/person-form.tsx";
import { type PostedForm, usePostedForm } from "../../../ui/forms/posted-form.ts";
import { useT } from "../../../ui/frame/i18n.tsx";
import { Disclosure } from "../../../ui/layout/disclosure.tsx";
import { AdminErrors } from "../form-errors.tsx";

interface NamedProps {
  named: NonNullable<PayoutView["named"]>;
}

/**
 * Who entered a refund's account for the buyer, and why. Another administrator checks it; the one who entered it, or who counts as the same
 * reviewer, may not.
 */
export function NamedAccount({ named: { by, reason, own, related } }: NamedProps) {
  const t = useT();
  const next = own ? "admin.payout.name.another" : related ? "errors.FOUR_EYES_RELATED" : null;
  return (
    <>
      <p className="font-semibold">{t("admin.payout.name.by", { name: by })}</p>
      <p className="border-l-4 border-line pl-3 whitespace-pre-wrap wrap-anywhere">{reason}</p>
      <p className="font-semibold text-warn">{t(next ?? "admin.payout.name.check")}</p>
    </>
  );
}

/** Form for the account of a refund whose buyer cannot enter it; shown for review before it is saved. */
export function NameAccount({ posted }: { posted: PostedForm | null }) {
  const t = useT();
  const [form, fields] = usePostedForm("destination", nameRefundAccountSchema, posted);
  const { accountName, bankName, accountNumber, ibanNumber, reason } = fields;
  if (posted?.form === "destination" && posted.review) {
    const shown = { accountName, bankName, accountNumber, ibanNumber, reason };
    return <DetailsReview form="destination" fields={shown} seller note={reason.initialValue ?? ""} />;
  }
  const label = t("admin.payout.name.press");
  return (
    <Disclosure id="step-destination" summary={label} open={posted?.form === "destination"}>
      <PersonForm className="grid gap-3" noValidate>
        <input type="hidden" name="form" value="destination" />
        <p>{t("admin.payout.name.ask")}</p>
        <AdminErrors id={form.errorId} errors={form.errors} />
        <BankFields fields={fields as never} contact={false} />
        <TextField label={t("admin.payout.name.reason")} field={reason} />
        <Button>{t("info.review")}</Button>
      </PersonForm>
    </Disclosure>
  );
}
