import { asc, eq } from "drizzle-orm";
import type { Tx } from "#db/client";
import { journalEntriesTable, journalsTable } from "../schema/money.ts";
import { type JournalLine, type LedgerAccount, postJournal } from "./ledger.ts";

/**
 * Reverses a journal by a new one that refers to it and mirrors every line. Repeating it changes nothing. Throws if there is no such
 * journal, or if an account no longer holds the amount to be taken back.
 */
export async function reverseJournal(
  tx: Tx,
  journalId: number,
  at: Date,
): Promise<{ journalId: number; posted: boolean }> {
  const [journal] = await tx.select().from(journalsTable).where(eq(journalsTable.id, journalId));
  if (journal === undefined) throw new Error(`ledger: there is no journal ${journalId}`);
  const lines = await tx
    .select()
    .from(journalEntriesTable)
    .where(eq(journalEntriesTable.journalId, journalId))
    .orderBy(asc(journalEntriesTable.account));
  return postJournal(tx, {
    event: `correction:${journalId}`,
    kind: "correction",
    reference: journal.reference,
    corrects: journalId,
    at,
    lines: lines.map(mirrorEntry),
  });
}

function mirrorEntry(entry: { account: string; amount: number }): JournalLine {
  const account = entry.account as LedgerAccount;
  return entry.amount > 0 ? { account, credit: entry.amount } : { account, debit: -entry.amount };
}
