import type { Tx } from "../client.ts";
import { driverTransactionOf } from "./driver-transaction.ts";
import { midmanSchemas } from "./tables.ts";

/**
 * Drops what would refuse or change existing rows while they are loaded in any order: triggers and foreign keys. Needs no superuser, only
 * the tables' owner. Returns a function that creates them again; every row's references are then checked.
 */
export async function suspendRules(tx: Tx): Promise<() => Promise<void>> {
  const references = await driverTransactionOf(tx)<Array<{ table: string; name: string; said: string }>>`
    SELECT conrelid::regclass::text AS table, quote_ident(conname) AS name, pg_get_constraintdef(c.oid) AS said
    FROM pg_constraint c JOIN pg_namespace n ON n.oid = c.connamespace
    WHERE n.nspname IN ${driverTransactionOf(tx)(midmanSchemas)} AND contype = 'f' AND conparentid = 0`;
  const guarded = await driverTransactionOf(tx)<Array<{ table: string; name: string }>>`
    SELECT tgrelid::regclass::text AS table, quote_ident(tgname) AS name
    FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname IN ${driverTransactionOf(tx)(midmanSchemas)} AND NOT tgisinternal AND tgenabled = 'O'`;
  for (const { table, name } of references) {
    await driverTransactionOf(tx).unsafe(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`);
  }
  for (const { table, name } of guarded)
    await driverTransactionOf(tx).unsafe(`ALTER TABLE ${table} DISABLE TRIGGER ${name}`);
  return async () => {
    for (const { table, name, said } of references) {
      await driverTransactionOf(tx).unsafe(`ALTER TABLE ${table} ADD CONSTRAINT ${name} ${said}`);
    }
    for (const { table, name } of guarded)
      await driverTransactionOf(tx).unsafe(`ALTER TABLE ${table} ENABLE TRIGGER ${name}`);
  };
}
