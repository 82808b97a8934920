import type { Tx } from "#db/client";
import { sealedRecords } from "./record-registry.ts";

export type AllRecordsChecked = { proved: number; reason?: string };

/** Compares the records of every module with the log; `reason` names those that do not match their digests. */
export async function checkSealedRecords(tx: Tx): Promise<AllRecordsChecked> {
  let proved = 0;
  const reasons: string[] = [];
  for (const records of sealedRecords()) {
    const { found, wrong, proved: whole } = await records.check(tx);
    proved += whole;
    if (wrong === 0) continue;
    const rest = wrong - found.length;
    reasons.push(`${found.join(", ")}${rest > 0 ? ` and ${rest} more ${records.name}` : ""}`);
  }
  return reasons.length === 0 ? { proved } : { proved, reason: reasons.join("; ") };
}
