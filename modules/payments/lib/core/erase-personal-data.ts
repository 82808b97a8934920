import { and, eq, inArray, isNotNull, isNull, lt, ne, sql } from "drizzle-orm";
import { db, type Tx } from "#db/client";
import { holdsTable } from "../holds/schema.ts";
import type { Reference } from "../provider/provider-types.ts";
import { haltTable, payoutsTable } from "../schema/money.ts";
import { invoicesTable, providerInvoicesTable } from "../schema/provider.ts";
import { reconciliationTasksTable } from "../schema/reconciliation.ts";
import { settlementsTable } from "../schema/settlements.ts";

/** Replaces a note whose column must not be null: the empty text shows that there was one. */
const erasedNote = { note: "" };
/** Empties the notes of a hold's resolution and of its proposal. */
const emptiedHoldNotes = {
  note: sql`CASE WHEN ${holdsTable.note} IS NULL THEN NULL ELSE '' END`,
  proposedNote: sql`CASE WHEN ${holdsTable.proposedNote} IS NULL THEN NULL ELSE '' END`,
};

/**
 * Erases, at the end of retention, the bank accounts that money of a reference went to, what the provider reported about its payers, and
 * what administrators wrote about either. Amounts, ids and journals stay, and so do the bank's references: a transfer that was used once
 * must not be used again. The caller has locked the reference and checked that none of its money is held or still to be sent
 * (`isMoneyStillToSend`), and that nothing of it waits for an administrator (`openHoldReasons`).
 */
export async function erasePersonalPaymentData(tx: Tx, reference: Reference, at: Date): Promise<void> {
  const own = tx
    .select({ id: invoicesTable.id })
    .from(invoicesTable)
    .where(eq(invoicesTable.reference, reference));
  await tx
    .update(providerInvoicesTable)
    .set({ answer: sql`${providerInvoicesTable.answer} || '{"problems": []}'` })
    .where(inArray(providerInvoicesTable.invoiceId, own));
  await tx
    .update(reconciliationTasksTable)
    .set(erasedNote)
    .where(
      and(eq(reconciliationTasksTable.reference, reference), eq(reconciliationTasksTable.state, "resolved")),
    );
  await tx
    .update(holdsTable)
    .set({ facts: {}, ...emptiedHoldNotes })
    .where(and(eq(holdsTable.reference, reference), isNotNull(holdsTable.closedAt)));
  await tx
    .update(payoutsTable)
    .set({ destination: null, reason: null, namedReason: null, erasedAt: at })
    .where(and(eq(payoutsTable.reference, reference), isNull(payoutsTable.erasedAt)));
}

/**
 * Erases what administrators wrote before a moment, for every trade and for none: notes on the provider's rows, on differences and on
 * holds, reasons for discarding a settlement, and reasons for halting and resuming money.
 */
export async function eraseOldAdministratorNotes(before: Date): Promise<void> {
  await db()
    .update(reconciliationTasksTable)
    .set(erasedNote)
    .where(and(lt(reconciliationTasksTable.closedAt, before), ne(reconciliationTasksTable.note, "")));
  await db()
    .update(holdsTable)
    .set({ facts: sql`${holdsTable.facts} - 'note'`, ...emptiedHoldNotes })
    .where(
      and(
        lt(holdsTable.closedAt, before),
        sql`(${holdsTable.note} <> '' OR ${holdsTable.proposedNote} <> '' OR ${holdsTable.facts} ? 'note')`,
      ),
    );
  await db()
    .update(settlementsTable)
    .set({ discardReason: null })
    .where(lt(settlementsTable.discardedAt, before));
  await db()
    .update(haltTable)
    .set({ reason: null, resumeReason: null })
    .where(lt(haltTable.changedAt, before));
}
