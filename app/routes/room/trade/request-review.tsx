import { formatMoney } from "#format";
import { goodsKinds } from "#forms/escrow";
import { Button } from "../../../ui/forms/button.tsx";
import type { FieldState } from "../../../ui/forms/field.tsx";
import type { FormReview } from "../../../ui/forms/posted-form.ts";
import { ReviewForm } from "../../../ui/forms/review-form.tsx";
import { useT, useText } from "../../../ui/frame/i18n.tsx";
import { FactList } from "../../../ui/layout/fact-list.tsx";
import { formatInlineMoney } from "../../../ui/trade/progress/trade-words.ts";

/** A payment request before it is made: what each party pays and gets. */
export function RequestReview(props: {
  form: "create-trade" | "amend";
  review: FormReview;
  fields: Record<"amount" | "feePayer" | "goods" | "description", FieldState>;
  /** How long the buyer may pay after the first QR, in words. */
  payWithin: string;
}) {
  const t = useT();
  const text = useText();
  const { figures } = props.review;
  const { description, goods } = props.fields;
  const kind = goodsKinds.find((one) => one === goods.initialValue) ?? "other";
  const typed = [props.fields.amount, props.fields.feePayer, goods, description];
  if (figures === undefined) return null;
  const { amount, fee, buyerPays, sellerGets, feePayer } = figures;
  return (
    <ReviewForm
      form={props.form}
      title={t("trade.reviewTitle")}
      fields={typed}
      edit={t("trade.reviewEdit")}
      confirm={<Button>{t(`trade.reviewYes.${props.form}`, { sum: formatInlineMoney(buyerPays) })}</Button>}
    >
      {typeof description.initialValue === "string" && (
        <p className="wrap-anywhere">{description.initialValue}</p>
      )}
      <FactList
        rows={[
          { label: t("trade.goodsInput"), value: t(`trade.goods.${kind}`) },
          { label: t("trade.amount"), value: formatMoney(amount) },
          { label: t("trade.fee", { payer: text(`trade.feePayer.${feePayer}`) }), value: formatMoney(fee) },
          { label: t("trade.gross"), value: formatMoney(buyerPays), strong: true },
          { label: t("trade.net"), value: formatMoney(sellerGets), strong: true },
        ]}
      />
      {props.form === "create-trade" && (
        <p className="text-sm">{t("trade.createStarts", { span: props.payWithin })}</p>
      )}
    </ReviewForm>
  );
}
