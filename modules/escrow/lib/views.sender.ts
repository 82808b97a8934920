import type { Payout } from "#modules/payments";

/** Who is making a transfer at the bank, and since when. */
export type Sender = { id: number; displayName: string; since: string };

/** Who is making the transfer of a payout or refund that has not left; null while nobody is. `who` knows their name. */
export function senderOf(
  { state, claimedBy, claimedAt }: Pick<Payout, "state" | "claimedBy" | "claimedAt">,
  who: ReadonlyMap<number, { displayName: string }>,
): Sender | null {
  const open = state === "approved" || state === "unknown";
  if (!open || claimedBy === null || claimedAt === null) return null;
  const displayName = who.get(claimedBy)?.displayName ?? "";
  return { id: claimedBy, displayName, since: claimedAt.toISOString() };
}
