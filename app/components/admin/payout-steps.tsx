import { money } from "#format";
import { settleTyped } from "#forms/escrow";
import { because } from "#forms/payments";
import { Button } from "../button.tsx";
import { Card } from "../card.tsx";
import { Errors, Field, TextField } from "../field.tsx";
import { Fold } from "../fold.tsx";
import { useT } from "../i18n.tsx";
import { type Posted, usePostedForm } from "../posted-form.ts";
import { NameAccount, Named } from "./named-account.tsx";
import { PayoutClaim } from "./payout-claim.tsx";

interface Stands {
  amount: number;
  state: "due" | "approved" | "sent" | "done" | "unknown" | "void";
  destination: object | null;
  destinationDigest: string;
  named: { by: string; reason: string; own: boolean; related: boolean } | null;
  mayName: boolean;
  referenceMissing: boolean;
  fourEyes: { approvedByReader: boolean; related: boolean } | null;
  sender: { id: number; displayName: string; since: string; own: boolean } | null;
  ownTrade: boolean;
}

/** What may be done with a payout or refund as it stands, the next step first. */
export function PayoutSteps({ payout, posted }: { payout: Stands; posted: Posted | null }) {
  const t = useT();
  const { state, amount, referenceMissing, sender, named } = payout;
  if (state === "done" || state === "void") return null;
  const said =
    payout.ownTrade || (state === "due" && payout.destination === null)
      ? t(payout.ownTrade ? "errors.OWN_TRADE" : "admin.payout.noDestination")
      : null;
  const mayApprove = state === "due" && named?.own !== true && named?.related !== true;
  const related = payout.fourEyes?.related === true;
  const blind = state === "approved" && (related || payout.fourEyes?.approvedByReader === true);
  const sending = state === "approved" && !blind && sender?.own === true;
  const others = sender !== null && !sender.own ? sender : null;
  const found = state === "unknown" && others === null;
  const asOf = referenceMissing && state === "sent" ? "reference" : state;
  return (
    <Card title={t("admin.payout.next")}>
      {said !== null && <p className="font-semibold text-warn">{said}</p>}
      {said === null && (
        <>
          {(state === "approved" || others !== null) && <PayoutClaim sender={sender} blind={blind} />}
          {(state !== "approved" || sending) && <p>{t(`admin.payout.hint.${asOf}`)}</p>}
          {state === "due" && named !== null && <Named named={named} />}
          {mayApprove && <Press form="approve" shown={payout.destinationDigest} />}
          {(sending || asOf === "reference") && <Moved form="send" amount={amount} posted={posted} />}
          {blind && (
            <p className="font-semibold text-warn">
              {t(related ? "errors.FOUR_EYES_RELATED" : "admin.payout.another")}
            </p>
          )}
          {state === "sent" && !referenceMissing && <Press form="done" />}
          {found && <Moved form="found-sent" amount={amount} posted={posted} />}
          {found && <Why form="found-unsent" posted={posted} />}
          {state === "approved" && <Why form="withdraw" from={others} posted={posted} />}
          {(state === "approved" || state === "sent") && <Why form="unknown" posted={posted} />}
        </>
      )}
      {payout.mayName && !payout.ownTrade && <NameAccount posted={posted} />}
    </Card>
  );
}

function Press({ form, shown }: { form: "approve" | "done"; shown?: string }) {
  const t = useT();
  return (
    <form method="post" className="grid justify-items-start">
      <input type="hidden" name="form" value={form} />
      {shown !== undefined && <input type="hidden" name="destinationDigest" value={shown} />}
      <Button>{t(`admin.payout.press.${form}`)}</Button>
    </form>
  );
}

/** Money has moved: the bank's number of the transfer, and the sum typed out. */
function Moved(props: { form: "send" | "found-sent"; amount: number; posted: Posted | null }) {
  const t = useT();
  const [form, fields] = usePostedForm(props.form, settleTyped, props.posted);
  return (
    <form method="post" className="grid gap-3" noValidate>
      <input type="hidden" name="form" value={props.form} />
      <Errors id={form.errorId} errors={form.errors} />
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
      <Button>{t(`admin.payout.press.${props.form}`, { sum: money(props.amount) })}</Button>
    </form>
  );
}

interface WhyProps {
  form: "withdraw" | "unknown" | "found-unsent";
  /** Another makes the transfer, and is named. */
  from?: Stands["sender"];
  posted: Posted | null;
}

function Why({ from = null, ...props }: WhyProps) {
  const t = useT();
  const [form, fields] = usePostedForm(props.form, because, props.posted);
  const label = t(`admin.payout.press.${props.form}`);
  return (
    <Fold id={`step-${props.form}`} summary={label} open={props.posted?.form === props.form}>
      <form method="post" className="grid gap-3" noValidate>
        <input type="hidden" name="form" value={props.form} />
        {from !== null && <input type="hidden" name="from" value={from.id} />}
        {from !== null && (
          <p className="font-semibold text-warn">{t("admin.payout.claim.ask", { name: from.displayName })}</p>
        )}
        <p>{t(`admin.payout.ask.${props.form}`)}</p>
        <Errors id={form.errorId} errors={form.errors} />
        <TextField label={t("admin.payout.reason")} field={fields.reason} />
        <Button look="plain">{label}</Button>
      </form>
    </Fold>
  );
}
