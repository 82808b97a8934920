import { currentTime } from "#db/clock";
import { type Actor, auditAuthorOf } from "#modules/identity";
import { applyCommand } from "../core/apply-command.ts";
import { requireLockedParty } from "../core/authorization.ts";
import { postTradeNotice } from "../core/carry-out-effects.ts";
import { runAtomically } from "../core/outcomes.ts";
import { verifyPayment } from "./check-payment.ts";
import { findingOf } from "./payment-finding.ts";

/**
 * The buyer says "I have paid", and the provider is asked at once. If the provider does not answer, the mark stays. The room is told of the
 * mark only if the check did not move the trade on: a payment that is found has a notice of its own. Refuses BUYER_ONLY,
 * PAYMENT_NOT_REQUESTED, TRADE_OVERTAKEN.
 */
export async function markPaid(actor: Actor, id: number) {
  const marked = await writeMark(actor, id);
  if (!marked.ok) return marked;
  if (marked.trade.confirmedAt !== null) {
    const { trade, changed } = marked;
    return { ok: true, changed, trade, finding: await findingOf(trade, { complete: true }) } as const;
  }
  // If the process stops before the notice, the mark has none; the trade's page and the administrators' list still show the mark.
  const checked = await verifyPayment(actor, id);
  if (marked.first) await announceMark(actor, id);
  if (!checked.ok) return checked;
  const { trade, finding } = checked;
  return { ok: true, changed: marked.changed || checked.changed, trade, finding } as const;
}

/** Records the mark; `first` if the buyer had not marked this request before. */
function writeMark(actor: Actor, id: number) {
  const at = currentTime();
  return runAtomically(async (tx) => {
    const found = await requireLockedParty(tx, actor, id);
    if (!found.ok) return found;
    const { trade, party } = found;
    const command = { kind: "mark_paid", who: party } as const;
    const done = await applyCommand(tx, trade, command, { at, by: auditAuthorOf(actor) });
    return done.ok ? { ...done, first: done.changed && trade.markedPaidAt === null } : done;
  });
}

/** Tells the room of the mark while nothing else is known: no money was booked, and the provider reported no failure. */
function announceMark(actor: Actor, id: number) {
  const at = currentTime();
  return runAtomically(async (tx) => {
    const found = await requireLockedParty(tx, actor, id);
    if (!found.ok) return found;
    const { trade } = found;
    const isOpen = trade.status === "payment_pending" || trade.status === "payment_processing";
    if (isOpen && trade.held === 0 && trade.markedPaidAt !== null) {
      const params = { transactionId: trade.id, code: trade.code, by: found.party };
      await postTradeNotice(tx, trade, { code: "markedPaid", params, at });
    }
    return { ok: true as const };
  });
}
