import { and, eq, inArray, isNotNull, isNull, sql } from "drizzle-orm";
import type { Tx } from "#db/client";
import type { Reference } from "../provider/provider-types.ts";
import { payoutsTable } from "../schema/money.ts";

/**
 * When a person goes: erases where their void records among these references would have gone, and the telephone beside what was
 * sent; the account it was sent to stays until the end of retention (`erasePersonalPaymentData`), as proof. The caller knows that nothing of
 * theirs is still to be sent (`isMoneyStillToSend`).
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
