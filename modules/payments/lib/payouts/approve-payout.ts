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
 * Approves a due payout or refund and freezes where it goes (the destination on record, else the one given). `shown` is the
 * mark (`destinationDigest`) of the destination that the person looked at. Approving again with the same destination answers ok,
 * repeated, by whomever and however far the record has gone since; but an approval whose giver is no administrator any more is given
 * anew. Who approves makes the transfer, but where that takes another person: then nobody does until one claims it. A corrected
 * account takes two: after the first the record stays due. Refuses, in this order: PAYOUT_NOT_FOUND; PAYOUT_CONFLICT
 * (another destination than the one shown or on record, void or in doubt);
 * MONEY_HALTED; PAYOUT_UNKNOWN_OPEN; TRADE_ON_HOLD; DESTINATION_REQUIRED; FOUR_EYES_REQUIRED, FOUR_EYES_RELATED (they, or their other hand, named
 * the account in its owner's place, or approved it first); ACCOUNT_JUST_CORRECTED to the second of two within three hours;
 * PAYOUT_NOT_WHOLE.
 */
export async function approvePayoutRecord(
  tx: Tx,
  input: Approval,
): Promise<PayoutRecordResult<ApproveRefusal>> {
  const before = await lockPayout(tx, input.id);
  if (before === undefined) return { ok: false, code: "PAYOUT_NOT_FOUND" };
  if (input.shown !== undefined && input.shown !== destinationDigest(before.destination)) {
    return { ok: false, code: "PAYOUT_CONFLICT", current: before, says: "admin.payout.accountChanged" };
  }
  const destination = input.destination ?? before.destination;
  const same = sameDestination(before.destination, destination);
  // The owner's correction alone leads elsewhere: nobody approves another account than the one on record.
  if (before.destination !== null && !same) return refuseConflict(before);
  if (before.state === "due") return approveDue(tx, before, { ...input, destination });
  if (!same || !["approved", "sent", "done"].includes(before.state)) return refuseConflict(before);
  const lapsed = before.state === "approved" && (await approvalRefusal(before, input)) === "APPROVAL_LAPSED";
  if (!lapsed) return { ok: true, payout: before, repeated: true };
  return approveDue(tx, { ...before, ...withdrawnApproval }, { ...input, destination, lapsed: before });
}

type ApprovalStep = { destination: Destination | null; at: Date; by: PayoutActor; lapsed?: Payout };

/** `lapsed` is the approved record whose approval died with its giver's right: it is taken back before it is given anew. */
async function approveDue(
  tx: Tx,
  before: Payout,
  { destination, at, by, lapsed }: ApprovalStep,
): Promise<PayoutRecordResult<ApproveRefusal>> {
  const stopped = await outgoingRefusal(tx, before);
  if (stopped !== null) return { ok: false, code: stopped, current: before };
  if (destination === null) return { ok: false, code: "DESTINATION_REQUIRED", current: before };
  const blind = before.namedBy === null ? null : fourEyesRefusal(before.namedBy, by);
  if (blind !== null) return { ok: false, code: blind, current: before };
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

/** Who approves makes the transfer where one may do both; who was making it under a lapsed approval goes on. */
function claimAfterApproval(
  lapsed: Payout | undefined,
  fourEyes: boolean,
  { at, by }: { at: Date; by: PayoutActor },
) {
  const before = lapsed?.claimedBy ?? null;
  if (lapsed !== undefined && before !== null && !(fourEyes && before === by.userId)) {
    return { claimedBy: before, claimedAt: lapsed.claimedAt, takenOverFrom: lapsed.takenOverFrom };
  }
  return fourEyes ? {} : { claimedBy: by.userId, claimedAt: at };
}

/** Who approved a corrected account first and still may; null while nobody did. */
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
 * What stops every outgoing step of a record, whatever the record says: the halt, a transfer in doubt, another reason of its trade's
 * hold. `left`: the step only records a transfer that was made before the halt, which the halt does not stop (`leftBeforeHalt`).
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

/** True when what is promised out of the record's source is exactly what the source holds: nothing stays behind. */
export async function isSourceFullyPromised(tx: Tx, payout: Payout): Promise<boolean> {
  const { holds, promised } = await readSourceTotals(tx, payout);
  return holds === promised;
}
