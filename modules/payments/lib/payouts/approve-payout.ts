import type { Tx } from "#db/client";
import type { Destination } from "../../forms.ts";
import { holdsOf, openHoldReasons } from "../holds/list-holds.ts";
import { refuseAlteredHold } from "../proof/sealed-holds.ts";
import type { Payout } from "../schema/money.ts";
import { isOutgoingStopped } from "../treasury/halt-money.ts";
import { approvalRefusal, isCoolingOff, needsSecondApproval } from "./approval-rules.ts";
import { plainDestination, sameDestination } from "./create-payout.ts";
import { destinationDigest } from "./destination-digest.ts";
import { type FourEyesRefusal, fourEyesRefusal, needsFourEyes } from "./four-eyes.ts";
import {
  isMoneyInDoubt,
  lockPayout,
  type PayoutActor,
  type PayoutRecordResult,
  readSourceTotals,
  recordPayoutStep,
} from "./payouts.ts";
import { withdrawnApproval } from "./withdraw-approval.ts";

export type ApproveRefusal =
  | "PAYOUT_NOT_FOUND"
  | "PAYOUT_CONFLICT"
  | "MONEY_HALTED"
  | "PAYOUT_UNKNOWN_OPEN"
  | "TRADE_ON_HOLD"
  | "DESTINATION_REQUIRED"
  | "ACCOUNT_JUST_CORRECTED"
  | FourEyesRefusal
  | "PAYOUT_NOT_WHOLE";

type Approval = {
  id: number;
  destination?: Destination;
  shown?: string | undefined;
  at: Date;
  by: PayoutActor;
};

/**
 * Approves a due payout or refund and freezes its destination (the stored one, otherwise the one in `input`). `shown` is the digest
 * (`destinationDigest`) of the destination that the administrator saw. Approving again with the same destination returns ok, repeated, for
 * any administrator and however far the payout has gone since; but if the approver is no longer an administrator, this call replaces the
 * approval. The approver also claims the transfer, unless four eyes require another administrator: then it stays unclaimed. A corrected
 * account needs two approvals: after the first the payout stays due. Refuses, in this order: PAYOUT_NOT_FOUND; PAYOUT_CONFLICT (another
 * destination than the one shown or stored; void or in doubt); MONEY_HALTED; PAYOUT_UNKNOWN_OPEN; TRADE_ON_HOLD; DESTINATION_REQUIRED;
 * FOUR_EYES_REQUIRED, FOUR_EYES_RELATED (the administrator, or one who counts as the same reviewer, entered the account in its owner's
 * place or approved it first); ACCOUNT_JUST_CORRECTED (a second approval within three hours of the correction); PAYOUT_NOT_WHOLE.
 */
export async function approvePayoutRecord(
  tx: Tx,
  input: Approval,
): Promise<PayoutRecordResult<ApproveRefusal>> {
  const before = await lockPayout(tx, input.id);
  if (before === undefined) return { ok: false, code: "PAYOUT_NOT_FOUND" };
  if (input.shown !== undefined && input.shown !== destinationDigest(before.destination)) {
    return { ok: false, code: "PAYOUT_CONFLICT", current: before, textKey: "admin.payout.accountChanged" };
  }
  const destination = input.destination ?? before.destination;
  const same = sameDestination(before.destination, destination);
  // Only the owner's correction changes the destination: an approval cannot name another account than the stored one.
  if (before.destination !== null && !same) return refuseConflict(before);
  if (before.state === "due") return approveDue(tx, before, { ...input, destination });
  if (!same || !["approved", "sent", "done"].includes(before.state)) return refuseConflict(before);
  const lapsed = before.state === "approved" && (await approvalRefusal(before, input)) === "APPROVAL_LAPSED";
  if (!lapsed) return { ok: true, payout: before, repeated: true };
  return approveDue(tx, { ...before, ...withdrawnApproval }, { ...input, destination, lapsed: before });
}

type ApprovalStep = { destination: Destination | null; at: Date; by: PayoutActor; lapsed?: Payout };

/** `lapsed` is the payout whose approver lost the administrator's right: its approval is voided before the new one is recorded. */
async function approveDue(
  tx: Tx,
  before: Payout,
  { destination, at, by, lapsed }: ApprovalStep,
): Promise<PayoutRecordResult<ApproveRefusal>> {
  const stopped = await outgoingRefusal(tx, before);
  if (stopped !== null) return { ok: false, code: stopped, current: before };
  if (destination === null) return { ok: false, code: "DESTINATION_REQUIRED", current: before };
  const reviewerRefusal = before.namedBy === null ? null : fourEyesRefusal(before.namedBy, by);
  if (reviewerRefusal !== null) return { ok: false, code: reviewerRefusal, current: before };
  const first = needsSecondApproval(before) ? await findFirstApprover(before, by) : undefined;
  if (first === by.userId) return { ok: true, payout: before, repeated: true };
  const related = first == null ? null : fourEyesRefusal(first, by);
  if (related !== null) return { ok: false, code: related, current: before };
  if (first != null && isCoolingOff(before, at)) {
    return { ok: false, code: "ACCOUNT_JUST_CORRECTED", current: before };
  }
  if (!(await isSourceFullyPromised(tx, before)))
    return { ok: false, code: "PAYOUT_NOT_WHOLE", current: before };
  const fourEyes = await needsFourEyes(tx, before.reference);
  // From here on nothing may be refused.
  if (lapsed !== undefined)
    await recordPayoutStep(tx, lapsed, withdrawnApproval, { action: "approval_void", by, at });
  if (first === null) {
    const change = { firstApprovedBy: by.userId, firstApprovedAt: at };
    const after = await recordPayoutStep(tx, before, change, { action: "first_approved", by, at });
    return { ok: true, payout: after, repeated: false };
  }
  const change = {
    state: "approved" as const,
    destination: plainDestination(destination),
    approvedBy: by.userId,
    approvedAt: at,
    fourEyes,
    ...claimAfterApproval(lapsed, fourEyes, { at, by }),
  };
  const after = await recordPayoutStep(tx, before, change, { action: "approved", by, at });
  return { ok: true, payout: after, repeated: false };
}

/** The approver claims the transfer if one administrator may do both. A claim made under the lapsed approval is kept. */
function claimAfterApproval(
  lapsed: Payout | undefined,
  fourEyes: boolean,
  { at, by }: { at: Date; by: PayoutActor },
) {
  const before = lapsed?.claimedBy ?? null;
  if (lapsed !== undefined && before !== null && !(fourEyes && before === by.userId)) {
    const { claimedAt, claimNote, takenOverFrom } = lapsed;
    return { claimedBy: before, claimedAt, claimNote, takenOverFrom };
  }
  return fourEyes ? {} : { claimedBy: by.userId, claimedAt: at };
}

/**
 * The first approver of a corrected account: null if nobody approved it yet, or if the approver has lost the administrator's right since.
 */
async function findFirstApprover(
  { firstApprovedBy, firstApprovedAt }: Payout,
  by: PayoutActor,
): Promise<number | null> {
  if (firstApprovedBy === null || firstApprovedAt === null) return null;
  return (await by.keepsRight(firstApprovedBy, firstApprovedAt)) ? firstApprovedBy : null;
}

function refuseConflict(current: Payout) {
  return { ok: false, code: "PAYOUT_CONFLICT", current } as const;
}

/**
 * Why no outgoing step of a payout may be taken now, whatever its own state: money is halted, a transfer of its reference is in doubt, or
 * its trade is on hold for another reason. Null if none applies. `left`: the step only records a transfer that was made before the halt,
 * which the halt does not stop (`leftBeforeHalt`).
 */
export async function outgoingRefusal(
  tx: Tx,
  payout: Payout,
  { left = false }: { left?: boolean } = {},
): Promise<"MONEY_HALTED" | "PAYOUT_UNKNOWN_OPEN" | "TRADE_ON_HOLD" | null> {
  for (const { id } of await holdsOf(tx, payout.reference)) await refuseAlteredHold(tx, id);
  if ((await isOutgoingStopped(tx)) && !left) return "MONEY_HALTED";
  if (await isMoneyInDoubt(tx, payout.reference)) return "PAYOUT_UNKNOWN_OPEN";
  return (await openHoldReasons(tx, payout.reference)).length > 0 ? "TRADE_ON_HOLD" : null;
}

/** True when the unsent payouts of the record's source add up to exactly what the source holds, so that no money is left over. */
export async function isSourceFullyPromised(tx: Tx, payout: Payout): Promise<boolean> {
  const { holds, promised } = await readSourceTotals(tx, payout);
  return holds === promised;
}
