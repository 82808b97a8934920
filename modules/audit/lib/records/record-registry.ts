import type { SQL } from "drizzle-orm";
import type { Tx } from "#db/client";
import type { AuditAction } from "#locales";

/** What the comparison of records with their digests found: how many were as they were sealed, and those that were not. */
export type RecordsChecked = {
  proved: number;
  /** From before digests were kept, and not put into the log yet: the catch-up does it soon after the upgrade. */
  waiting: number;
  /** Each named so that an operator finds it; the first few of `wrong`. */
  found: string[];
  wrong: number;
};

/**
 * Records of a module that lie outside the log and have their digests in it: an entry's `data` holds a record's digest, written in the
 * transaction that writes the record.
 */
export type SealedRecords = {
  name: "messages" | "journals" | "trades" | "transfers" | "holds" | "halt" | "administrators";
  /** Compares every record with its digest within one snapshot. */
  check(tx: Tx): Promise<RecordsChecked>;
  /** Puts the digests of records from before digests were kept into the log, once for ever; repeating it changes nothing. */
  sealEarlier(at: Date): Promise<void>;
  /** Entries that retention keeps while their records stand: `stands` is a condition on an entry `e`. */
  kept?: { actions: readonly AuditAction[]; stands: SQL };
};

const registeredRecords = new Map<SealedRecords["name"], SealedRecords>();

/** Says what else `verify` compares with the log; a module does so as it is loaded. */
export function registerSealedRecords(records: SealedRecords): void {
  registeredRecords.set(records.name, records);
}

/** All that was registered, by name. */
export function sealedRecords(): SealedRecords[] {
  return [...registeredRecords.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}
