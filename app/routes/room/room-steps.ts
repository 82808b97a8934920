import { hasText } from "#locales";
import * as escrow from "#modules/escrow";
import type { Member } from "#modules/identity";
import type { VerbRefusal } from "../../server/pages/outcome-responses.ts";
import type { Toast } from "../../server/pages/toast-cookie.ts";

/** What came of a step: done, with what is to be said of it where that is more than "done", or refused. */
export type Done = { ok: true; said?: Toast } | VerbRefusal;

const success = (key: string): Done => ({ ok: true, said: { kind: "success", key } });
const waiting = (key: string): Done => ({ ok: true, said: { kind: "info", key } });

const looks: Record<escrow.PaymentFinding["kind"], Toast["kind"]> = {
  confirmed: "success",
  held_for_checking: "info",
  trade_checked: "info",
  refunding: "info",
  refunded: "info",
  ended: "info",
  part: "info",
  failed: "error",
  unanswered: "error",
  nothing: "error",
};

/** What was found of a payment, in words; those of the specification where it gives a heading. */
function toldOf({ kind, amount, rest }: escrow.PaymentFinding): Done {
  const key = hasText(`toast.finding.${kind}`) ? `toast.finding.${kind}` : `escrow.finding.${kind}`;
  return { ok: true, said: { kind: looks[kind], key, params: { amount, rest } } };
}

/** "I have paid": the provider is asked at once. */
export async function paid(member: Member, id: number): Promise<Done> {
  const done = await escrow.markPaid(member, id);
  if (!done.ok) return done;
  const { kind } = done.finding;
  return kind === "nothing" || kind === "unanswered" ? { ok: true } : toldOf(done.finding);
}

/** What the provider said when the buyer had it asked. */
export async function verifyOwnPayment(member: Member, id: number): Promise<Done> {
  const done = await escrow.verifyPayment(member, id);
  return done.ok ? toldOf(done.finding) : done;
}

/** Completion: one side's word waits for the other's. The page asks a buyer about the hand-over that it shows, or about none. */
export const confirmed = (member: Member, id: number) => confirm(member, id, "handed_over");
export const confirmedOtherwise = (member: Member, id: number) => confirm(member, id, "otherwise");

async function confirm(member: Member, id: number, receipt: escrow.Receipt): Promise<Done> {
  const done = await escrow.confirmCompletion(member, id, { receipt });
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
export async function informed(
  member: Member,
  id: number,
  read: { version?: number | undefined },
): Promise<Done> {
  const done = await escrow.confirmInfo(member, id, read);
  if (!done.ok) return done;
  return done.both ? success("escrow.infoBoth") : waiting("escrow.infoWaiting");
}
