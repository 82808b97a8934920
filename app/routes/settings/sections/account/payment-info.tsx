import { accountFieldLimits } from "#forms/identity";
import { paths } from "../../../../paths.ts";
import { Button } from "../../../../ui/forms/button.tsx";
import { Field } from "../../../../ui/forms/field.tsx";
import { PostForm } from "../../../../ui/forms/post-form.tsx";
import { type PostedForm, usePostedForm } from "../../../../ui/forms/posted-form.ts";
import { useT } from "../../../../ui/frame/i18n.tsx";
import { DisclosureRow } from "../../../../ui/rows/disclosure-row.tsx";
import { RowGroup } from "../../../../ui/rows/row-group.tsx";
import { paymentForm } from "../settings-forms.ts";

/** Phone number and bank account, both optional: what they are for, and who sees them. */
export function PaymentInfo(props: {
  phoneNumber: string | null;
  bankAccount: string | null;
  posted: PostedForm | null;
}) {
  const t = useT();
  const { phoneNumber, bankAccount } = props;
  const [form, fields] = usePostedForm("profile", paymentForm, props.posted, { phoneNumber, bankAccount });
  return (
    <RowGroup>
      <DisclosureRow
        id="payment"
        label={t("profile.payment")}
        value={[phoneNumber, bankAccount].filter(Boolean).join(" · ") || t("info.notGiven")}
        open={props.posted?.form === "profile"}
      >
        <p className="text-quiet">{t("profile.paymentWhy")}</p>
        <PostForm name="profile" to={paths.profile} form={form}>
          <Field
            label={t("profile.phone")}
            field={fields.phoneNumber}
            hint={t("profile.phoneHint")}
            type="tel"
            inputMode="tel"
            autoComplete="tel"
            maxLength={accountFieldLimits.phoneNumber.max}
          />
          <Field
            label={t("profile.bank")}
            field={fields.bankAccount}
            hint={t("profile.bankHint")}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            maxLength={accountFieldLimits.bankAccount.max}
          />
          <p className="text-sm text-quiet">{t("profile.masked")}</p>
          <Button className="justify-self-start">{t("profile.save")}</Button>
        </PostForm>
      </DisclosureRow>
    </RowGroup>
  );
}
