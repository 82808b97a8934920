import type { Tx } from "#db/client";
import { lockPayout, type Person, type Stepped, step } from "./payouts.ts";

/**
 * Records that a sent payout or refund was seen on the bank's statement. Repeating it changes nothing. Refuses:
 * PAYOUT_NOT_FOUND; PAYOUT_CONFLICT (not sent); BANK_REFERENCE_REQUIRED (sent without one: give it first).
 */
export async function markDone(
  tx: Tx,
  input: { id: number; at: Date; by: Person },
): Promise<Stepped<"PAYOUT_NOT_FOUND" | "PAYOUT_CONFLICT" | "BANK_REFERENCE_REQUIRED">> {
  const before = await lockPayout(tx, input.id);
  if (before === undefined) return { ok: false, code: "PAYOUT_NOT_FOUND" };
  if (before.state === "done") return { ok: true, payout: before, repeated: true };
  if (before.state !== "sent") return { ok: false, code: "PAYOUT_CONFLICT", current: before };
  if (before.referenceMissing) return { ok: false, code: "BANK_REFERENCE_REQUIRED", current: before };
  const change = { state: "done" as const, doneBy: input.by.userId, doneAt: input.at };
  const after = await step(tx, before, change, { action: "done", by: input.by, at: input.at });
  return { ok: true, payout: after, repeated: false };
}
