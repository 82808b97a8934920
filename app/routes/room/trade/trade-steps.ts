import type { CancelInput, ConfirmInput, DeclineCancellationInput } from "#forms/escrow";
import { hasText } from "#locales";
import * as escrow from "#modules/escrow";
import type { Member } from "#modules/identity";
import type { VerbRefusal } from "../../../server/pages/refusal-responses.ts";
import type { Toast } from "../../../server/pages/toast-cookie.ts";

/** The result of a step: done, with a toast of its own if "done" is not enough (null for none), or refused. */
export type StepOutcome = { ok: true; toast?: Toast | null } | VerbRefusal;

const successOutcome = (key: string): StepOutcome => ({ ok: true, toast: { kind: "success", key } });
const waitingOutcome = (key: string): StepOutcome => ({ ok: true, toast: { kind: "info", key } });

const findingToastKinds: Record<
  Exclude<escrow.PaymentFinding["kind"], "nothing" | "unanswered">,
  Toast["kind"]
> = {
  confirmed: "success",
  held_for_checking: "info",
  trade_checked: "info",
  refunding: "info",
  refunded: "info",
  ended: "info",
  part: "info",
  failed: "error",
};

/**
 * The result of a payment check as a toast, with its own heading where the catalogues have one. None if nothing was paid yet or the provider
 * did not answer: the page says that beside the button, with the time of the check.
 */
function findingOutcome({ kind, amount, rest }: escrow.PaymentFinding): StepOutcome {
  if (kind === "nothing" || kind === "unanswered") return { ok: true, toast: null };
  const key = hasText(`toast.finding.${kind}`) ? `toast.finding.${kind}` : `escrow.finding.${kind}`;
  return { ok: true, toast: { kind: findingToastKinds[kind], key, params: { amount, rest } } };
}

/** "I have paid": checks with the provider at once. */
export async function markPaidAndCheck(member: Member, id: number): Promise<StepOutcome> {
  const done = await escrow.markPaid(member, id);
  if (!done.ok) return done;
  return findingOutcome(done.finding);
}

/** Checks with the provider and returns what it reported. */
export async function verifyOwnPayment(member: Member, id: number): Promise<StepOutcome> {
  const done = await escrow.verifyPayment(member, id);
  return done.ok ? findingOutcome(done.finding) : done;
}

/** Completion: one party's confirmation waits for the other's. The buyer's page names the handover that it shows, or that there is none. */
export const confirmHandedOver = (member: Member, id: number, shown: ConfirmShown) =>
  confirmTrade(member, id, "handed_over", shown);
export const confirmReceivedOtherwise = (member: Member, id: number, shown: ConfirmShown) =>
  confirmTrade(member, id, "otherwise", shown);

type ConfirmShown = ConfirmInput & Pick<CancelInput, "vaultShown">;

async function confirmTrade(
  member: Member,
  id: number,
  receipt: escrow.Receipt,
  shown: ConfirmShown,
): Promise<StepOutcome> {
  const done = await escrow.confirmReceipt(member, id, receipt, shown);
  if (!done.ok) return done;
  const { status, buyerCompletedAt, sellerCompletedAt } = done.trade;
  if (buyerCompletedAt !== null && sellerCompletedAt !== null) return successOutcome("escrow.completionBoth");
  return status === "exchange_completed" ? waitingOutcome("escrow.completionWaiting") : { ok: true };
}

/** Cancellation, which also needs both parties: this form only asks, whatever the other party has asked meanwhile. */
export function askToCancel(member: Member, id: number, { vaultShown }: CancelInput): Promise<StepOutcome> {
  return cancelTrade(member, id, { agreesTo: null, vaultShown });
}

/** Agrees to the request that the page showed, and to no other. */
export function agreeToCancel(member: Member, id: number, shown: CancelInput): Promise<StepOutcome> {
  return shown.agreesTo == null
    ? Promise.resolve({ ok: false, code: "CANCELLATION_CHANGED" })
    : cancelTrade(member, id, shown);
}

async function cancelTrade(member: Member, id: number, shown: CancelInput): Promise<StepOutcome> {
  const done = await escrow.requestCancellation(member, id, shown);
  if (!done.ok) return done;
  return done.trade.status === "cancelled"
    ? successOutcome("escrow.cancelBoth")
    : waitingOutcome("escrow.cancelWaiting");
}

/** Declines the request that the page showed. The toast says so if there was none any more: it can have been withdrawn, or have lapsed. */
export async function declineToCancel(
  member: Member,
  id: number,
  shown: DeclineCancellationInput,
): Promise<StepOutcome> {
  const done = await escrow.declineCancellation(member, id, shown);
  return done.ok && !done.changed ? waitingOutcome("escrow.cancelNotDeclined") : done;
}

/** Withdraws the member's own request. The toast says so if there was none any more: it can have been declined, or have lapsed. */
export async function withdrawOwnCancellation(member: Member, id: number): Promise<StepOutcome> {
  const done = await escrow.withdrawCancellation(member, id);
  return done.ok && !done.changed ? waitingOutcome("escrow.cancelNotWithdrawn") : done;
}

/** Confirms that the other party's information was received. Nothing waits for the other's confirmation, so no toast says that. */
export async function confirmInfoExchange(
  member: Member,
  id: number,
  read: { version?: number | undefined },
): Promise<StepOutcome> {
  const done = await escrow.confirmInfo(member, id, read);
  return done.ok ? { ok: true } : done;
}
