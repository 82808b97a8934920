import { formatLongMoment, formatMoney } from "#format";
import { settlePayoutSchema } from "#forms/escrow";
import { stepReasonSchema } from "#forms/payments";
import type { PayoutView } from "#views/escrow";
import { Button } from "../../../ui/forms/button.tsx";
import { Field, TextField } from "../../../ui/forms/field.tsx";
import { PersonForm } from "../../../ui/forms/person-form.tsx";
import { type PostedForm, usePostedForm } from "../../../ui/forms/posted-form.ts";
import { useLanguage, useT } from "../../../ui/frame/i18n.tsx";
import { Card } from "../../../ui/layout/card.tsx";
import { Disclosure } from "../../../ui/layout/disclosure.tsx";
import { AdminErrors } from "../form-errors.tsx";
import { NameAccount, NamedAccount } from "./named-account.tsx";
import { PayoutClaim } from "./payout-claim.tsx";

/** The steps that are possible in a payout's state, the next step first. */
export function PayoutSteps({ payout, posted }: { payout: PayoutView; posted: PostedForm | null }) {
  const t = useT();
  const { state, amount, referenceMissing, sender, named } = payout;
  if (state === "done" || state === "void") return null;
  const said =
    payout.ownTrade || (state === "due" && payout.destination === null)
      ? t(payout.ownTrade ? "errors.OWN_TRADE" : "admin.payout.noDestination")
      : null;
  const first = payout.correction?.firstApproval ?? null;
  const approvedFirst = first?.own === true || first?.related === true;
  const renews = state === "approved" && payout.approvalLapsed;
  // On hold every outgoing step is refused, so none is offered; input that was refused stays.
  const onHold = payout.holds.length > 0;
  const mayApprove =
    (state === "due" || renews) && !onHold && !named?.own && !named?.related && !approvedFirst;
  const related = payout.fourEyes?.related === true;
  const mustDiffer = state === "approved" && (related || payout.fourEyes?.approvedByReader === true);
  // Input typed before the approval lapsed stays until the payout is approved again.
  const waits = (renews || onHold) && posted?.form !== "send";
  const sending = state === "approved" && !mustDiffer && !waits && sender?.own === true;
  const others = sender !== null && !sender.own ? sender : null;
  const found = state === "unknown" && others === null;
  const other = otherSenderOf(payout, posted);
  const asOf = referenceMissing && state === "sent" ? "reference" : state;
  return (
    <Card title={t("admin.payout.next")}>
      {said !== null && <p className="font-semibold text-warn">{said}</p>}
      {said === null && (
        <>
          {payout.reported !== null && state === "unknown" && <ReportedTransfer {...payout.reported} />}
          {renews && <p className="font-semibold text-warn">{t("admin.payout.lapsed")}</p>}
          <StopNotice {...payout} />
          {(state === "approved" || others !== null) && (
            <PayoutClaim
              sender={sender}
              mayNotClaim={mustDiffer || (onHold && state === "approved")}
              posted={posted}
            />
          )}
          {(state !== "approved" || sending) && !(onHold && state === "due") && (
            <p>{t(`admin.payout.hint.${asOf}`)}</p>
          )}
          {state === "due" && named !== null && <NamedAccount named={named} />}
          {mayApprove && <Press form="approve" renews={renews} shown={payout.destinationDigest} />}
          {(sending || asOf === "reference") && (
            <TransferForm form="send" amount={amount} shown={payout.destinationDigest} posted={posted} />
          )}
          {other !== null && <AlreadySent name={other} amount={amount} posted={posted} />}
          {mustDiffer && (
            <p className="font-semibold text-warn">
              {t(related ? "errors.FOUR_EYES_RELATED" : "admin.payout.another")}
            </p>
          )}
          {state === "sent" && !referenceMissing && <ConfirmStatement barred={payout.barred} />}
          {found && <TransferForm form="found-sent" amount={amount} posted={posted} />}
          {found && payout.barred === null && <ReasonForm form="found-unsent" posted={posted} />}
          {found && payout.barred !== null && <p>{t("admin.payout.unsentByAnother")}</p>}
          {state === "approved" && <ReasonForm form="withdraw" from={others} posted={posted} />}
          {(state === "approved" || state === "sent") && <ReasonForm form="unknown" posted={posted} />}
        </>
      )}
      {payout.mayName && !payout.ownTrade && <NameAccount posted={posted} />}
    </Card>
  );
}

/** What stops every outgoing step: the trade's hold, or the halt. */
function StopNotice({ state, sender, holds, halted, leftBeforeHalt }: PayoutView) {
  const t = useT();
  if (state !== "due" && state !== "approved") return null;
  const mayHaveLeft = state === "approved" && sender?.own === true;
  return (
    <>
      {holds.length > 0 && (
        <p className="font-semibold text-warn">
          {t(mayHaveLeft ? "admin.payout.onHoldLeft" : "admin.payout.onHold")}
        </p>
      )}
      {halted && (
        <p className="font-semibold text-warn">
          {t(leftBeforeHalt ? "admin.payout.haltedLeft" : "admin.payout.haltedNothing")}
        </p>
      )}
    </>
  );
}

/** Four-eyes rule: another administrator than the sender confirms that the transfer is on the statement. */
function ConfirmStatement({ barred }: Pick<PayoutView, "barred">) {
  const t = useT();
  if (barred === null) return <Press form="done" />;
  return (
    <p className="font-semibold text-warn">
      {t(barred === "own" ? "admin.payout.notBySender" : "errors.FOUR_EYES_RELATED")}
    </p>
  );
}

/** The name of the other administrator who has claimed the transfer, or who recorded it before the reader's reference was refused. */
function otherSenderOf(
  { state, sender, moments, barred }: PayoutView,
  posted: PostedForm | null,
): string | null {
  if (state === "approved") return sender === null || sender.own ? null : sender.displayName;
  const pressed = posted?.form === "send" || posted?.form === "already-sent";
  if (state !== "sent" || !pressed || barred === "own") return null;
  return moments.find(({ what }) => what === "sent")?.by ?? null;
}

/** An administrator reports that they had already sent a transfer that another took over: two transfers may be on the statement. */
function ReportedTransfer({ by, at, reference }: { by: string; at: string; reference: string }) {
  const t = useT();
  const language = useLanguage();
  return (
    <p className="font-semibold text-warn">
      {t("admin.payout.reported", { name: by, reference, at: formatLongMoment(at, language) })}
    </p>
  );
}

/** For an administrator who had made the transfer that another took over; a reference that was just refused is filled in. */
function AlreadySent(props: { name: string; amount: number; posted: PostedForm | null }) {
  const t = useT();
  const { posted } = props;
  const refused = posted?.form === "send" || posted?.form === "already-sent";
  const kept = posted?.form === "send" ? { ...posted, form: "already-sent" } : posted;
  const label = t("admin.payout.press.already-sent", { sum: formatMoney(props.amount) });
  return (
    <Disclosure id="step-already-sent" summary={label} open={refused}>
      <div className="grid gap-3">
        <p>{t("admin.payout.ask.already-sent", { name: props.name })}</p>
        <TransferForm form="already-sent" amount={props.amount} posted={kept} />
      </div>
    </Disclosure>
  );
}

function Press({
  form,
  shown,
  renews = false,
}: {
  form: "approve" | "done";
  shown?: string;
  renews?: boolean;
}) {
  const t = useT();
  return (
    <PersonForm className="grid justify-items-start">
      <input type="hidden" name="form" value={form} />
      {shown !== undefined && <input type="hidden" name="destinationDigest" value={shown} />}
      <Button>{t(`admin.payout.press.${renews ? "renew" : form}`)}</Button>
    </PersonForm>
  );
}

/** Records that money has moved: the bank's reference of the transfer, and the typed amount. */
function TransferForm(props: {
  form: "send" | "found-sent" | "already-sent";
  amount: number;
  /** Digest that identifies the account the form shows. */
  shown?: string;
  posted: PostedForm | null;
}) {
  const t = useT();
  const [form, fields] = usePostedForm(props.form, settlePayoutSchema, props.posted);
  return (
    <PersonForm className="grid gap-3" noValidate>
      <input type="hidden" name="form" value={props.form} />
      {props.shown !== undefined && <input type="hidden" name="destinationDigest" value={props.shown} />}
      <AdminErrors id={form.errorId} errors={form.errors} />
      <Field
        label={t("admin.bankReference")}
        field={fields.bankReference}
        autoComplete="off"
        spellCheck={false}
      />
      <Field
        label={t("admin.payout.sum")}
        hint={t("admin.payout.sumHint")}
        field={fields.sum}
        unit="₮"
        inputMode="numeric"
        autoComplete="off"
      />
      <Button>{t(`admin.payout.press.${props.form}`, { sum: formatMoney(props.amount) })}</Button>
    </PersonForm>
  );
}

interface ReasonFormProps {
  form: "withdraw" | "unknown" | "found-unsent";
  /** The other administrator who has claimed the transfer; the form names them. */
  from?: PayoutView["sender"];
  posted: PostedForm | null;
}

function ReasonForm({ from = null, ...props }: ReasonFormProps) {
  const t = useT();
  const [form, fields] = usePostedForm(props.form, stepReasonSchema, props.posted);
  const label = t(`admin.payout.press.${props.form}`);
  return (
    <Disclosure id={`step-${props.form}`} summary={label} open={props.posted?.form === props.form}>
      <PersonForm className="grid gap-3" noValidate>
        <input type="hidden" name="form" value={props.form} />
        {from !== null && <input type="hidden" name="from" value={from.id} />}
        {from !== null && (
          <p className="font-semibold text-warn">{t("admin.payout.claim.ask", { name: from.displayName })}</p>
        )}
        <p>{t(`admin.payout.ask.${props.form}`)}</p>
        <AdminErrors id={form.errorId} errors={form.errors} />
        <TextField label={t("admin.payout.reason")} field={fields.reason} />
        <Button look="plain">{label}</Button>
      </PersonForm>
    </Disclosure>
  );
}
