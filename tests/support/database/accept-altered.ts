import { sql } from "drizzle-orm";
import { db } from "#db/client";
import { acceptRow } from "#modules/audit";

/** As `bun run audit:accept`: what a test has changed in the database is taken as it stands, or nothing would be done with it any more. */
export async function acceptAltered(label: "trade" | "transfer" | "hold", id: number): Promise<void> {
  if (!(await acceptRow(label, id, new Date()))) throw new Error(`no ${label} ${id}`);
}

/** The same of all transfers of a trade. */
export async function acceptAlteredTransfers(reference: number): Promise<void> {
  const rows = await db().execute<{ id: number }>(
    sql`SELECT id::int FROM payments.payouts WHERE reference = ${reference}`,
  );
  for (const { id } of rows) await acceptAltered("transfer", id);
}
