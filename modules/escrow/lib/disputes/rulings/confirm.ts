import { eq } from "drizzle-orm";
import { currentTime } from "#db/clock";
import { type Actor, auditAuthorOf } from "#modules/identity";
import { fourEyesRefusal } from "#modules/payments";
import type { ConfirmRulingInput } from "../../../forms.ts";
import { applyCommand } from "../../core/apply-command.ts";
import { loadPayoutActor, requireAdminForTrade, requireFreshAdmin } from "../../core/authorization.ts";
import { recordChange } from "../../core/carry-out-effects.ts";
import { refuseAction, runAtomically } from "../../core/outcomes.ts";
import { findOpenCase, mediatorOf, recordStatement } from "../dispute-cases.ts";
import { buildRulingCommand, calculateRuling } from "../rule.ts";
import { endProposal, findRulingProposal } from "./proposals.ts";
import { rulingProposalsTable } from "./schema.ts";

/**
 * A second administrator confirms the mediator's proposal by typing the same sum, which gives the ruling; the audit log names both.
 * Repeating it changes nothing. Refuses AUTH_REQUIRED, ADMIN_REQUIRED, REAUTH_REQUIRED, TRANSACTION_NOT_FOUND, OWN_TRADE, NOT_FOUND,
 * PROPOSAL_CHANGED (withdrawn, replaced, or another administrator has the case now), PROPOSER_NOT_ADMIN, FOUR_EYES_REQUIRED,
 * FOUR_EYES_RELATED, SUM_DIFFERS, TRADE_OVERTAKEN.
 */
export async function confirmRuling(actor: Actor, id: number, { proposal, sum }: ConfirmRulingInput) {
  const at = currentTime();
  const fresh = requireFreshAdmin(actor, at);
  if (!fresh.ok) return fresh;
  const changeContext = { at, by: auditAuthorOf(actor) };
  return runAtomically(async (tx) => {
    const found = await requireAdminForTrade(tx, actor, id);
    if (!found.ok) return found;
    const { trade, member } = found;
    const row = await findRulingProposal(tx, proposal);
    if (row === undefined || row.tradeId !== id) return refuseAction("NOT_FOUND");
    if (row.confirmedBy === member.userId) return { ok: true, changed: false, trade };
    const dispute = await findOpenCase(tx, id);
    if (dispute === undefined) return refuseAction("TRADE_OVERTAKEN", trade);
    const waits = row.confirmedAt === null && row.withdrawnAt === null && row.disputeId === dispute.id;
    const person = await loadPayoutActor(tx, member, at);
    if (!(await person.keepsRight(row.proposedBy, row.proposedAt)))
      return refuseAction("PROPOSER_NOT_ADMIN", trade);
    const mediator = await mediatorOf(tx, dispute);
    if (!waits || mediator?.id !== row.proposedBy) return refuseAction("PROPOSAL_CHANGED", trade);
    const reviewerRefusal = fourEyesRefusal(row.proposedBy, person);
    if (reviewerRefusal !== null) return refuseAction(reviewerRefusal, trade);
    const { ruling, refundAmount } = row;
    const asked = { ruling, ...(refundAmount !== null && { refundAmount }) };
    const figures = calculateRuling(trade, asked, at);
    if (!figures.ok) return figures;
    if (figures.ruling.sum !== sum || row.sum !== sum) {
      return { ok: false, code: "SUM_DIFFERS", params: { sum: figures.ruling.sum } };
    }
    await tx
      .update(rulingProposalsTable)
      .set({ confirmedBy: member.userId, confirmedAt: at })
      .where(eq(rulingProposalsTable.id, row.id));
    const mediatorSaid = { userId: row.proposedBy };
    await recordStatement(tx, id, { role: "admin", member: mediatorSaid, body: row.reason ?? "", at });
    const both = { proposedBy: row.proposedBy, confirmedBy: member.userId };
    await recordChange(tx, trade, changeContext, "confirm_ruling", {
      proposal,
      ...both,
      warnings: row.warnings,
    });
    return applyCommand(tx, trade, buildRulingCommand(asked), changeContext);
  });
}

/**
 * Withdraws a proposed ruling. Only its proposer may, or any administrator once the proposer has lost the right. Repeating it changes
 * nothing. Refuses AUTH_REQUIRED, ADMIN_REQUIRED, TRANSACTION_NOT_FOUND, OWN_TRADE, NOT_FOUND, PROPOSAL_CHANGED (confirmed), DISPUTE_TAKEN.
 */
export async function withdrawRuling(actor: Actor, id: number, { proposal }: { proposal: number }) {
  const at = currentTime();
  return runAtomically(async (tx) => {
    const found = await requireAdminForTrade(tx, actor, id);
    if (!found.ok) return found;
    const { trade, member } = found;
    const row = await findRulingProposal(tx, proposal);
    if (row === undefined || row.tradeId !== id) return refuseAction("NOT_FOUND");
    if (row.withdrawnAt !== null) return { ok: true, changed: false, trade };
    if (row.confirmedAt !== null) return refuseAction("PROPOSAL_CHANGED", trade);
    const person = await loadPayoutActor(tx, member, at);
    const others = row.proposedBy !== member.userId;
    if (others && (await person.keepsRight(row.proposedBy, row.proposedAt))) {
      const dispute = await findOpenCase(tx, id);
      const mediator = dispute === undefined ? null : await mediatorOf(tx, dispute);
      return { ok: false, code: "DISPUTE_TAKEN", params: { name: mediator?.displayName ?? "" } };
    }
    await endProposal(tx, row, member.userId, at);
    const data = { proposal, proposedBy: row.proposedBy };
    await recordChange(tx, trade, { at, by: auditAuthorOf(actor) }, "withdraw_ruling", data);
    return { ok: true, changed: true, trade };
  });
}
