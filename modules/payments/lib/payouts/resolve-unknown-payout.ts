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
 * Says that nobody knows whether an approved or sent transfer happened. Until `resolveUnknownPayout` nothing else of its reference can
 * be approved, sent or voided. Repeating it changes nothing. Refuses: PAYOUT_NOT_FOUND; PAYOUT_CONFLICT.
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
 * What a person found out about money in doubt. `sent`: the record goes on as sent, posted now if it was not before.
 * `not_sent`: the record is void, a posted journal is undone by a correction, and a fresh due record takes its place (the
 * answer's `payout`), so that one record is sent once at most. It records what happened outside, so a halt does not stop
 * it. Repeating the same finding changes nothing. Of a transfer not posted yet only who was making it, or has taken it over, says what
 * became of it; but who has taken it over does not say alone that it was not made. That a posted one, or one that somebody else says they
 * made (`reportedBy`), was not sent is another administrator's to say; and so it is that the one beside which another was reported was, and
 * that one was which a halt or a hold of its trade would have stopped.
 * Refuses, in this order: PAYOUT_NOT_FOUND; PAYOUT_CONFLICT; FOUR_EYES_REQUIRED, FOUR_EYES_RELATED; PAYOUT_CLAIMED;
 * BANK_REFERENCE_USED.
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

/** Why a person's word on a transfer that is not posted is not enough: its approval lapsed, and the doubt is theirs too. */
async function lapsedRefusal(
  before: Payout,
  input: { at: Date; by: PayoutActor },
): Promise<FourEyesRefusal | null> {
  if ((await approvalRefusal(before, input)) !== "APPROVAL_LAPSED" || before.unknownBy === null) return null;
  return fourEyesRefusal(before.unknownBy, input.by);
}

/**
 * Why this person may not say that a transfer which is not posted was made: a halt or a hold of its trade stops it, and they make it or put
 * it in doubt. Else one administrator would get by this detour past what refused them the sending. Null where nothing stops it.
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
    const blind = other === null ? null : fourEyesRefusal(other, by);
    if (blind !== null) return { code: blind };
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
  const blind =
    contradictionRefusal(before, input) ??
    (posted ? null : ((await senderRefusal(tx, before, input.by)) ?? (await lapsedRefusal(before, input)))) ??
    stopped?.code;
  if (blind != null) return { ok: false, code: blind, current: before };
  // What stops it makes it another's to say than its maker's.
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
  // Else whoever may not send what another is transferring would make it due again by a detour, to be sent twice.
  const taken = before.takenOverFrom !== null;
  if (before.sentAt === null && !taken && claimedByAnother(before, input.by)) return refuseClaimed(before);
  const blind = unsentRefusal(before, input.by);
  if (blind !== null) return { ok: false, code: blind, current: before };
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
 * Why this person may not record a transfer as sent: they made it, and another administrator reported having made it before. They may
 * record the reported number.
 */
function contradictionRefusal(
  { reportedBy, reportedReference, sentBy, claimedBy }: Payout,
  { bankReference, by }: { bankReference: string; by: PayoutActor },
): FourEyesRefusal | null {
  const maker = sentBy ?? claimedBy;
  if (reportedBy === null || maker === null || maker === reportedBy) return null;
  return plainReference(bankReference) === reportedReference ? null : fourEyesRefusal(maker, by);
}

/** Why this person may not deny a transfer: they sent it, took it over or reported it, and could alone have it sent twice. */
function unsentRefusal(
  { sentBy, reportedBy, takenOverFrom, claimedBy }: Payout,
  by: PayoutActor,
): FourEyesRefusal | null {
  const taker = sentBy === null && takenOverFrom !== null ? claimedBy : null;
  for (const other of [sentBy, reportedBy, taker]) {
    const blind = other === null ? null : fourEyesRefusal(other, by);
    if (blind !== null) return blind;
  }
  return null;
}

function refuseClaimed(before: Payout) {
  return { ok: false, code: "PAYOUT_CLAIMED", current: before } as const;
}

function pickMoney({ reference, kind, source, amount, fee, recipientId, dueAt }: Payout) {
  return { reference, kind, source, amount, fee, recipientId, dueAt };
}
