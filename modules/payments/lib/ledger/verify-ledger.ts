import { type SQL, sql } from "drizzle-orm";
import { runInSnapshot, type Tx } from "#db/client";
import { ledgerProofQueries, type ProblemCode } from "./proof-queries.ts";

/** The totals of the ledger in ₮: received = held + suspense + paidOut + fees + refunded; and counts of its rows. */
export type LedgerSums = {
  received: number;
  held: number;
  suspense: number;
  paidOut: number;
  fees: number;
  refunded: number;
  journals: number;
  entries: number;
  payments: number;
  payouts: number;
};

/**
 * One failed proof, of the ledger (`ProblemCode`) or of a registered proof: the number of records that break it, and the names of up to
 * five.
 */
export type LedgerProblem = { code: string; count: number; examples: string[] };
/** A proof that a higher module adds, about records that the ledger does not know. It reads the same snapshot of the database. */
export type LedgerProof = (tx: Tx) => Promise<LedgerProblem[]>;
export type LedgerVerdict =
  | { ok: true; sums: LedgerSums }
  | { ok: false; sums: LedgerSums; problems: LedgerProblem[] };

const EXAMPLES = 5;
const registeredProofs = new Map<string, LedgerProof>();

/** Adds a proof to every verification of the ledger; registering a name again replaces its proof. Returns a function that removes it. */
export function registerLedgerProof(name: string, proof: LedgerProof): () => void {
  registeredProofs.set(name, proof);
  return () => {
    if (registeredProofs.get(name) === proof) registeredProofs.delete(name);
  };
}

/**
 * Proves the ledger from its entries alone, in one snapshot of the database, also beside a running instance: every journal balances; every
 * payment and every sent payout has its one journal; every balance is the sum of its entries and none is below zero; no money is in
 * suspense without its refund; the totals above are equal; and every registered proof holds. Reads only.
 */
export function verifyLedger(): Promise<LedgerVerdict> {
  return runInSnapshot(proveLedger);
}

/** The same proof inside an open transaction. */
export async function proveLedger(tx: Tx): Promise<LedgerVerdict> {
  const sums = await sumLedger(tx);
  const problems: LedgerProblem[] = [];
  for (const { code, broken } of ledgerProofQueries) {
    const problem = await findProblem(tx, code, broken);
    if (problem !== null) problems.push(problem);
  }
  for (const proof of registeredProofs.values()) problems.push(...(await proof(tx)));
  const { received, held, suspense, paidOut, fees, refunded } = sums;
  const difference = received - (held + suspense + paidOut + fees + refunded);
  if (difference !== 0) problems.push({ code: "SUMS_DIFFER", count: 1, examples: [`${difference} ₮`] });
  return problems.length === 0 ? { ok: true, sums } : { ok: false, sums, problems };
}

async function findProblem(tx: Tx, code: ProblemCode, broken: SQL): Promise<LedgerProblem | null> {
  const rows = await tx.execute<{ what: string; count: string }>(
    sql`SELECT what, count(*) OVER () AS count FROM (${broken}) AS broken ORDER BY what LIMIT ${EXAMPLES}`,
  );
  const [first] = rows;
  if (first === undefined) return null;
  return { code, count: Number(first.count), examples: rows.map((row) => row.what) };
}

/** Counts a correction under the kind of the journal it corrects, so that undone money leaves that total again. */
async function sumLedger(tx: Tx): Promise<LedgerSums> {
  const [row] = await tx.execute<Record<keyof LedgerSums, string>>(sql`
    WITH lines AS (
      SELECT e.account, e.amount, coalesce(c.kind, j.kind) AS kind
      FROM payments.entries e JOIN payments.journals j ON j.id = e.journal_id
      LEFT JOIN payments.journals c ON c.id = j.corrects
    )
    SELECT
      coalesce(sum(amount) FILTER (WHERE account = 'provider:qpay' AND kind = 'payment'), 0) AS received,
      coalesce(-sum(amount) FILTER (WHERE account LIKE 'escrow:%'), 0) AS held,
      coalesce(-sum(amount) FILTER (WHERE account LIKE 'suspense:%'), 0) AS suspense,
      coalesce(-sum(amount) FILTER (WHERE account = 'bank' AND kind = 'payout'), 0) AS "paidOut",
      coalesce(-sum(amount) FILTER (WHERE account = 'fees'), 0) AS fees,
      coalesce(-sum(amount) FILTER (WHERE account = 'bank' AND kind = 'refund'), 0) AS refunded,
      (SELECT count(*) FROM payments.journals) AS journals,
      count(*) AS entries,
      (SELECT count(*) FROM payments.payments) AS payments,
      (SELECT count(*) FROM payments.payouts) AS payouts
    FROM lines`);
  if (row === undefined) throw new Error("verify: the sums answered nothing");
  const entries = Object.entries(row).map(([name, value]) => [name, Number(value)]);
  return Object.fromEntries(entries) as LedgerSums;
}
