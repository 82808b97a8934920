import { asc, eq, inArray } from "drizzle-orm";
import type { Executor } from "#db/client";
import type { Reference } from "../provider/provider-types.ts";
import { type JournalKind, journalEntriesTable, journalsTable } from "../schema/money.ts";

/** One posted journal, for display. Amounts are whole ₮; `sum` is the total of either side. */
export type PostedJournal = {
  id: number;
  kind: JournalKind;
  at: Date;
  /** Id of the journal that this one reverses; null otherwise. */
  corrects: number | null;
  sum: number;
  lines: Array<{ account: string; debit: number; credit: number }>;
};

/** Every journal of a reference, oldest first; debits come before credits. */
export async function journalsOf(exec: Executor, reference: Reference): Promise<PostedJournal[]> {
  const posted = await exec
    .select()
    .from(journalsTable)
    .where(eq(journalsTable.reference, reference))
    .orderBy(asc(journalsTable.id));
  const ids = posted.map(({ id }) => id);
  const all =
    ids.length === 0
      ? []
      : await exec
          .select()
          .from(journalEntriesTable)
          .where(inArray(journalEntriesTable.journalId, ids))
          .orderBy(asc(journalEntriesTable.account));
  return posted.map(({ id, kind, at, corrects }) => {
    const lines = all
      .filter(({ journalId }) => journalId === id)
      .map(({ account, amount }) => ({
        account,
        debit: Math.max(amount, 0),
        credit: Math.max(-amount, 0),
      }))
      .sort((a, b) => b.debit - a.debit);
    return { id, kind, at, corrects, sum: lines.reduce((sum, line) => sum + line.debit, 0), lines };
  });
}
