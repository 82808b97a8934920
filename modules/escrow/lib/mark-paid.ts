import type { Actor } from "#modules/identity";
import { verifyPayment } from "./check-payment.ts";
import type { Done, Refused } from "./outcomes.ts";
import { byParty } from "./trades.ts";

/**
 * The buyer says "I have paid", and the provider is asked at once. When the provider does not answer, the word stands.
 * Refuses BUYER_ONLY, PAYMENT_NOT_REQUESTED, TRADE_OVERTAKEN.
 */
export async function markPaid(actor: Actor, id: number): Promise<Done | Refused> {
  const marked = await byParty(actor, id, { kind: "mark_paid" });
  if (!marked.ok || marked.trade.confirmedAt !== null) return marked;
  const checked = await verifyPayment(actor, id);
  if (!checked.ok) return checked;
  return { ok: true, changed: marked.changed || checked.changed, trade: checked.trade };
}
