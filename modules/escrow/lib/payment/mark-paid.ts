import type { Actor } from "#modules/identity";
import { commandAsParty } from "../trade/party-commands.ts";
import { verifyPayment } from "./check-payment.ts";
import { findingOf } from "./payment-finding.ts";

/**
 * The buyer says "I have paid", and the provider is asked at once. If the provider does not answer, the mark stays. Refuses BUYER_ONLY,
 * PAYMENT_NOT_REQUESTED, TRADE_OVERTAKEN.
 */
export async function markPaid(actor: Actor, id: number) {
  const marked = await commandAsParty(actor, id, { kind: "mark_paid" });
  if (!marked.ok) return marked;
  if (marked.trade.confirmedAt !== null) {
    return { ...marked, finding: await findingOf(marked.trade, { complete: true }) };
  }
  const checked = await verifyPayment(actor, id);
  if (!checked.ok) return checked;
  const { trade, finding } = checked;
  return { ok: true, changed: marked.changed || checked.changed, trade, finding } as const;
}
