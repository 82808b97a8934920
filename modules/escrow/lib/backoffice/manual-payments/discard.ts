import { eq } from "drizzle-orm";
import { currentTime } from "#db/clock";
import { type Actor, auditAuthorOf } from "#modules/identity";
import type { DismissManualPaymentInput } from "../../../forms.ts";
import { requireAdminForTrade } from "../../core/authorization.ts";
import { recordChange } from "../../core/carry-out-effects.ts";
import { refuseAction, runAtomically } from "../../core/outcomes.ts";
import { manualPaymentsTable } from "../../core/schema.ts";

/**
 * Discards a proposed manual payment: its proposer or another administrator gives a reason, and the transfer may be entered again. No
 * money moves, so no fresh login is needed. Repeating it changes nothing, and the first reason is kept. Refuses AUTH_REQUIRED,
 * ADMIN_REQUIRED, TRANSACTION_NOT_FOUND, OWN_TRADE, NOT_FOUND, PROPOSAL_CHANGED (confirmed, or replaced by its proposer).
 */
export async function discardManualPayment(
  actor: Actor,
  id: number,
  { proposal, reason }: DismissManualPaymentInput,
) {
  const at = currentTime();
  return runAtomically(async (tx) => {
    const found = await requireAdminForTrade(tx, actor, id);
    if (!found.ok) return found;
    const { trade, member } = found;
    const [row] = await tx.select().from(manualPaymentsTable).where(eq(manualPaymentsTable.id, proposal));
    if (row === undefined || (row.tradeId ?? row.discardedFrom) !== id) return refuseAction("NOT_FOUND");
    if (row.discardReason !== null) return { ok: true, changed: false, trade };
    if (row.confirmedAt !== null || row.discardedAt !== null) return refuseAction("PROPOSAL_CHANGED", trade);
    await tx
      .update(manualPaymentsTable)
      .set({
        tradeId: null,
        discardedFrom: id,
        discardedBy: member.userId,
        discardedAt: at,
        discardReason: reason,
      })
      .where(eq(manualPaymentsTable.id, row.id));
    const data = { proposal, proposedBy: row.proposedBy, before: "proposed", after: "laid_aside" };
    await recordChange(tx, trade, { at, by: auditAuthorOf(actor) }, "lay_aside_by_hand", data);
    return { ok: true, changed: true, trade };
  });
}
