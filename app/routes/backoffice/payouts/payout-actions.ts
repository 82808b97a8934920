import { nameRefundAccountSchema, settlePayoutSchema } from "#forms/escrow";
import { claimPayoutSchema, stepReasonSchema } from "#forms/payments";
import { hasText } from "#locales";
import * as escrow from "#modules/escrow";
import type { Member } from "#modules/identity";
import { paths } from "../../../paths.ts";
import { goTo, notFound, redirectToReauthentication } from "../../../server/pages/page-context.ts";
import { readForm, refusalToast, reviewOrConfirm } from "../../../server/pages/posted-forms.ts";
import type { VerbRefusal } from "../../../server/pages/refusal-responses.ts";

type PayoutActionOutcome =
  | { ok: true; changed: boolean; payout: { id: number; kind: "payout" | "refund" } }
  | VerbRefusal;

const retryableRefusals = new Set([
  "BANK_REFERENCE_USED",
  "MONEY_HALTED",
  "PAYOUT_UNKNOWN_OPEN",
  "REAUTH_REQUIRED",
  "APPROVAL_LAPSED",
]);

/**
 * True if the refusal is shown in the form, with the input kept, because the same form may succeed later. After any other refusal the page
 * shows the payout's current state. The reference of a transfer that another administrator has claimed is kept too: the reader needs it to
 * report that the transfer had been sent. So is the input of a claim, which may then be taken over.
 */
function keepsForm(form: string, { code }: VerbRefusal): boolean {
  return retryableRefusals.has(code) || (code === "PAYOUT_CLAIMED" && (form === "send" || form === "claim"));
}

const claimantIn = (body: FormData) => Number(body.get("from")) || null;

/** Steps without fields to fill in; their hidden fields say what the page showed. */
const payoutButtonActions: Record<
  string,
  (admin: Member, id: number, body: FormData) => Promise<PayoutActionOutcome>
> = {
  // A form that does not name the account it showed approves none.
  approve: (admin, id, body) =>
    escrow.approvePayoutAsAdmin(admin, id, {
      destinationDigest: String(body.get("destinationDigest") ?? ""),
    }),
  done: (admin, id) => escrow.markPayoutDoneAsAdmin(admin, id),
};

/** Steps that need a reason; `from` is the administrator whom the form named as claiming the transfer. */
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

/** Steps after which money has moved: they take the bank's reference and the typed amount. */
const payoutTransferActions: Record<
  string,
  (admin: Member, id: number, sent: TypedTransfer) => Promise<PayoutActionOutcome>
> = {
  send: escrow.markPayoutSentAsAdmin,
  "already-sent": (admin, id, { bankReference }) => escrow.reportTransfer(admin, id, { bankReference }),
  "found-sent": (admin, id, { bankReference }) =>
    escrow.resolvePayoutAsAdmin(admin, id, { outcome: "sent", bankReference }),
};

/** Handles every form of the page of a payout or refund; the field `form` names which one. */
export async function handlePayoutForm(admin: Member, id: number, body: FormData) {
  const form = String(body.get("form"));
  const of = <Step>(steps: Record<string, Step>) => (Object.hasOwn(steps, form) ? steps[form] : undefined);
  if (form === "destination") return handleRefundAccountForm(admin, id, body);
  if (form === "claim") return handleClaimForm(admin, id, body);
  const press = of(payoutButtonActions);
  if (press !== undefined) return redirectToPayout(id, await press(admin, id, body), form);
  const move = of(payoutTransferActions);
  if (move !== undefined) return handleTransferForm(admin, id, form, body, move);
  const step = of(payoutReasonActions);
  if (step === undefined) throw notFound("form");
  const read = readForm(form, body, stepReasonSchema);
  if (!read.ok) return read.answer;
  const done = await step(admin, id, { ...read.value, from: claimantIn(body) });
  return !done.ok && keepsForm(form, done) ? read.refuse(done) : redirectToPayout(id, done, form);
}

/** Claims the transfer. Input that was typed is kept if the claim is refused and the page still shows the form. */
async function handleClaimForm(admin: Member, id: number, body: FormData) {
  const read = readForm("claim", body, claimPayoutSchema);
  if (!read.ok) return read.answer;
  const { from: _, ...typed } = read.value;
  const done = await escrow.claimPayoutAsAdmin(admin, id, read.value);
  const holdsInput = Object.values(typed).some((value) => value !== undefined);
  return !done.ok && holdsInput && keepsForm("claim", done)
    ? read.refuse(done)
    : redirectToPayout(id, done, "claim");
}

/** Saves the account of a refund for its buyer. Shown for review first, while an administrator may still enter it. */
async function handleRefundAccountForm(admin: Member, id: number, body: FormData) {
  const read = readForm("destination", body, nameRefundAccountSchema);
  if (!read.ok) return read.answer;
  const found = await escrow.payoutPage(admin, id);
  if (!found.ok) throw notFound("record");
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
  if (!found.ok) throw notFound("record");
  // A payout's amount never changes, so it can be compared before the lock.
  if (read.value.sum !== found.payout.amount) {
    return read.refuse({ ok: false, code: "VALIDATION", fields: { sum: ["validation.sumTyped"] } });
  }
  const { bankReference } = read.value;
  const destinationDigest = String(body.get("destinationDigest") ?? "");
  const done = await move(admin, id, { bankReference, destinationDigest });
  return !done.ok && keepsForm(form, done) ? read.refuse(done) : redirectToPayout(id, done, form);
}

/** The toast of a step; a refund is not called a payout. */
function payoutToastKey(form: string, kind: "payout" | "refund"): string {
  const ofRefund = `toast.refund.${form}`;
  return kind === "refund" && hasText(ofRefund) ? ofRefund : `toast.payout.${form}`;
}

/**
 * Redirects to the payout with a toast. A transfer found not to be sent continues as a new payout, and the redirect leads there. If nothing
 * changed, because it was done already, the toast says so.
 */
function redirectToPayout(id: number, done: PayoutActionOutcome, form: string): Response {
  if (!done.ok && done.code === "REAUTH_REQUIRED") return redirectToReauthentication(paths.adminPayout(id));
  if (!done.ok) return goTo(paths.adminPayout(id), refusalToast(done));
  const toast = done.changed
    ? ({ kind: "success", key: payoutToastKey(form, done.payout.kind) } as const)
    : ({ kind: "info", key: "toast.payout.already" } as const);
  return goTo(paths.adminPayout(done.payout.id), toast);
}
