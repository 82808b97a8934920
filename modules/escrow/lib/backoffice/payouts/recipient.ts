import { maskNumber } from "#format";
import type { Payout } from "#modules/payments";
import type { Sender } from "./responses.ts";

/**
 * Who is making the transfer of an approved payout or refund, or was making it when it fell into doubt before it was posted; null if nobody
 * is. `who` holds their name.
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

type TransferRecord = Pick<Payout, "state" | "sentAt" | "sentBy" | "claimedBy" | "destination">;

/**
 * The destination of a payout or refund as an administrator may read it: in full for the one who makes the transfer, or who sent what was
 * posted; for others the bank, the name and the last four digits of the account.
 */
export function destinationFor(reader: number, record: TransferRecord): Payout["destination"] {
  return makesTransfer(reader, record) ? record.destination : maskDestination(record.destination);
}

function makesTransfer(reader: number, { state, sentAt, sentBy, claimedBy }: TransferRecord): boolean {
  if (sentAt !== null) return sentBy === reader;
  return (state === "approved" || state === "unknown") && claimedBy === reader;
}

/** A destination that can be told apart from others, but not paid to. */
export function maskDestination(destination: Payout["destination"]): Payout["destination"] {
  if (destination === null) return null;
  const { bankName, accountName, accountNumber } = destination;
  return { bankName, accountName, accountNumber: maskNumber(accountNumber) };
}
