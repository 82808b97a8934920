import { formatMoney } from "#format";
import { refundDestinationSchema } from "#forms/escrow";
import { BankFields } from "../forms/bank-fields.tsx";
import { Button } from "../forms/button.tsx";
import { DetailsReview } from "../forms/details-review.tsx";
import { FormErrors } from "../forms/field.tsx";
import { PersonForm } from "../forms/person-form.tsx";
import { usePostedForm } from "../forms/posted-form.ts";
import { useT } from "../frame/i18n.tsx";
import { Card } from "../layout/card.tsx";
import { Disclosure } from "../layout/disclosure.tsx";
import type { TradePanelProps } from "./types.ts";

type RefundProps = Pick<TradePanelProps, "trade" | "role" | "prefill" | "posted">;

/**
 * The buyer's refund: how much, and to which account. A `row` has its title already; the next `step` of a room has the amount too, in the
 * step's head.
 */
export function RefundCard(props: RefundProps & { place?: "row" | "step" }) {
  const t = useT();
  const { trade, posted, place } = props;
  if (props.role !== "buyer" || trade.refund === null) return null;
  const { amount, sent, accountGiven } = trade.refund;
  const here = posted?.form === "refund-destination";
  const body = (
    <>
      {place !== "step" && <p className="text-2xl font-extrabold tabular-nums">{formatMoney(amount)}</p>}
      {sent ? <p>{t("trade.refund.sent")}</p> : accountGiven && <p>{t("trade.refund.underway")}</p>}
      {trade.can.refundDestination &&
        (accountGiven && !(here && posted.review) ? (
          <Disclosure id="refund" summary={t("trade.refund.correct")} open={here}>
            <RefundAccountForm {...props} />
          </Disclosure>
        ) : (
          <RefundAccountForm {...props} />
        ))}
    </>
  );
  if (place === "row") return body;
  const title = t("trade.refund.title");
  return <Card {...(place === "step" ? { label: title } : { title })}>{body}</Card>;
}

function RefundAccountForm({ trade, posted, prefill }: RefundProps) {
  const t = useT();
  const [form, fields] = usePostedForm("refund-destination", refundDestinationSchema, posted, {
    accountName: prefill.accountName,
    accountNumber: prefill.accountNumber,
  });
  if (posted?.form === "refund-destination" && posted.review) {
    const { accountName, bankName, accountNumber, ibanNumber } = fields;
    const shown = { accountName, bankName, accountNumber, ibanNumber };
    return <DetailsReview form="refund-destination" fields={shown} seller />;
  }
  return (
    <PersonForm className="grid gap-3" noValidate>
      {!trade.refund?.accountGiven && <h3 className="font-semibold">{t("info.refundTitle")}</h3>}
      <input type="hidden" name="form" value="refund-destination" />
      <FormErrors id={form.errorId} errors={form.errors} />
      <BankFields fields={fields as never} contact={false} />
      <Button>{t("info.review")}</Button>
    </PersonForm>
  );
}
