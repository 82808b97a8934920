import { and, eq, inArray, isNotNull, isNull, sql } from "drizzle-orm";
import type { Tx } from "#db/client";
import type { Reference } from "../provider/provider-types.ts";
import { payouts } from "../schema/money.ts";

/**
 * When a person goes: erases where their void records among these references would have gone, and the telephone beside what was
 * sent; the account it was sent to stays until the end of retention (`erasePersonal`), as proof. The caller knows that nothing of
 * theirs is still to be sent (`stillToSend`).
 */
export async function forgetRecipient(
  tx: Tx,
  recipientId: number,
  references: readonly Reference[],
  at: Date,
): Promise<void> {
  const among = inArray(payouts.reference, [...references]);
  const theirs = and(among, eq(payouts.recipientId, recipientId), isNull(payouts.erasedAt));
  await tx
    .update(payouts)
    .set({ destination: null, namedReason: null, erasedAt: at })
    .where(and(theirs, eq(payouts.state, "void"), isNotNull(payouts.destination)));
  await tx
    .update(payouts)
    .set({ destination: sql`${payouts.destination} - 'phone'` })
    .where(and(theirs, inArray(payouts.state, ["sent", "done"]), sql`${payouts.destination} ? 'phone'`));
}
