import { eq } from "drizzle-orm";
import type { Executor, Tx } from "#db/client";
import { isMoneyHeld, lockReference } from "../ledger/balances.ts";
import type { PayoutActor } from "../payouts/payouts.ts";
import { refuseAlteredHold } from "../proof/sealed-holds.ts";
import { enqueueHoldChange } from "./hold-change-job.ts";
import {
  endsWithItsRecord,
  findBookableAmount,
  type HoldFacts,
  type HoldReason,
  type HoldResolution,
  isClearedByProvider,
  mayPaymentBeTakenBack,
} from "./hold-reasons.ts";
import { clearHolds } from "./open-holds.ts";
import { recordHold } from "./record-hold.ts";
import { type Hold, holdsTable } from "./schema.ts";

type ResolveHoldRefusal =
  | "NOT_FOUND"
  /** A hold with this reason cannot have this outcome. */
  | "HOLD_OUTCOME_INVALID"
  | "PROPOSAL_DIFFERS"
  | "FOUR_EYES_RELATED";

/** `proposed`: a second administrator must confirm; `closed`: it took effect now; `repeated`: it was closed before. */
export type ResolvedHold =
  | { ok: true; state: "proposed" | "closed" | "repeated"; hold: Hold }
  | { ok: false; code: ResolveHoldRefusal };

/** The decisions an administrator may make about a hold; empty if the hold ends with the record it is about. */
export function resolutionsOf({ reason, facts }: Pick<Hold, "reason" | "facts">): HoldResolution[] {
  if (endsWithItsRecord(reason)) return [];
  const outcome = moneyOutcome(reason, facts);
  if (outcome === null) return ["dismissed"];
  const possible =
    outcome === "booked"
      ? facts.invoiceId !== undefined && findBookableAmount({ reason, facts }) !== null
      : facts.paymentId !== undefined;
  return possible ? ["dismissed", outcome] : ["dismissed"];
}

function moneyOutcome(reason: HoldReason, facts: HoldFacts): Exclude<HoldResolution, "dismissed"> | null {
  // Booked for this trade, although the provider reports it as a payment of another.
  if (reason === "FOREIGN_INVOICE" && facts.paymentId !== undefined) return "taken_back";
  if (reason === "IMPLAUSIBLE_AMOUNT" || reason === "FOREIGN_INVOICE") return "booked";
  if (reason === "SECOND_PAYMENT") return "same_payment";
  return mayPaymentBeTakenBack(reason, facts) ? "taken_back" : null;
}

/**
 * Decides a hold. A decision that moves money, or lifts a hold of a trade that holds money, is a proposal until a second administrator
 * makes the same decision; the first one may change their proposal. A decision that took effect is final. Refuses, in this order:
 * NOT_FOUND; HOLD_OUTCOME_INVALID; FOUR_EYES_RELATED; PROPOSAL_DIFFERS. Throws RecordAltered for an altered hold.
 */
export async function resolveHold(
  tx: Tx,
  input: { id: number; outcome: HoldResolution; note: string; by: PayoutActor; at: Date },
): Promise<ResolvedHold> {
  const { id, outcome, note, by, at } = input;
  const [seen] = await tx
    .select({ reference: holdsTable.reference })
    .from(holdsTable)
    .where(eq(holdsTable.id, id));
  if (seen === undefined) return { ok: false, code: "NOT_FOUND" };
  await lockReference(tx, seen.reference);
  const [hold] = await tx.select().from(holdsTable).where(eq(holdsTable.id, id)).for("update");
  if (hold === undefined) return { ok: false, code: "NOT_FOUND" };
  await refuseAlteredHold(tx, id);
  if (hold.closedAt !== null) return { ok: true, state: "repeated", hold };
  if (!resolutionsOf(hold).includes(outcome)) return { ok: false, code: "HOLD_OUTCOME_INVALID" };
  if (!(await needsSecondPerson(tx, hold, outcome))) return closeHold(tx, hold, input, null);
  const { proposedBy, proposedAt, proposedOutcome } = hold;
  // A proposal no longer counts once its author has lost the administrator's right.
  const stands = proposedBy !== null && proposedAt !== null && (await by.keepsRight(proposedBy, proposedAt));
  if (!stands || proposedBy === by.userId) {
    const proposal = {
      proposedOutcome: outcome,
      proposedBy: by.userId,
      proposedAt: at,
      proposedNote: note,
    };
    const [after] = await tx.update(holdsTable).set(proposal).where(eq(holdsTable.id, id)).returning();
    await recordHold(tx, hold, "proposed", { by, at }, { outcome, proposedBy });
    return { ok: true, state: "proposed", hold: after ?? hold };
  }
  if (by.relatedAdminIds.includes(proposedBy)) return { ok: false, code: "FOUR_EYES_RELATED" };
  if (proposedOutcome !== outcome) return { ok: false, code: "PROPOSAL_DIFFERS" };
  return closeHold(tx, hold, input, proposedBy);
}

const noProposal = { proposedOutcome: null, proposedBy: null, proposedAt: null, proposedNote: null };

/**
 * True if the outcome moves money, or could let money leave: while Midman holds money of the trade, in escrow or suspense, one
 * administrator cannot lift its hold alone. One administrator may dismiss a reason that the provider's next answer can clear, because that
 * answer opens it again.
 */
export async function needsSecondPerson(
  exec: Executor,
  { reason, reference }: Pick<Hold, "reason" | "reference">,
  outcome: HoldResolution,
): Promise<boolean> {
  if (outcome !== "dismissed") return true;
  return !isClearedByProvider(reason) && (await isMoneyHeld(exec, reference));
}

async function closeHold(
  tx: Tx,
  hold: Hold,
  { outcome, note, by, at }: { outcome: HoldResolution; note: string; by: PayoutActor; at: Date },
  proposedBy: number | null,
): Promise<ResolvedHold> {
  // A decision that needs no second person replaces the administrator's own proposal.
  const replaced = proposedBy === null && hold.proposedBy === by.userId ? noProposal : {};
  const [after] = await tx
    .update(holdsTable)
    .set({ ...replaced, closedAt: at, closedBy: by.userId, outcome, note })
    .where(eq(holdsTable.id, hold.id))
    .returning();
  await recordHold(tx, hold, "resolved", { by, at }, { outcome, proposedBy: hold.proposedBy });
  await clearComparedDifference(tx, hold, { twoPeople: proposedBy !== null, at });
  await enqueueHoldChange(tx, hold.reference);
  return { ok: true, state: "closed", hold: after ?? hold };
}

/**
 * Ends the difference that the daily reconciliation found about the same payment, since this decision covers it. If one administrator
 * decided alone and Midman holds money of the trade, the difference stays: they could not dismiss it alone either.
 */
async function clearComparedDifference(
  tx: Tx,
  { reference, reason, subject }: Hold,
  { twoPeople, at }: { twoPeople: boolean; at: Date },
): Promise<void> {
  if (!twoPeople && (await isMoneyHeld(tx, reference))) return;
  const causes = ["uncountable", "status", ...(reason === "PAYMENT_REVERSED" ? ["refunded_there"] : [])];
  await clearHolds(tx, { reference, reason: "DIFFERENCE", subject, causes }, at);
}
