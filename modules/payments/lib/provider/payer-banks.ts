import { asc, inArray } from "drizzle-orm";
import type { Executor } from "#db/client";
import { type Payout, paymentsTable } from "../schema/money.ts";

/**
 * The codes of the banks that the money of each refund came from, by the refund's id. The refund of an overpayment has the bank of that one
 * payment; the refund of a trade's escrow has those of all its payments. Empty if the provider reported none.
 */
export async function payerBanks(
  exec: Executor,
  records: readonly Pick<Payout, "id" | "reference" | "kind" | "source">[],
): Promise<Map<number, string[]>> {
  const refunds = records.filter(({ kind }) => kind === "refund");
  if (refunds.length === 0) return new Map();
  const references = [...new Set(refunds.map(({ reference }) => reference))];
  const known = await exec
    .select()
    .from(paymentsTable)
    .where(inArray(paymentsTable.reference, references))
    .orderBy(asc(paymentsTable.id));
  return new Map(
    refunds.map(({ id, reference, source }) => {
      const paidIn = known.filter((one) =>
        source === "escrow"
          ? one.reference === reference && one.toEscrow > 0
          : source === `suspense:${one.id}`,
      );
      return [id, [...new Set(paidIn.flatMap(({ payerBank }) => payerBank ?? []))]];
    }),
  );
}
