/**
 * After a change of ENCRYPTION_KEY: `bun run keys:renew`, beside running instances that know both keys (README, Settings). What the
 * keys of ENCRYPTION_KEYS_BEFORE sealed is sealed by the new one. Sealed hand-overs are not: their keys are never written again.
 * Ends with 0 once the older keys are needed no more, with 2 while hand-overs still need them, with 1 when it failed.
 */
import "./console.ts";

import { config } from "#config";
import { transaction } from "#db/client";
import { now } from "#db/clock";
import { openDatabase } from "#db/start";
import { record } from "#modules/audit";
import { opensEvidenceKey, resealEvidenceKey, vaultsNotUnderToday } from "#modules/escrow";
import { resealFactors } from "#modules/identity";
import { resealPushKey } from "#modules/mailer";

const unknown =
  "this database is sealed by a key that is neither ENCRYPTION_KEY nor in ENCRYPTION_KEYS_BEFORE: put the key of before there, then ask again";

async function main(): Promise<number> {
  const database = await openDatabase({ existing: true });
  try {
    if (!(await opensEvidenceKey())) throw new Error(unknown);
    const factors = await resealFactors();
    const keys = (await resealPushKey()) + (await resealEvidenceKey());
    const { older, shut } = await vaultsNotUnderToday();
    const data = { factors, keys, left: older + shut };
    const action = "keys_renewed";
    if (factors + keys > 0) {
      await transaction((tx) => record(tx, { by: { userId: null }, action, at: now(), data }));
      console.log(`${factors} second factors and ${keys} signing keys are sealed by the new key.`);
    } else console.log("All is sealed by ENCRYPTION_KEY already: nothing was renewed.");
    return tellHandOvers(older, shut);
  } finally {
    await database.stop();
  }
}

function tellHandOvers(older: number, shut: number): number {
  if (older > 0) {
    console.log(
      `${older} sealed hand-overs need the older keys until their trades end: leave ENCRYPTION_KEYS_BEFORE, and ask again then.`,
    );
  }
  if (shut > 0) {
    console.log(
      `${shut} sealed hand-overs open by no key at hand: bring the key that sealed them back into ENCRYPTION_KEYS_BEFORE.`,
    );
  }
  if (older + shut > 0) return 2;
  if (config().ENCRYPTION_KEYS_BEFORE !== undefined) console.log("ENCRYPTION_KEYS_BEFORE may be taken out.");
  return 0;
}

try {
  process.exit(await main());
} catch (error) {
  console.error(`The keys could not be renewed: ${(error as Error).message}`);
  process.exit(1);
}
