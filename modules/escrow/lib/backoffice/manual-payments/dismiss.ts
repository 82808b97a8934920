import { eq } from "drizzle-orm";
import { now } from "#db/clock";
import { type Actor, by } from "#modules/identity";
import type { LayAsideInput } from "../../../forms.ts";
import { requireAdminForTrade } from "../../core/authorization.ts";
import { recordChange } from "../../core/carry-out-effects.ts";
import { atomically, type Done, type Refused, refused } from "../../core/outcomes.ts";
import { handConfirmations } from "../../core/schema.ts";

/**
 * A payment proposed by hand waits for nobody any more: its proposer or another administrator says why, and the transfer may be
 * entered again. No money moves, so no fresh login is asked for; repeating it changes nothing and the first reason stands. Refuses
 * AUTH_REQUIRED, ADMIN_REQUIRED, TRANSACTION_NOT_FOUND, OWN_TRADE, NOT_FOUND, PROPOSAL_CHANGED (confirmed, or replaced by its proposer).
 */
export async function layProposalAside(
  actor: Actor,
  id: number,
  { proposal, reason }: LayAsideInput,
): Promise<Done | Refused> {
  const at = now();
  return atomically(async (tx) => {
    const found = await requireAdminForTrade(tx, actor, id);
    if (!found.ok) return found;
    const { trade, member } = found;
    const [row] = await tx.select().from(handConfirmations).where(eq(handConfirmations.id, proposal));
    if (row === undefined || (row.tradeId ?? row.asideOf) !== id) return refused("NOT_FOUND");
    if (row.asideReason !== null) return { ok: true, changed: false, trade };
    if (row.confirmedAt !== null || row.laidAsideAt !== null) return refused("PROPOSAL_CHANGED", trade);
    await tx
      .update(handConfirmations)
      .set({ tradeId: null, asideOf: id, laidAsideBy: member.userId, laidAsideAt: at, asideReason: reason })
      .where(eq(handConfirmations.id, row.id));
    const data = { proposal, proposedBy: row.proposedBy, before: "proposed", after: "laid_aside" };
    await recordChange(tx, trade, { at, by: by(actor) }, "lay_aside_by_hand", data);
    return { ok: true, changed: true, trade };
  });
}
