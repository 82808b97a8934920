import { eq, sql } from "drizzle-orm";
import type { Tx } from "#db/client";
import { type By, record } from "#modules/audit";
import { plainReference } from "./bank-reference.ts";
import { type Line, post } from "./ledger.ts";
import { entries, journals } from "./schema.money.ts";

/**
 * Records that QPay settled to our bank (design §6): `received` came in, `cost` is what QPay kept, both in tugrik. One bank
 * reference is one settlement; the same figures again answer ok, repeated. Refuses: AMOUNT_INVALID; SETTLEMENT_CONFLICT
 * (this reference was recorded with other figures).
 */
export async function recordSettlement(
  tx: Tx,
  input: { bankReference: string; received: number; cost: number; at: Date; by: By },
): Promise<{ ok: true; repeated: boolean } | { ok: false; code: "AMOUNT_INVALID" | "SETTLEMENT_CONFLICT" }> {
  const { received, cost, at, by } = input;
  const whole = Number.isSafeInteger(received) && Number.isSafeInteger(cost);
  if (!whole || received < 1 || cost < 0) return { ok: false, code: "AMOUNT_INVALID" };
  const bankReference = plainReference(input.bankReference);
  const event = `settlement:${bankReference}`;
  await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`payments.${event}`}, 0))`);
  const earlier = await figures(tx, event);
  if (earlier !== null) {
    const same = earlier.received === received && earlier.cost === cost;
    return same ? { ok: true, repeated: true } : { ok: false, code: "SETTLEMENT_CONFLICT" };
  }
  const lines: Line[] = [
    { account: "bank", debit: received },
    { account: "expense:qpay", debit: cost },
    { account: "provider:qpay", credit: received + cost },
  ];
  const { journalId } = await post(tx, { event, kind: "settlement", reference: null, at, lines });
  const data = { bankReference, received, cost };
  await record(tx, {
    by,
    action: "settlement.recorded",
    at,
    subject: { kind: "journal", id: journalId },
    data,
  });
  return { ok: true, repeated: false };
}

async function figures(tx: Tx, event: string): Promise<{ received: number; cost: number } | null> {
  const rows = await tx
    .select({ account: entries.account, amount: entries.amount })
    .from(entries)
    .innerJoin(journals, eq(journals.id, entries.journalId))
    .where(eq(journals.event, event));
  if (rows.length === 0) return null;
  const of = (account: string) => rows.find((row) => row.account === account)?.amount ?? 0;
  return { received: of("bank"), cost: of("expense:qpay") };
}
