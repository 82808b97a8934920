import type { TransactionSql } from "postgres";
import type { Tx } from "../client.ts";

/** The driver's transaction under Drizzle's, for COPY streams, which Drizzle does not support. It ends with Drizzle's. */
export function driverTransactionOf(tx: Tx): TransactionSql {
  return (tx as unknown as { session: { client: TransactionSql } }).session.client;
}

/**
 * Sets one transaction's settings, whatever the server's defaults: values have one text form, and a large table or a slow disk does not
 * cause a timeout.
 */
export async function applyTransactionSettings(tx: Tx): Promise<void> {
  await driverTransactionOf(tx).unsafe(`
    SET LOCAL datestyle = 'ISO, MDY'; SET LOCAL intervalstyle = 'postgres'; SET LOCAL timezone = 'UTC';
    SET LOCAL bytea_output = 'hex'; SET LOCAL extra_float_digits = 1;
    SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0`);
}
