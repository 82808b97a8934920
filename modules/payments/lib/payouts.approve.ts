import type { Tx } from "#db/client";
import type { Destination } from "../forms.ts";
import { outgoingStopped } from "./halt.ts";
import { plainDestination, sameDestination } from "./payouts.due.ts";
import { needsFourEyes, notAnother, type SameEyes } from "./payouts.foureyes.ts";
import { destinationDigest } from "./payouts.shown.ts";
import { inDoubt, lockPayout, type Person, type Stepped, step, unsent } from "./payouts.ts";
import type { Payout } from "./schema.money.ts";

export type ApproveRefusal =
  | "PAYOUT_NOT_FOUND"
  | "PAYOUT_CONFLICT"
  | "MONEY_HALTED"
  | "PAYOUT_UNKNOWN_OPEN"
  | "DESTINATION_REQUIRED"
  | SameEyes
  | "PAYOUT_NOT_WHOLE";

/**
 * Approves a due payout or refund and freezes where it goes (the given destination, else the one on record). `shown` is the
 * mark (`destinationDigest`) of the destination that the person looked at. Approving again with the same destination answers ok,
 * repeated, by whomever and however far the record has gone since. Who approves makes the transfer, but where that takes another
 * person: then nobody does until one claims it. Refuses, in this order: PAYOUT_NOT_FOUND; PAYOUT_CONFLICT
 * (another destination than the one shown, frozen elsewhere, void or in doubt); MONEY_HALTED; PAYOUT_UNKNOWN_OPEN;
 * DESTINATION_REQUIRED; FOUR_EYES_REQUIRED, FOUR_EYES_RELATED (they, or their other hand, named the account in its owner's place);
 * PAYOUT_NOT_WHOLE.
 */
export async function approve(
  tx: Tx,
  input: { id: number; destination?: Destination; shown?: string | undefined; at: Date; by: Person },
): Promise<Stepped<ApproveRefusal>> {
  const before = await lockPayout(tx, input.id);
  if (before === undefined) return { ok: false, code: "PAYOUT_NOT_FOUND" };
  if (input.shown !== undefined && input.shown !== destinationDigest(before.destination)) {
    return { ok: false, code: "PAYOUT_CONFLICT", current: before, says: "admin.payout.accountChanged" };
  }
  const destination = input.destination ?? before.destination;
  if (before.state !== "due") {
    const done = ["approved", "sent", "done"].includes(before.state);
    return done && sameDestination(before.destination, destination)
      ? { ok: true, payout: before, repeated: true }
      : { ok: false, code: "PAYOUT_CONFLICT", current: before };
  }
  const stopped = await outgoingRefusal(tx, before);
  if (stopped !== null) return { ok: false, code: stopped, current: before };
  if (destination === null) return { ok: false, code: "DESTINATION_REQUIRED", current: before };
  const blind = before.namedBy === null ? null : notAnother(before.namedBy, input.by);
  if (blind !== null) return { ok: false, code: blind, current: before };
  if (!(await whole(tx, before))) return { ok: false, code: "PAYOUT_NOT_WHOLE", current: before };
  const fourEyes = needsFourEyes(before.amount);
  const change = {
    state: "approved" as const,
    destination: plainDestination(destination),
    approvedBy: input.by.userId,
    approvedAt: input.at,
    fourEyes,
    ...(!fourEyes && { claimedBy: input.by.userId, claimedAt: input.at }),
  };
  const after = await step(tx, before, change, { action: "approved", by: input.by, at: input.at });
  return { ok: true, payout: after, repeated: false };
}

/** What stops every outgoing step of a record, whatever the record says. */
export async function outgoingRefusal(
  tx: Tx,
  payout: Payout,
): Promise<"MONEY_HALTED" | "PAYOUT_UNKNOWN_OPEN" | null> {
  if (await outgoingStopped(tx)) return "MONEY_HALTED";
  return (await inDoubt(tx, payout.reference)) ? "PAYOUT_UNKNOWN_OPEN" : null;
}

/** True when what is promised out of the record's source is exactly what the source holds: nothing stays behind. */
export async function whole(tx: Tx, payout: Payout): Promise<boolean> {
  const { holds, promised } = await unsent(tx, payout);
  return holds === promised;
}
