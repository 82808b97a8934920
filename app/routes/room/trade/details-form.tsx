import { saveBankInfoSchema } from "#forms/escrow";
import { BankFields, BuyerFields } from "../../../ui/forms/bank-fields.tsx";
import { Button } from "../../../ui/forms/button.tsx";
import { DetailsReview } from "../../../ui/forms/details-review.tsx";
import { FormErrors } from "../../../ui/forms/field.tsx";
import { PersonForm } from "../../../ui/forms/person-form.tsx";
import { usePostedForm } from "../../../ui/forms/posted-form.ts";
import { useT } from "../../../ui/frame/i18n.tsx";
import type { TradePanelProps } from "../../../ui/trade/types.ts";

/** The seller's account or the buyer's contact details: entered, reviewed, and corrected at most once. */
export function DetailsForm({ role, trade, posted, prefill }: TradePanelProps) {
  const t = useT();
  const { mine } = trade;
  const [form, fields] = usePostedForm("bank-info", saveBankInfoSchema, posted, {
    accountName: mine.accountName ?? prefill.accountName,
    phoneNumber: mine.phoneNumber ?? prefill.phoneNumber,
    email: mine.email ?? prefill.email,
    ...(role === "seller" && {
      accountNumber: mine.accountNumber ?? prefill.accountNumber,
      bankName: mine.bankName,
      ibanNumber: mine.iban,
    }),
  } as never);
  const given = mine.accountName !== null;
  const here = posted?.form === "bank-info";
  const last = given ? t("info.lastCorrection") : undefined;
  const { infoType, accountName, bankName, accountNumber, ibanNumber, phoneNumber, email } =
    fields as never as Parameters<typeof DetailsReview>[0]["fields"];
  if (here && posted.review) {
    const shown =
      role === "seller"
        ? { infoType, accountName, bankName, accountNumber, ibanNumber, phoneNumber, email }
        : { infoType, accountName, phoneNumber, email };
    return <DetailsReview form="bank-info" fields={shown} seller={role === "seller"} note={last} />;
  }
  return (
    <PersonForm id="bank" className="grid gap-3" noValidate>
      <input type="hidden" name="form" value="bank-info" />
      <input type="hidden" name="infoType" value={role} />
      <FormErrors id={form.errorId} errors={form.errors} />
      <p className="text-sm text-quiet">{t(`info.seenBy.${role}`)}</p>
      {last && <p className="text-sm">{last}</p>}
      {role === "seller" ? (
        <BankFields fields={fields as never} contact />
      ) : (
        <BuyerFields fields={fields as never} />
      )}
      <Button>{t("info.review")}</Button>
    </PersonForm>
  );
}
