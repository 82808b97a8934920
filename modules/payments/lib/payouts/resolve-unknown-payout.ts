import { eq } from "drizzle-orm";
import type { Tx } from "#db/client";
import { holdTransfer, releaseTransfer } from "../holds/held-transfer.ts";
import { endsWithItsRecord } from "../holds/hold-reasons.ts";
import { openHoldReasons } from "../holds/list-holds.ts";
import { reverseJournal } from "../ledger/reverse-journal.ts";
import { bankReferenceTaken, plainReference } from "../received/bank-reference.ts";
import { journalsTable, type Payout, payoutsTable } from "../schema/money.ts";
import { isOutgoingStopped, leftBeforeHalt } from "../treasury/halt-money.ts";
import { approvalRefusal } from "./approval-rules.ts";
import { insertDuePayout, namingOf } from "./create-payout.ts";
import { type FourEyesRefusal, fourEyesRefusal, senderRefusal } from "./four-eyes.ts";
import type { Witness } from "./mark-payout-done.ts";
import { postPayoutSent } from "./mark-payout-sent.ts";
import {
  claimedByAnother,
  lockPayout,
  type PayoutActor,
  type PayoutRecordResult,
  recordPayoutStep,
} from "./payouts.ts";

/**
 * Marks an approved or sent transfer as in doubt: nobody knows whether it happened. Until `resolveUnknownPayout` no other payout of its
 * reference can be approved, sent or voided. Repeating it changes nothing. Refuses: PAYOUT_NOT_FOUND; PAYOUT_CONFLICT.
 */
export async function markPayoutUnknown(
  tx: Tx,
  input: { id: number; reason: string; at: Date; by: PayoutActor },
): Promise<PayoutRecordResult<"PAYOUT_NOT_FOUND" | "PAYOUT_CONFLICT">> {
  const before = await lockPayout(tx, input.id);
  if (before === undefined) return { ok: false, code: "PAYOUT_NOT_FOUND" };
  if (before.state === "unknown") return { ok: true, payout: before, repeated: true };
  if (before.state !== "approved" && before.state !== "sent") {
    return { ok: false, code: "PAYOUT_CONFLICT", current: before };
  }
  const change = {
    state: "unknown" as const,
    unknownBy: input.by.userId,
    unknownAt: input.at,
    reason: input.reason,
  };
  const after = await recordPayoutStep(tx, before, change, { action: "unknown", by: input.by, at: input.at });
  await holdTransfer(tx, after, input);
  return { ok: true, payout: after, repeated: false };
}

export type Resolution = { id: number; at: Date; by: Witness } & (
  | { outcome: "sent"; bankReference: string }
  | { outcome: "not_sent"; reason: string }
);

export type ResolveRefusal =
  | "PAYOUT_NOT_FOUND"
  | "PAYOUT_CONFLICT"
  | FourEyesRefusal
  | "PAYOUT_CLAIMED"
  | "BANK_REFERENCE_USED";

/**
 * Records what an administrator found out about a transfer in doubt. `sent`: the payout becomes sent, and is posted now if it was not
 * before. `not_sent`: the payout becomes void, a correction reverses a posted journal, and a new due payout replaces it (the returned
 * `payout`), so that one payout is sent at most once. Either outcome happened outside Midman, so a halt does not stop its recording.
 * Repeating the same outcome changes nothing.
 * Who may resolve a transfer that is not posted: only the administrator who claimed it or took over its claim; one who took it over cannot
 * alone report it as not sent. Another administrator must decide: that a posted transfer was not sent, or one that somebody reported as
 * made (`reportedBy`); that the transfer beside a reported one was sent; and that a transfer was sent which a halt or a hold of its trade
 * would have stopped.
 * Refuses, in this order: PAYOUT_NOT_FOUND; PAYOUT_CONFLICT; FOUR_EYES_REQUIRED, FOUR_EYES_RELATED; PAYOUT_CLAIMED; BANK_REFERENCE_USED.
 */
export async function resolveUnknownPayout(
  tx: Tx,
  input: Resolution,
): Promise<PayoutRecordResult<ResolveRefusal>> {
  const before = await lockPayout(tx, input.id);
  if (before === undefined) return { ok: false, code: "PAYOUT_NOT_FOUND" };
  const found =
    input.outcome === "sent"
      ? await resolveAsSent(tx, before, input)
      : await resolveAsUnsent(tx, before, input);
  if (found.ok && !found.repeated) await releaseTransfer(tx, before, input.at);
  return found;
}

/**
 * Why this administrator alone may not report a transfer that is not posted as sent: its approval lapsed, and the same administrator, or
 * one who counts as the same reviewer, put it in doubt.
 */
async function lapsedRefusal(
  before: Payout,
  input: { at: Date; by: PayoutActor },
): Promise<FourEyesRefusal | null> {
  if ((await approvalRefusal(before, input)) !== "APPROVAL_LAPSED" || before.unknownBy === null) return null;
  return fourEyesRefusal(before.unknownBy, input.by);
}

/**
 * Why this administrator may not report a transfer that is not posted as sent: a halt or a hold of its trade would have stopped it, and
 * they claimed it or put it in doubt. Otherwise one administrator could bypass the refusal to send it. Null if nothing would have stopped
 * it.
 */
async function stoppedRefusal(
  tx: Tx,
  before: Payout,
  by: PayoutActor,
): Promise<{ code: FourEyesRefusal | null } | null> {
  const halted = (await isOutgoingStopped(tx)) && !(await leftBeforeHalt(tx, before, by));
  const reasons = await openHoldReasons(tx, before.reference);
  if (!halted && reasons.every(endsWithItsRecord)) return null;
  for (const other of [before.claimedBy, before.unknownBy]) {
    const reviewerRefusal = other === null ? null : fourEyesRefusal(other, by);
    if (reviewerRefusal !== null) return { code: reviewerRefusal };
  }
  return { code: null };
}

async function resolveAsSent(
  tx: Tx,
  before: Payout,
  input: { bankReference: string; at: Date; by: PayoutActor },
): Promise<PayoutRecordResult<ResolveRefusal>> {
  const bankReference = plainReference(input.bankReference);
  if (before.state !== "unknown") {
    const repeated =
      (before.state === "sent" || before.state === "done") && before.bankReference === bankReference;
    return repeated
      ? { ok: true, payout: before, repeated: true }
      : { ok: false, code: "PAYOUT_CONFLICT", current: before };
  }
  if (before.bankReference !== null && before.bankReference !== bankReference) {
    return { ok: false, code: "PAYOUT_CONFLICT", current: before };
  }
  const posted = before.sentAt !== null;
  const stopped = posted ? null : await stoppedRefusal(tx, before, input.by);
  const reviewerRefusal =
    contradictionRefusal(before, input) ??
    (posted ? null : ((await senderRefusal(tx, before, input.by)) ?? (await lapsedRefusal(before, input)))) ??
    stopped?.code;
  if (reviewerRefusal != null) return { ok: false, code: reviewerRefusal, current: before };
  // A transfer that a halt or hold stops must be resolved by another administrator than its claimer.
  if (!posted && stopped === null && claimedByAnother(before, input.by)) return refuseClaimed(before);
  if (await bankReferenceTaken(tx, bankReference, before.id)) {
    return { ok: false, code: "BANK_REFERENCE_USED", current: before };
  }
  if (!posted) {
    const after = await postPayoutSent(tx, before, { ...input, bankReference, action: "found_sent" });
    return { ok: true, payout: after, repeated: false };
  }
  const change = { state: "sent" as const, bankReference, referenceMissing: false };
  const after = await recordPayoutStep(tx, before, change, {
    action: "found_sent",
    by: input.by,
    at: input.at,
  });
  return { ok: true, payout: after, repeated: false };
}

async function resolveAsUnsent(
  tx: Tx,
  before: Payout,
  input: { reason: string; at: Date; by: PayoutActor },
): Promise<PayoutRecordResult<ResolveRefusal>> {
  if (before.state !== "unknown") {
    const [fresh] = await tx.select().from(payoutsTable).where(eq(payoutsTable.replaces, before.id));
    return fresh !== undefined
      ? { ok: true, payout: fresh, repeated: true }
      : { ok: false, code: "PAYOUT_CONFLICT", current: before };
  }
  // Otherwise an administrator who may not send a transfer that another is making could make it due again, and it would be sent twice.
  const taken = before.takenOverFrom !== null;
  if (before.sentAt === null && !taken && claimedByAnother(before, input.by)) return refuseClaimed(before);
  const reviewerRefusal = unsentRefusal(before, input.by);
  if (reviewerRefusal !== null) return { ok: false, code: reviewerRefusal, current: before };
  const [journal] = await tx
    .select({ id: journalsTable.id })
    .from(journalsTable)
    .where(eq(journalsTable.event, `payout:${before.id}`));
  if (journal !== undefined) await reverseJournal(tx, journal.id, input.at);
  const change = {
    state: "void" as const,
    voidedBy: input.by.userId,
    voidedAt: input.at,
    reason: input.reason,
    referenceMissing: false,
  };
  await recordPayoutStep(tx, before, change, { action: "found_not_sent", by: input.by, at: input.at });
  const fresh = await insertDuePayout(tx, {
    ...pickMoney(before),
    ...(before.destination && { destination: before.destination }),
    correctedAt: before.correctedAt,
    named: namingOf(before),
    at: input.at,
    by: input.by,
    replaces: before.id,
  });
  return { ok: true, payout: fresh, repeated: false };
}

/**
 * Why this administrator may not record a transfer as sent: they made it, and another administrator reported having made it before. They
 * may record it with the reported bank reference.
 */
function contradictionRefusal(
  { reportedBy, reportedReference, sentBy, claimedBy }: Payout,
  { bankReference, by }: { bankReference: string; by: PayoutActor },
): FourEyesRefusal | null {
  const maker = sentBy ?? claimedBy;
  if (reportedBy === null || maker === null || maker === reportedBy) return null;
  return plainReference(bankReference) === reportedReference ? null : fourEyesRefusal(maker, by);
}

/**
 * Why this administrator may not report a transfer as not sent: they sent it, took it over or reported it, and could alone cause a second
 * transfer.
 */
function unsentRefusal(
  { sentBy, reportedBy, takenOverFrom, claimedBy }: Payout,
  by: PayoutActor,
): FourEyesRefusal | null {
  const taker = sentBy === null && takenOverFrom !== null ? claimedBy : null;
  for (const other of [sentBy, reportedBy, taker]) {
    const reviewerRefusal = other === null ? null : fourEyesRefusal(other, by);
    if (reviewerRefusal !== null) return reviewerRefusal;
  }
  return null;
}

function refuseClaimed(before: Payout) {
  return { ok: false, code: "PAYOUT_CLAIMED", current: before } as const;
}

function pickMoney({ reference, kind, source, amount, fee, recipientId, dueAt }: Payout) {
  return { reference, kind, source, amount, fee, recipientId, dueAt };
}
