import { and, eq, inArray, isNotNull, isNull, lt, ne, sql } from "drizzle-orm";
import { db, type Tx } from "#db/client";
import { holds } from "../holds/schema.ts";
import type { Reference } from "../provider/provider-types.ts";
import { halt, payouts } from "../schema/money.ts";
import { invoices, providerInvoices, providerProblems } from "../schema/provider.ts";
import { tasks } from "../schema/reconciliation.ts";
import { settlements } from "../schema/settlements.ts";

/** Of a note that a row must have: it was there, and is erased. */
const erased = { note: "" };
/** The words of a hold's resolution and of its proposal. */
const emptied = {
  note: sql`CASE WHEN ${holds.note} IS NULL THEN NULL ELSE '' END`,
  proposedNote: sql`CASE WHEN ${holds.proposedNote} IS NULL THEN NULL ELSE '' END`,
};

/**
 * At the end of retention: erases whose accounts the money of a reference went to, what the provider said of its payers, and what
 * administrators wrote of either. Sums, numbers and journals stay, the bank's numbers too: a transfer that was used once must not be
 * used again. The caller holds the reference and knows that none of its money is held or on its way (`stillToSend`), and that nothing
 * of it waits for a person (`openHoldReasons`).
 */
export async function erasePersonal(tx: Tx, reference: Reference, at: Date): Promise<void> {
  const own = tx.select({ id: invoices.id }).from(invoices).where(eq(invoices.reference, reference));
  await tx
    .update(providerProblems)
    .set({ row: {}, ...erased })
    .where(inArray(providerProblems.invoiceId, own));
  await tx
    .update(providerInvoices)
    .set({ answer: sql`${providerInvoices.answer} || '{"problems": []}'` })
    .where(inArray(providerInvoices.invoiceId, own));
  await tx
    .update(tasks)
    .set(erased)
    .where(and(eq(tasks.reference, reference), eq(tasks.state, "resolved")));
  await tx
    .update(holds)
    .set({ facts: {}, ...emptied })
    .where(and(eq(holds.reference, reference), isNotNull(holds.closedAt)));
  await tx
    .update(payouts)
    .set({ destination: null, reason: null, namedReason: null, erasedAt: at })
    .where(and(eq(payouts.reference, reference), isNull(payouts.erasedAt)));
}

/**
 * Erases what administrators wrote before a moment, of whatever trade or none: what they did about a row of the provider and about a
 * difference, why they laid the entry of a settlement aside, and why they turned the halt switch.
 */
export async function eraseOldWords(before: Date): Promise<void> {
  await db()
    .update(providerProblems)
    .set(erased)
    .where(and(lt(providerProblems.resolvedAt, before), ne(providerProblems.note, "")));
  await db()
    .update(tasks)
    .set(erased)
    .where(and(lt(tasks.closedAt, before), ne(tasks.note, "")));
  await db()
    .update(holds)
    .set({ facts: sql`${holds.facts} - 'note'`, ...emptied })
    .where(
      and(
        lt(holds.closedAt, before),
        sql`(${holds.note} <> '' OR ${holds.proposedNote} <> '' OR ${holds.facts} ? 'note')`,
      ),
    );
  await db().update(settlements).set({ asideReason: null }).where(lt(settlements.laidAsideAt, before));
  await db().update(halt).set({ reason: null, resumeReason: null }).where(lt(halt.changedAt, before));
}
