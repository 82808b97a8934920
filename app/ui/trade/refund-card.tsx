import { formatMoney, formatWhen } from "#format";
import { refundDestinationSchema } from "#forms/escrow";
import { BankFields } from "../forms/bank-fields.tsx";
import { Button } from "../forms/button.tsx";
import { DetailsReview } from "../forms/details-review.tsx";
import { FormErrors } from "../forms/field.tsx";
import { PersonForm } from "../forms/person-form.tsx";
import { usePostedForm } from "../forms/posted-form.ts";
import { useLanguage, useT } from "../frame/i18n.tsx";
import { Card } from "../layout/card.tsx";
import { Disclosure } from "../layout/disclosure.tsx";
import { SharedDetailsList } from "./shared-details.tsx";
import type { TradePanelProps } from "./types.ts";

type RefundProps = Pick<TradePanelProps, "trade" | "role" | "prefill" | "posted" | "serverNow">;

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
      {(sent || accountGiven) && <RefundAccount trade={trade} />}
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

/** Where the refund goes or went. */
export function RefundAccount({ trade }: Pick<RefundProps, "trade">) {
  const t = useT();
  const account = trade.refundAccount;
  return (
    <>
      <p>{t(`trade.refund.${destinationText(trade)}`)}</p>
      {account && <SharedDetailsList given={account} none="" />}
    </>
  );
}

/** The key of the sentence about the account. Without one, it was erased or the refund goes in parts to several. */
function destinationText({ refund, refundAccount, can }: TradePanelProps["trade"]) {
  if (refundAccount === null) return refund?.sent ? "sentWithoutAccount" : "several";
  if (!refundAccount.byAdministrator) return refund?.sent ? "sent" : "underway";
  if (refund?.sent) return "sentNamed";
  return can.refundDestination ? "named" : "namedFinal";
}

/** Until when the buyer should add the account, and what happens after that; nothing if no such deadline runs, and to the seller. */
export function RefundDeadline({
  trade,
  role,
  serverNow,
}: Pick<RefundProps, "trade" | "role" | "serverNow">) {
  const t = useT();
  const language = useLanguage();
  const clock = trade.clocks.find(({ kind }) => kind === "refund_account");
  if (role !== "buyer" || clock === undefined) return null;
  const at = formatWhen(clock.dueAt, serverNow, language);
  return (
    <p className="text-sm">{t(clock.overdue ? "trade.refund.late" : "trade.refund.deadline", { at })}</p>
  );
}

function RefundAccountForm(props: RefundProps) {
  const t = useT();
  const { trade, posted, prefill } = props;
  const own = trade.refundAccount?.byAdministrator ? null : trade.refundAccount;
  const [form, fields] = usePostedForm("refund-destination", refundDestinationSchema, posted, {
    accountName: own?.accountName ?? prefill.accountName,
    bankName: own?.bankName ?? "",
    accountNumber: own?.accountNumber ?? prefill.accountNumber,
    ibanNumber: own?.iban ?? "",
  });
  if (posted?.form === "refund-destination" && posted.review) {
    const { accountName, bankName, accountNumber, ibanNumber } = fields;
    const shown = { accountName, bankName, accountNumber, ibanNumber };
    return <DetailsReview form="refund-destination" fields={shown} seller />;
  }
  return (
    <PersonForm className="grid gap-3" noValidate>
      {!trade.refund?.accountGiven && <h3 className="font-semibold">{t("info.refundTitle")}</h3>}
      <RefundDeadline {...props} />
      <input type="hidden" name="form" value="refund-destination" />
      <FormErrors id={form.errorId} errors={form.errors} />
      <BankFields fields={fields as never} contact={false} />
      <Button>{t("info.review")}</Button>
    </PersonForm>
  );
}
