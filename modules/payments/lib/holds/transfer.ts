import type { Tx } from "#db/client";
import type { Person } from "../payouts.ts";
import type { Payout } from "../schema.money.ts";
import { clearHolds, openHolds } from "./open.ts";

const subjectOf = ({ id }: Pick<Payout, "id">) => `payout:${id}`;

/** A transfer in doubt holds everything of its trade. */
export async function holdTransfer(
  tx: Tx,
  payout: Payout,
  { reason: note, at, by }: { reason: string; at: Date; by: Person },
): Promise<void> {
  const { id, reference } = payout;
  const facts = { payoutId: id, note };
  const hold = { reference, reason: "TRANSFER_IN_DOUBT" as const, subject: subjectOf(payout), facts };
  await openHolds(tx, [{ ...hold, figures: at.toISOString(), by: by.userId }], at);
}

/** Somebody found out what became of it. */
export async function releaseTransfer(tx: Tx, payout: Payout, at: Date): Promise<void> {
  await clearHolds(
    tx,
    { reference: payout.reference, reason: "TRANSFER_IN_DOUBT", subject: subjectOf(payout) },
    at,
  );
}
