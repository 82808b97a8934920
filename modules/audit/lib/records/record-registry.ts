import type { SQL } from "drizzle-orm";
import type { Tx } from "#db/client";
import type { AuditAction } from "#locales";

/** The result of comparing records with their digests: how many match, and those that do not. */
export type RecordsChecked = {
  proved: number;
  /** Records from before digests were kept whose digest is not in the log yet: the catch-up adds it soon after the upgrade. */
  waiting: number;
  /** Names of the first few of `wrong`, by which an operator finds them. */
  found: string[];
  wrong: number;
};

/**
 * Records of a module that are stored outside the log and have their digests in it: an entry's `data` contains a record's digest, written
 * in the transaction that writes the record.
 */
export type SealedRecords = {
  name: "messages" | "journals" | "trades" | "transfers" | "holds" | "halt" | "administrators";
  /** Compares every record with its digest in one snapshot. */
  check(tx: Tx): Promise<RecordsChecked>;
  /** Adds the digests of records from before digests were kept to the log, once; repeating it changes nothing. */
  sealEarlier(at: Date): Promise<void>;
  /** Entries that retention keeps while their records exist: `stands` is a condition on an entry `e`. */
  kept?: { actions: readonly AuditAction[]; stands: SQL };
};

const registeredRecords = new Map<SealedRecords["name"], SealedRecords>();

/** Registers records that `verify` also compares with the log; a module does so when it is loaded. */
export function registerSealedRecords(records: SealedRecords): void {
  registeredRecords.set(records.name, records);
}

/** All registered records, by name. */
export function sealedRecords(): SealedRecords[] {
  return [...registeredRecords.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}
