import type { TransactionSql } from "postgres";
import type { Tx } from "../client.ts";

/** The driver's transaction beneath Drizzle's: COPY streams, which Drizzle does not know. It ends with the other. */
export function driverTransactionOf(tx: Tx): TransactionSql {
  return (tx as unknown as { session: { client: TransactionSql } }).session.client;
}

/**
 * Settings of one transaction, whatever the server's own: values are written and read in one spelling, and a large table or a slow
 * disk is no reason to end.
 */
export async function applyTransactionSettings(tx: Tx): Promise<void> {
  await driverTransactionOf(tx).unsafe(`
    SET LOCAL datestyle = 'ISO, MDY'; SET LOCAL intervalstyle = 'postgres'; SET LOCAL timezone = 'UTC';
    SET LOCAL bytea_output = 'hex'; SET LOCAL extra_float_digits = 1;
    SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0`);
}
