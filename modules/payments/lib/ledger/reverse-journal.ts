import { asc, eq } from "drizzle-orm";
import type { Tx } from "#db/client";
import { entries, journals } from "../schema/money.ts";
import { type Account, type Line, postJournal } from "./ledger.ts";

/**
 * Undoes a journal by a new one that points back and mirrors every line (design §6); repeating it changes nothing.
 * Throws when there is no such journal, or when an account no longer holds what would be taken back.
 */
export async function reverseJournal(
  tx: Tx,
  journalId: number,
  at: Date,
): Promise<{ journalId: number; posted: boolean }> {
  const [journal] = await tx.select().from(journals).where(eq(journals.id, journalId));
  if (journal === undefined) throw new Error(`ledger: there is no journal ${journalId}`);
  const lines = await tx
    .select()
    .from(entries)
    .where(eq(entries.journalId, journalId))
    .orderBy(asc(entries.account));
  return postJournal(tx, {
    event: `correction:${journalId}`,
    kind: "correction",
    reference: journal.reference,
    corrects: journalId,
    at,
    lines: lines.map(mirrored),
  });
}

function mirrored(entry: { account: string; amount: number }): Line {
  const account = entry.account as Account;
  return entry.amount > 0 ? { account, credit: entry.amount } : { account, debit: -entry.amount };
}
