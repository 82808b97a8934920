import { asc, eq } from "drizzle-orm";
import type { Executor } from "#db/client";
import type { Reference } from "../provider/provider-types.ts";
import { type Payment, paymentsTable } from "../schema/money.ts";

/** Every payment that was booked for a reference, oldest first. */
export function paymentsOf(exec: Executor, reference: Reference): Promise<Payment[]> {
  return exec
    .select()
    .from(paymentsTable)
    .where(eq(paymentsTable.reference, reference))
    .orderBy(asc(paymentsTable.id));
}
