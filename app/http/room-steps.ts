import * as escrow from "#modules/escrow";
import type { Member } from "#modules/identity";
import type { Toast } from "./flash.ts";
import type { Refusal } from "./outcome.ts";

/** What came of a step: done, with what is to be said of it where that is more than "done", or refused. */
export type Done = { ok: true; said?: Toast } | Refusal;

const success = (key: string): Done => ({ ok: true, said: { kind: "success", key } });
const waiting = (key: string): Done => ({ ok: true, said: { kind: "info", key } });

type Paid = { confirmedAt: Date | null; status: escrow.Status; held: number; gross: number };

/** How far the payment has come; `otherwise` while nothing has arrived. */
function arrived({ confirmedAt, status, held, gross }: Paid, otherwise: Done): Done {
  if (confirmedAt !== null) return success("escrow.paymentConfirmed");
  if (status === "payment_failed") return { ok: true, said: { kind: "error", key: "toast.paymentFailed" } };
  if (held === 0) return otherwise;
  return {
    ok: true,
    said: { kind: "info", key: "escrow.paidInPart", params: { paid: held, rest: gross - held } },
  };
}

/** "I have paid": the provider is asked at once. */
export async function paid(member: Member, id: number): Promise<Done> {
  const done = await escrow.markPaid(member, id);
  return done.ok ? arrived(done.trade, { ok: true }) : done;
}

/** What the provider said when the buyer had it asked. */
export async function verify(member: Member, id: number): Promise<Done> {
  const done = await escrow.verifyPayment(member, id);
  if (!done.ok) return done;
  const key = done.answer.complete ? "toast.notVerified" : "toast.verifyProblem";
  return arrived(done.trade, { ok: true, said: { kind: "error", key } });
}

/** Completion: one side's word waits for the other's. */
export async function confirmed(member: Member, id: number): Promise<Done> {
  const done = await escrow.confirmCompletion(member, id);
  if (!done.ok) return done;
  const { status, buyerCompletedAt, sellerCompletedAt } = done.trade;
  if (buyerCompletedAt !== null && sellerCompletedAt !== null) return success("escrow.completionBoth");
  return status === "exchange_completed" ? waiting("escrow.completionWaiting") : { ok: true };
}

/** Cancellation: it too takes both. */
export async function cancelled(member: Member, id: number): Promise<Done> {
  const done = await escrow.requestCancellation(member, id);
  if (!done.ok) return done;
  return done.trade.status === "cancelled" ? success("escrow.cancelBoth") : waiting("escrow.cancelWaiting");
}

/** The information exchange, confirmed by one side or by both. */
export async function informed(member: Member, id: number): Promise<Done> {
  const done = await escrow.confirmInfo(member, id);
  if (!done.ok) return done;
  return done.both ? success("escrow.infoBoth") : waiting("escrow.infoWaiting");
}
