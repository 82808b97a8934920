import type { Payout } from "#modules/payments";

/** Who is making a transfer at the bank, and since when. */
export type Sender = { id: number; displayName: string; since: string };

/**
 * Who is making the transfer of an approved payout or refund, or was when it fell into doubt before it was posted; null while
 * nobody is. `who` knows their name.
 */
export function senderOf(
  { state, sentAt, claimedBy, claimedAt }: Pick<Payout, "state" | "sentAt" | "claimedBy" | "claimedAt">,
  who: ReadonlyMap<number, { displayName: string }>,
): Sender | null {
  const open = state === "approved" || (state === "unknown" && sentAt === null);
  if (!open || claimedBy === null || claimedAt === null) return null;
  const displayName = who.get(claimedBy)?.displayName ?? "";
  return { id: claimedBy, displayName, since: claimedAt.toISOString() };
}
