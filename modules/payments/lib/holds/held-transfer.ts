import { eq, isNull } from "drizzle-orm";
import type { Tx } from "#db/client";
import type { PayoutActor } from "../payouts/payouts.ts";
import { refuseAlteredHold } from "../proof/sealed-holds.ts";
import type { Payout } from "../schema/money.ts";
import { clearHolds, lockHolds, openHolds } from "./open-holds.ts";
import { holdsTable } from "./schema.ts";

const subjectOf = ({ id }: Pick<Payout, "id">) => `payout:${id}`;

/** Puts a trade on hold because nobody knows whether one of its transfers was made. */
export async function holdTransfer(
  tx: Tx,
  payout: Payout,
  { reason: note, at, by }: { reason: string; at: Date; by: PayoutActor },
): Promise<void> {
  const { id, reference } = payout;
  const facts = { payoutId: id, note };
  const hold = { reference, reason: "TRANSFER_IN_DOUBT" as const, subject: subjectOf(payout), facts };
  await openHolds(tx, [{ ...hold, figures: at.toISOString(), by: by.userId }], at);
}

/** Ends the hold of a transfer whose outcome is now known. Throws RecordAltered for an altered hold, because no other step could end it. */
export async function releaseTransfer(tx: Tx, payout: Payout, at: Date): Promise<void> {
  const { reference } = payout;
  const of = { reference, reason: "TRANSFER_IN_DOUBT" as const, subject: subjectOf(payout) };
  const open = await lockHolds(tx, [
    ...[
      eq(holdsTable.reference, reference),
      eq(holdsTable.reason, of.reason),
      eq(holdsTable.subject, of.subject),
    ],
    isNull(holdsTable.closedAt),
  ]);
  for (const id of open) await refuseAlteredHold(tx, id);
  await clearHolds(tx, of, at);
}
