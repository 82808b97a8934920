import { nameRefundAccountSchema, settlePayoutSchema } from "#forms/escrow";
import { stepReasonSchema } from "#forms/payments";
import * as escrow from "#modules/escrow";
import type { Member } from "#modules/identity";
import { paths } from "../../../paths.ts";
import { goTo, notFound, redirectToReauthentication } from "../../../server/pages/page-context.ts";
import { readForm, refusalToast, reviewOrConfirm } from "../../../server/pages/posted-forms.ts";
import type { VerbRefusal } from "../../../server/pages/refusal-responses.ts";

type PayoutActionOutcome = { ok: true; changed: boolean; payout: { id: number } } | VerbRefusal;

const retryableRefusals = new Set([
  "BANK_REFERENCE_USED",
  "MONEY_HALTED",
  "PAYOUT_UNKNOWN_OPEN",
  "REAUTH_REQUIRED",
  "APPROVAL_LAPSED",
]);

/**
 * Refusals that the same form may overcome stand in it, and keep what was typed; after any other the page shows how the record stands
 * now. A number typed for a transfer that another took over is wanted for saying that it had been sent.
 */
function keepsForm(form: string, { code }: VerbRefusal): boolean {
  return retryableRefusals.has(code) || (code === "PAYOUT_CLAIMED" && form === "send");
}

const claimantIn = (body: FormData) => Number(body.get("from")) || null;

/** Steps with nothing to fill in; their forms say what they showed. */
const payoutButtonActions: Record<
  string,
  (admin: Member, id: number, body: FormData) => Promise<PayoutActionOutcome>
> = {
  // A form that does not say which account it showed approves none.
  approve: (admin, id, body) =>
    escrow.approvePayoutAsAdmin(admin, id, {
      destinationDigest: String(body.get("destinationDigest") ?? ""),
    }),
  claim: (admin, id, body) => escrow.claimPayoutAsAdmin(admin, id, { from: claimantIn(body) }),
  done: (admin, id) => escrow.markPayoutDoneAsAdmin(admin, id),
};

/** Steps that want a reason; `from` is whom the form named as making the transfer. */
type StepReason = { reason: string; from: number | null };
const payoutReasonActions: Record<
  string,
  (admin: Member, id: number, why: StepReason) => Promise<PayoutActionOutcome>
> = {
  withdraw: escrow.withdrawApprovalAsAdmin,
  unknown: escrow.markPayoutUnknownAsAdmin,
  "found-unsent": (admin, id, { reason }) =>
    escrow.resolvePayoutAsAdmin(admin, id, { outcome: "not_sent", reason }),
};

type TypedTransfer = { bankReference: string; destinationDigest: string };

/** Steps by which money has moved: the bank's number, and the sum typed out. */
const payoutTransferActions: Record<
  string,
  (admin: Member, id: number, sent: TypedTransfer) => Promise<PayoutActionOutcome>
> = {
  send: escrow.markPayoutSentAsAdmin,
  "already-sent": (admin, id, { bankReference }) => escrow.reportTransfer(admin, id, { bankReference }),
  "found-sent": (admin, id, { bankReference }) =>
    escrow.resolvePayoutAsAdmin(admin, id, { outcome: "sent", bankReference }),
};

/** Every form of the page of a payout or refund, told apart by its field `form`. */
export async function handlePayoutForm(admin: Member, id: number, body: FormData) {
  const form = String(body.get("form"));
  const of = <Step>(steps: Record<string, Step>) => (Object.hasOwn(steps, form) ? steps[form] : undefined);
  if (form === "destination") return handleRefundAccountForm(admin, id, body);
  const press = of(payoutButtonActions);
  if (press !== undefined) return redirectToPayout(id, await press(admin, id, body), form);
  const move = of(payoutTransferActions);
  if (move !== undefined) return handleTransferForm(admin, id, form, body, move);
  const step = of(payoutReasonActions);
  if (step === undefined) throw notFound();
  const read = readForm(form, body, stepReasonSchema);
  if (!read.ok) return read.answer;
  const done = await step(admin, id, { ...read.value, from: claimantIn(body) });
  return !done.ok && keepsForm(form, done) ? read.refuse(done) : redirectToPayout(id, done, form);
}

/** The account of a refund in its buyer's place, shown once more before it counts while it may be named. */
async function handleRefundAccountForm(admin: Member, id: number, body: FormData) {
  const read = readForm("destination", body, nameRefundAccountSchema);
  if (!read.ok) return read.answer;
  const found = await escrow.payoutPage(admin, id);
  if (!found.ok) throw notFound();
  const look = found.payout.mayName ? reviewOrConfirm(read, body) : null;
  if (look !== null) return look;
  const done = await escrow.nameRefundAccount(admin, id, read.value);
  return !done.ok && keepsForm("destination", done)
    ? read.refuse(done)
    : redirectToPayout(id, done, "destination");
}

async function handleTransferForm(
  admin: Member,
  id: number,
  form: string,
  body: FormData,
  move: (admin: Member, id: number, sent: TypedTransfer) => Promise<PayoutActionOutcome>,
) {
  const read = readForm(form, body, settlePayoutSchema);
  if (!read.ok) return read.answer;
  const found = await escrow.payoutPage(admin, id);
  if (!found.ok) throw notFound();
  // The sum of a record never changes, so it may be compared before the lock.
  if (read.value.sum !== found.payout.amount) {
    return read.refuse({ ok: false, code: "VALIDATION", fields: { sum: ["validation.sumTyped"] } });
  }
  const { bankReference } = read.value;
  const destinationDigest = String(body.get("destinationDigest") ?? "");
  const done = await move(admin, id, { bankReference, destinationDigest });
  return !done.ok && keepsForm(form, done) ? read.refuse(done) : redirectToPayout(id, done, form);
}

/** Money found not to be sent goes on as a fresh record, and so does the page. Who came second is told so. */
function redirectToPayout(id: number, done: PayoutActionOutcome, form: string): Response {
  if (!done.ok && done.code === "REAUTH_REQUIRED") return redirectToReauthentication(paths.adminPayout(id));
  if (!done.ok) return goTo(paths.adminPayout(id), refusalToast(done));
  const toast = done.changed
    ? ({ kind: "success", key: `toast.payout.${form}` } as const)
    : ({ kind: "info", key: "toast.payout.already" } as const);
  return goTo(paths.adminPayout(done.payout.id), toast);
}
