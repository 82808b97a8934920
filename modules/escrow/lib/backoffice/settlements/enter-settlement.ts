import type { Tx } from "#db/client";
import { currentTime } from "#db/clock";
import type { SettlementInput } from "#forms/payments";
import {
  type Actor,
  auditAuthorOf,
  isAdministrator,
  type Member,
  type NotAdmin,
  requireAdmin,
} from "#modules/identity";
import {
  discardSettlement,
  lockSettlement,
  proposeSettlement,
  recordSettlement,
  type Settlement,
} from "#modules/payments";
import { loadPayoutActor, type NotFreshAdmin, requireFreshAdmin } from "../../core/authorization.ts";
import { refuseAction, runAtomically, type TradeRefusal } from "../../core/outcomes.ts";
import { isProposalValid, type Obstacle, obstacleToConfirm } from "../../core/proposals.ts";

export type EnterSettlementResult = { ok: true; changed: boolean; state: "proposed" | "recorded" };

/**
 * Enters a settlement of QPay that was seen on the bank statement: the first administrator proposes it, and a second one who enters the
 * same posts it. One bank reference is one settlement; entering the same again changes nothing. The proposer may correct it until it is
 * posted. Refuses AUTH_REQUIRED, ADMIN_REQUIRED, REAUTH_REQUIRED, SETTLEMENT_CONFLICT (posted with other figures), PROPOSER_NOT_ADMIN,
 * FOUR_EYES_RELATED, PROPOSAL_DIFFERS (the first one entered other figures under this reference).
 */
export async function enterSettlement(
  actor: Actor,
  input: SettlementInput,
): Promise<
  | EnterSettlementResult
  | NotFreshAdmin
  | TradeRefusal<"ADMIN_REQUIRED" | "SETTLEMENT_CONFLICT" | ConfirmRefusal | "RECORD_ALTERED">
> {
  const at = currentTime();
  const fresh = requireFreshAdmin(actor, at);
  if (!fresh.ok) return fresh;
  const { member } = fresh;
  return runAtomically(async (tx) => {
    const earlier = await lockSettlement(tx, input.bankReference);
    // The administrator's right may have been revoked while this waited.
    if (!(await isAdministrator(tx, member.userId))) return refuseAction("ADMIN_REQUIRED");
    const same = earlier?.received === input.received && earlier.cost === input.cost;
    if (earlier !== undefined && earlier.confirmedAt !== null) {
      return same ? { ok: true, changed: false, state: "recorded" } : refuseAction("SETTLEMENT_CONFLICT");
    }
    if (earlier !== undefined && earlier.proposedBy !== member.userId) {
      return confirmSettlement(tx, member, { earlier, same }, at);
    }
    if (same && (await isProposalValid(tx, earlier))) {
      return { ok: true, changed: false, state: "proposed" };
    }
    const doer = { ...auditAuthorOf(actor), userId: member.userId };
    await proposeSettlement(tx, { ...input, replaces: earlier, at, by: doer });
    return { ok: true, changed: true, state: "proposed" };
  });
}

type ConfirmRefusal = Obstacle | "PROPOSAL_DIFFERS";

/**
 * Confirms another administrator's entry: its proposer must still have the right and not count as the same reviewer, and both must have
 * entered the same.
 */
async function confirmSettlement(
  tx: Tx,
  member: Member,
  { earlier, same }: { earlier: Settlement; same: boolean },
  at: Date,
): Promise<EnterSettlementResult | TradeRefusal<ConfirmRefusal>> {
  const person = await loadPayoutActor(tx, member, at);
  const kept = await obstacleToConfirm(tx, earlier, person);
  if (kept !== null) return refuseAction(kept);
  if (!same) return refuseAction("PROPOSAL_DIFFERS");
  const done = await recordSettlement(tx, { settlement: earlier, at, by: person });
  // The obstacles above are all that it refuses.
  if (!done.ok) throw new Error(`escrow: a settlement was not posted: ${done.code}`);
  return { ok: true, changed: true, state: "recorded" };
}

/**
 * Discards an entry: its proposer or another administrator gives a reason, and its bank reference may be entered again. No money moves, so
 * no fresh login is needed. Repeating it changes nothing, and the first reason is kept. Refuses AUTH_REQUIRED, ADMIN_REQUIRED, NOT_FOUND,
 * PROPOSAL_CHANGED (posted, or replaced by its proposer).
 */
export async function discardSettlementEntry(
  actor: Actor,
  id: number,
  { reason }: { reason: string },
): Promise<
  | { ok: true; changed: boolean }
  | NotAdmin
  | TradeRefusal<"ADMIN_REQUIRED" | "NOT_FOUND" | "PROPOSAL_CHANGED" | "RECORD_ALTERED">
> {
  const at = currentTime();
  const admin = requireAdmin(actor);
  if (!admin.ok) return admin;
  const doer = { ...auditAuthorOf(actor), userId: admin.member.userId };
  return runAtomically(async (tx) => {
    if (!(await isAdministrator(tx, doer.userId))) return refuseAction("ADMIN_REQUIRED");
    const done = await discardSettlement(tx, { id, reason, at, by: doer });
    return done.ok ? done : refuseAction(done.code);
  });
}
