import { amendTradeSchema, createTradeFormSchema, type Goods, goodsKinds } from "#forms/escrow";
import { Button } from "../../../ui/forms/button.tsx";
import { ChoiceField, Field, FormErrors, Select, TextField } from "../../../ui/forms/field.tsx";
import { PersonForm } from "../../../ui/forms/person-form.tsx";
import { type PostedForm, usePostedForm } from "../../../ui/forms/posted-form.ts";
import { useT } from "../../../ui/frame/i18n.tsx";
import type { PanelProps, TradeFigures } from "../../../ui/trade/types.ts";
import { FeeFigure, PayerFigures } from "./payer-figures.tsx";
import { RequestReview } from "./request-review.tsx";

const paymentRequestPayers = ["buyer", "seller", "split"] as const;

type Props = Pick<PanelProps, "quotes" | "payWithin"> & {
  posted: PostedForm | null;
  form: "create-trade" | "amend";
  defaults?: TradeFigures & { goods: Goods; description: string | null; can: { amendGoods: boolean } };
};

/**
 * The payment request: the price and who pays the fee; the same form corrects an amount. The input is shown for review with each party's
 * figure before it is saved.
 */
export function CreateTrade(props: Props) {
  const t = useT();
  const { defaults, posted } = props;
  const schema = props.form === "amend" ? amendTradeSchema : createTradeFormSchema;
  const [form, fields] = usePostedForm(props.form, schema as typeof createTradeFormSchema, posted, {
    amount: defaults?.amount,
    feePayer: defaults?.feePayer ?? "buyer",
    goods: defaults?.goods,
    description: defaults?.description,
  });
  if (posted?.form === props.form && posted.review) {
    const { form: which, payWithin } = props;
    return <RequestReview form={which} review={posted.review} fields={fields} payWithin={payWithin} />;
  }
  return (
    <PersonForm className="grid gap-4" noValidate data-calculator="/quote" data-asks="amount">
      <input type="hidden" name="form" value={props.form} />
      <FormErrors id={form.errorId} errors={form.errors} />
      <Field
        label={t("trade.amountInput")}
        field={fields.amount}
        unit="₮"
        pattern=".*\d.*"
        inputMode="numeric"
        autoComplete="off"
      />
      <FeeFigure quotes={props.quotes} />
      <ChoiceField
        label={t("trade.whoPays")}
        field={fields.feePayer}
        options={paymentRequestPayers.map((value) => ({
          value,
          label: t(`trade.feePayer.${value}`),
          hint: <PayerFigures payer={value} quotes={props.quotes} />,
        }))}
      />
      {defaults === undefined || defaults.can.amendGoods ? (
        <>
          <Select
            label={t("trade.goodsInput")}
            field={fields.goods}
            hint={t("trade.goodsHint")}
            options={[
              ...(defaults === undefined ? [{ value: "", label: t("trade.goodsChoose") }] : []),
              ...goodsKinds.map((value) => ({ value, label: t(`trade.goods.${value}`) })),
            ]}
          />
          <TextField label={t("trade.descriptionInput")} field={fields.description} rows={2} />
        </>
      ) : (
        <>
          <input type="hidden" name="goods" value={defaults.goods} />
          <input type="hidden" name="description" value={defaults.description ?? ""} />
          <p className="text-sm text-quiet">{t("errors.GOODS_FIXED")}</p>
        </>
      )}
      <Button>{t("trade.review")}</Button>
    </PersonForm>
  );
}
