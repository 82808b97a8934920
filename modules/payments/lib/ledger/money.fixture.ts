import { expect } from "bun:test";
import { type SQL, sql } from "drizzle-orm";
import { db, runInTransaction, type Tx } from "#db/client";
import { listEntries } from "#modules/audit";
import { ownerDatabase } from "../../../../tests/support/database/test-database.ts";
import type { Destination } from "../../forms.ts";
import { reserveInvoice } from "../invoices/reserve-invoice.ts";
import { createDuePayout } from "../payouts/create-payout.ts";
import type { PayoutActor } from "../payouts/payouts.ts";
import type { PaidRow } from "../provider/provider-types.ts";
import { recordPayments } from "../received/record-payments.ts";
import { journalEntriesTable, journalsTable, type Payout, type PayoutKind } from "../schema/money.ts";
import { heldAmount } from "./balances.ts";
import { verifyLedger } from "./verify-ledger.ts";

// Shared by the tests of money.

export const at = new Date("2026-03-01T10:00:00.000Z");
export const later = (minutes: number) => new Date(at.getTime() + minutes * 60_000);
export const first: PayoutActor = {
  userId: 901,
  ip: "203.0.113.1",
  device: "desk",
  relatedAdminIds: [901],
  keepsRight: async () => true,
};
export const second: PayoutActor = { userId: 902, relatedAdminIds: [902], keepsRight: async () => true };

export const account: Destination = {
  bankName: "Khan Bank",
  accountName: "Bold Bat",
  accountNumber: "5012345678",
};
export const otherAccount: Destination = { ...account, accountNumber: "5099999999" };

let references = 1000;
/** A trade that no other test uses. */
export const newReference = () => ++references;

// The ids are texts: with one number of digits, they are ordered as they were given.
let paymentIds = 1_000_000;
/** A PAID row as the provider would report it. */
export function paid(amount: number, over: Partial<PaidRow> = {}): PaidRow {
  return {
    providerPaymentId: `0${++paymentIds}`,
    invoiceId: crypto.randomUUID(),
    amount,
    paidAt: at,
    ...over,
  };
}

/** The same, on an invoice of the reference that was created twenty minutes before `at`. */
export async function paidOnInvoice(
  reference: number,
  amount: number,
  over: Partial<PaidRow> = {},
): Promise<PaidRow> {
  const issued = { reference, amount, description: "MM-1", at: later(-20) };
  const { invoiceId } = await runInTransaction((tx) => reserveInvoice(tx, issued));
  return paid(amount, { invoiceId, ...over });
}

let bankReferences = 0;
/** A bank reference that no other transfer has. */
export const newBankReference = () => `TX-${++bankReferences}`;

/** A trade that holds `amount`, paid in full. */
export async function holding(amount: number): Promise<number> {
  const reference = newReference();
  const done = await runInTransaction((tx) =>
    recordPayments(tx, { reference, rows: [paid(amount)], owed: amount, at }),
  );
  expect(done.held).toBe(amount);
  return reference;
}

/** Creates a due payout or refund from a trade's escrow. */
export async function due(
  reference: number,
  kind: PayoutKind,
  amount: number,
  fee = 0,
  destination: Destination | null = account,
): Promise<Payout> {
  const input = { reference, kind, amount, fee, recipientId: 77, dueAt: later(180), at, by: first };
  const made = await runInTransaction((tx) =>
    createDuePayout(tx, destination === null ? input : { ...input, destination }),
  );
  if (!made.ok) throw new Error(made.code);
  return made.payout;
}

/** The result of a transaction: `ok`, `repeated`, or the code of the refusal. */
export async function outcome(
  work: (tx: Tx) => Promise<{ ok: true; repeated?: boolean } | { ok: false; code: string }>,
): Promise<string> {
  const done = await runInTransaction(work);
  if (!done.ok) return done.code;
  return done.repeated === true ? "repeated" : "ok";
}

/** The ledger lines of one reference as `account amount`, debits positive, in the order of posting. */
export async function ledgerLinesOf(reference: number): Promise<string[]> {
  const rows = await db()
    .select({ account: journalEntriesTable.account, amount: journalEntriesTable.amount })
    .from(journalEntriesTable)
    .innerJoin(journalsTable, sql`${journalsTable.id} = ${journalEntriesTable.journalId}`)
    .where(sql`${journalsTable.reference} = ${reference}`)
    .orderBy(journalsTable.id, sql`${journalEntriesTable.amount} < 0`, journalEntriesTable.account);
  return rows.map((row) => `${row.account} ${row.amount}`);
}

export const heldBy = (reference: number) => heldAmount(db(), reference);

/** The audit actions of one subject, oldest first. */
export async function audited(kind: string, id: number): Promise<string[]> {
  const rows = await db().execute<{ action: string }>(
    sql`SELECT action FROM audit.entries WHERE subject_kind = ${kind} AND subject_id = ${String(id)} ORDER BY id`,
  );
  return rows.map((row) => row.action);
}

/** The audit entries of one subject, oldest first. */
export async function loggedOf(kind: string, id: number | string) {
  const { entries } = await listEntries({ subject: { kind, id } });
  return entries.reverse().map(({ action, at, userId, data }) => ({ action, at, userId, data }));
}

/** The constraint by which Postgres refused a statement or its commit (its message if there is no constraint), or "accepted". */
export async function refusedBy(...statements: SQL[]): Promise<string> {
  try {
    await ownerDatabase().transaction(async (tx) => {
      for (const statement of statements) await tx.execute(statement);
    });
    return "accepted";
  } catch (error) {
    const cause = (error instanceof Error ? (error.cause ?? error) : error) as {
      constraint_name?: string;
      message: string;
    };
    return cause.constraint_name ?? cause.message;
  }
}

/** Expects the whole ledger to pass its verification. */
export async function expectProven(): Promise<void> {
  expect(await verifyLedger()).toMatchObject({ ok: true });
}
