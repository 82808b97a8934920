import { sql } from "drizzle-orm";
import type { Tx } from "#db/client";
import type { Reference } from "../provider/provider-types.ts";
import type { JournalKind, PayoutSource } from "../schema/money.ts";

/** The accounts of the ledger. `escrow:*` and `suspense:*` are liabilities to others and never go below zero. */
export type LedgerAccount =
  | "provider:qpay"
  | "bank"
  | "fees"
  | "expense:qpay"
  | `escrow:${number}`
  | `suspense:${number}`;

/** One line of a journal: whole ₮, on one side. Lines of 0 ₮ are not posted. */
export type JournalLine =
  | { account: LedgerAccount; debit: number }
  | { account: LedgerAccount; credit: number };

export type Journal = {
  /** Unique id of the business event: `payment:7`, `payout:3`, `correction:12`, `settlement:…`. */
  event: string;
  kind: JournalKind;
  reference: Reference | null;
  paymentId?: number;
  payoutId?: number;
  corrects?: number;
  at: Date;
  lines: JournalLine[];
};

/** The account that a payout or refund is paid from. */
export function sourceAccount(reference: Reference, source: PayoutSource): LedgerAccount {
  return source === "escrow" ? `escrow:${reference}` : source;
}

/**
 * Posts one journal: the only writer of the ledger. Posting the same event with the same lines again returns the first journal and writes
 * nothing. Throws on a caller's mistake: an unbalanced journal, one account twice, an amount that is no whole number, the same event with
 * other lines. The database refuses these as well.
 */
export async function postJournal(tx: Tx, journal: Journal): Promise<{ journalId: number; posted: boolean }> {
  const lines = signedLines(journal);
  const values = lines.map((line) => sql`(${line.account}::text, ${line.amount}::bigint)`);
  const posted = await tx.execute<{ journal_id: string }>(sql`
    WITH journal AS (
      INSERT INTO payments.journals (event, kind, reference, payment_id, payout_id, corrects, at)
      VALUES (${journal.event}, ${journal.kind}, ${journal.reference}, ${journal.paymentId ?? null},
        ${journal.payoutId ?? null}, ${journal.corrects ?? null}, ${journal.at.toISOString()}::timestamptz)
      ON CONFLICT (event) DO NOTHING
      RETURNING id
    )
    INSERT INTO payments.entries (journal_id, account, amount)
    SELECT journal.id, line.account, line.amount
    FROM journal, (VALUES ${sql.join(values, sql`, `)}) AS line (account, amount)
    RETURNING journal_id`);
  const [first] = posted;
  if (first !== undefined) return { journalId: Number(first.journal_id), posted: true };
  return { journalId: await findSamePosted(tx, journal.event, lines), posted: false };
}

/**
 * Signs the lines (debits positive, credits negative) and sorts them by account name, so that the same journal always gives the same list.
 */
function signedLines(journal: Journal): Array<{ account: LedgerAccount; amount: number }> {
  const lines = journal.lines
    .map((line) => ({ account: line.account, amount: "debit" in line ? line.debit : -line.credit }))
    .filter((line) => line.amount !== 0)
    .sort((a, b) => (a.account < b.account ? -1 : 1));
  const sides = journal.lines.map((line) => ("debit" in line ? line.debit : line.credit));
  const sum = lines.reduce((total, line) => total + line.amount, 0);
  const names = new Set(lines.map((line) => line.account));
  const whole = sides.every((side) => Number.isSafeInteger(side) && side >= 0);
  if (!whole || sum !== 0 || lines.length < 2 || names.size !== lines.length) {
    throw new Error(`ledger: journal ${journal.event} is not balanced: ${JSON.stringify(journal.lines)}`);
  }
  return lines;
}

async function findSamePosted(
  tx: Tx,
  event: string,
  lines: Array<{ account: LedgerAccount; amount: number }>,
): Promise<number> {
  const found = await tx.execute<{ id: string; account: string; amount: string }>(sql`
    SELECT j.id, e.account, e.amount
    FROM payments.journals j JOIN payments.entries e ON e.journal_id = j.id
    WHERE j.event = ${event} ORDER BY e.account COLLATE "C"`);
  if (describeLines(found) !== describeLines(lines))
    throw new Error(`ledger: ${event} was posted before with other lines`);
  return Number(found[0]?.id);
}

function describeLines(lines: ReadonlyArray<{ account: string; amount: number | string }>): string {
  return lines.map(({ account, amount }) => `${account} ${amount}`).join();
}
