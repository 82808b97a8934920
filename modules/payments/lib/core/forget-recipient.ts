import { and, eq, inArray, isNotNull, isNull, sql } from "drizzle-orm";
import type { Tx } from "#db/client";
import type { Reference } from "../provider/provider-types.ts";
import { payoutsTable } from "../schema/money.ts";

/**
 * Erases, when a user deletes their account, the destinations of their void payouts among these references, and the telephone number of
 * those that were sent. The account of a sent payout stays until the end of retention as proof (`erasePersonalPaymentData`). The caller has
 * checked that no money is still to be sent to the user (`isMoneyStillToSend`).
 */
export async function forgetRecipient(
  tx: Tx,
  recipientId: number,
  references: readonly Reference[],
  at: Date,
): Promise<void> {
  const among = inArray(payoutsTable.reference, [...references]);
  const theirs = and(among, eq(payoutsTable.recipientId, recipientId), isNull(payoutsTable.erasedAt));
  await tx
    .update(payoutsTable)
    .set({ destination: null, namedReason: null, erasedAt: at })
    .where(and(theirs, eq(payoutsTable.state, "void"), isNotNull(payoutsTable.destination)));
  await tx
    .update(payoutsTable)
    .set({ destination: sql`${payoutsTable.destination} - 'phone'` })
    .where(
      and(theirs, inArray(payoutsTable.state, ["sent", "done"]), sql`${payoutsTable.destination} ? 'phone'`),
    );
}
