import { useLanguage, useT } from "../frame/i18n.tsx";
import { Notice } from "../layout/notice.tsx";
import { SharedDetailsList } from "../trade/shared-details.tsx";
import { bankOfIban } from "./bank-of-iban.ts";
import { Button } from "./button.tsx";
import type { FieldState } from "./field.tsx";
import { ReviewForm } from "./review-form.tsx";

type DetailFields = Partial<
  Record<
    | "infoType"
    | "accountName"
    | "bankName"
    | "accountNumber"
    | "ibanNumber"
    | "phoneNumber"
    | "email"
    | "reason",
    FieldState
  >
>;

/** An account or contact details before they are saved: review, then edit, or confirm and submit. */
export function DetailsReview(props: { form: string; fields: DetailFields; seller: boolean; note?: string }) {
  const t = useT();
  const { fields, seller } = props;
  const iban = textValueOf(fields.ibanNumber);
  return (
    <ReviewForm
      form={props.form}
      title={t("info.reviewTitle")}
      fields={Object.values(fields)}
      edit={t("info.edit")}
      confirm={<Button>{t("info.confirmSubmit")}</Button>}
    >
      <SharedDetailsList
        given={{
          [seller ? "accountName" : "name"]: textValueOf(fields.accountName),
          bankName: textValueOf(fields.bankName),
          accountNumber: textValueOf(fields.accountNumber),
          iban,
          phoneNumber: textValueOf(fields.phoneNumber),
          email: textValueOf(fields.email),
        }}
        none=""
      />
      <IbanBank iban={iban} named={textValueOf(fields.bankName)} />
      {props.note && <p className="text-sm">{props.note}</p>}
    </ReviewForm>
  );
}

/** The bank that the IBAN identifies, and a warning if another one was chosen. */
function IbanBank({ iban, named }: { iban: string | null; named: string | null }) {
  const t = useT();
  const language = useLanguage();
  if (iban === null) return null;
  const [bank, other] = [bankOfIban(iban, language), bankOfIban(iban, language === "mn" ? "en" : "mn")];
  if (bank === null) return null;
  if (named === bank || named === other) return <p className="text-sm">{t("info.ibanBank", { bank })}</p>;
  return (
    <Notice tone="warn">
      <p>{t("info.ibanDiffers", { bank })}</p>
    </Notice>
  );
}

function textValueOf(field: FieldState | undefined): string | null {
  return typeof field?.initialValue === "string" && field.initialValue !== "" ? field.initialValue : null;
}
