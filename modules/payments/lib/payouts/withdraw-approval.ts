import { and, asc, eq, ne } from "drizzle-orm";
import type { Tx } from "#db/client";
import type { AuditActor } from "#modules/audit";
import { lockReference } from "../ledger/balances.ts";
import type { Reference } from "../provider/provider-types.ts";
import { type Payout, type PayoutSource, payoutsTable } from "../schema/money.ts";
import {
  claimedByAnother,
  lockPayout,
  type PayoutActor,
  type PayoutRecordResult,
  recordPayoutStep,
} from "./payouts.ts";

export type VoidPayoutsResult =
  | { ok: true; voided: Payout[] }
  | { ok: false; code: "MONEY_ALREADY_SENT"; current: Pick<Payout, "id" | "kind" | "state"> };

/**
 * Voids the due and approved payouts and refunds of a reference's escrow, for a cancellation or a dispute. Refunds from suspense stay,
 * since that money never belonged to the trade, unless `source` names the suspense of a payment that is undone. Returns ok with an empty
 * list if there is nothing to void. Refuses MONEY_ALREADY_SENT, and voids nothing, once any of them is sent, done or in doubt. The parties
 * may see `current`, so it contains no account.
 */
export async function voidLivePayouts(
  tx: Tx,
  input: { reference: Reference; source?: PayoutSource; reason: string; at: Date; by: AuditActor },
): Promise<VoidPayoutsResult> {
  await lockReference(tx, input.reference);
  const live = await tx
    .select()
    .from(payoutsTable)
    .where(
      and(
        eq(payoutsTable.reference, input.reference),
        eq(payoutsTable.source, input.source ?? "escrow"),
        ne(payoutsTable.state, "void"),
      ),
    )
    .orderBy(asc(payoutsTable.id))
    .for("update");
  const gone = live.find((payout) => payout.state !== "due" && payout.state !== "approved");
  if (gone !== undefined) {
    const { id, kind, state } = gone;
    return { ok: false, code: "MONEY_ALREADY_SENT", current: { id, kind, state } };
  }
  const voided: Payout[] = [];
  for (const payout of live) {
    const change = {
      state: "void" as const,
      voidedBy: input.by.userId,
      voidedAt: input.at,
      reason: input.reason,
    };
    voided.push(await recordPayoutStep(tx, payout, change, { action: "void", by: input.by, at: input.at }));
  }
  return { ok: true, voided };
}

/** The fields that are reset when an approval is withdrawn. */
export const withdrawnApproval = {
  state: "due" as const,
  approvedBy: null,
  approvedAt: null,
  firstApprovedBy: null,
  firstApprovedAt: null,
  claimedBy: null,
  claimedAt: null,
  takenOverFrom: null,
  fourEyes: false,
};

/**
 * Withdraws an approval, so that the destination can change; the payout is due again. Repeating it on a due payout changes nothing. `from`
 * is the administrator who held the claim when this one looked: the claim of exactly this administrator ends with the approval. Refuses:
 * PAYOUT_NOT_FOUND; PAYOUT_CONFLICT once it is sent, done, in doubt or void; PAYOUT_CLAIMED (claimed by another administrator than `from`).
 */
export async function voidApproval(
  tx: Tx,
  input: { id: number; from?: number | null; reason: string; at: Date; by: PayoutActor },
): Promise<PayoutRecordResult<"PAYOUT_NOT_FOUND" | "PAYOUT_CONFLICT" | "PAYOUT_CLAIMED">> {
  const before = await lockPayout(tx, input.id);
  if (before === undefined) return { ok: false, code: "PAYOUT_NOT_FOUND" };
  if (before.state === "due") return { ok: true, payout: before, repeated: true };
  if (before.state !== "approved") return { ok: false, code: "PAYOUT_CONFLICT", current: before };
  if (claimedByAnother(before, input.by) && before.claimedBy !== input.from) {
    return { ok: false, code: "PAYOUT_CLAIMED", current: before };
  }
  const change = { ...withdrawnApproval, reason: input.reason };
  const after = await recordPayoutStep(tx, before, change, {
    action: "approval_void",
    by: input.by,
    at: input.at,
  });
  return { ok: true, payout: after, repeated: false };
}
