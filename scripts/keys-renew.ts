/**
 * After a change of ENCRYPTION_KEY: `bun run keys:renew`, beside running instances that know both keys (README, Settings). What the
 * keys of ENCRYPTION_KEYS_BEFORE sealed is sealed by the new one. Sealed hand-overs are not: their keys are never written again.
 * Ends with 0 once the older keys are needed no more, with 2 while hand-overs still need them, with 1 when it failed.
 */
import { transaction } from "#db/client";
import { now } from "#db/clock";
import { openDatabase } from "#db/start";
import { record } from "#modules/audit";
import { resealEvidenceKey, vaultsUnderOlderKeys } from "#modules/escrow";
import { resealFactors } from "#modules/identity";
import { resealPushKey } from "#modules/mailer";

// Sealing needs no payment provider to be configured.
process.env.ALLOW_SANDBOX ||= "true";

async function main(): Promise<number> {
  const database = await openDatabase();
  try {
    const factors = await resealFactors();
    const keys = (await resealPushKey()) + (await resealEvidenceKey());
    const left = await vaultsUnderOlderKeys();
    const data = { factors, keys, left };
    const action = "keys_renewed";
    await transaction((tx) => record(tx, { by: { userId: null }, action, at: now(), data }));
    console.log(`${factors} second factors and ${keys} signing keys are sealed by the new key.`);
    if (left > 0) console.log(`${left} sealed hand-overs need the older keys until their trades end.`);
    else console.log("ENCRYPTION_KEYS_BEFORE may be taken out.");
    return left > 0 ? 2 : 0;
  } finally {
    await database.stop();
  }
}

try {
  process.exit(await main());
} catch (error) {
  console.error(`The keys could not be renewed: ${(error as Error).message}`);
  process.exit(1);
}
