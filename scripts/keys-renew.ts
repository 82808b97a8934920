/**
 * Reseals secrets after a change of ENCRYPTION_KEY: `bun run keys:renew`, beside running instances that know both keys
 * (docs/operations.md). Secrets sealed by the keys of ENCRYPTION_KEYS_BEFORE are sealed by the new one. Sealed handovers are not, because
 * their keys are never written again. A secret that no available key opens is named, and the others are resealed. `--replace-lost <key>`
 * names a lost key, as messages name it, and generates new signing keys, so that Midman starts again; it refuses while an instance serves
 * the database, because that instance has the key. Exits with 0 once the older keys are no longer needed, with 2 while something still
 * needs them, with 1 on failure.
 */
import "./console/console-settings.ts";

import { parseArgs } from "node:util";
import { config } from "#config";
import { runInTransaction } from "#db/client";
import { currentTime } from "#db/clock";
import { admitKey, keyPlace, lastKeyName, rememberKey } from "#db/secrets/encryption-key-check";
import { mergeResealOutcomes } from "#db/secrets/sealed-secrets";
import { isServed } from "#db/startup/instance-record";
import { recordAuditEntry } from "#modules/audit";
import {
  canOpenEvidenceKey,
  countOlderVaultKeys,
  replaceLostEvidenceKey,
  resealEvidenceKey,
} from "#modules/escrow";
import { resealFactors } from "#modules/identity";
import { replaceLostPushKey, resealPushKey } from "#modules/mailer";
import { openForCommand } from "./console/open-for-command.ts";

const keyRenewalUsage = `usage: bun run keys:renew                        reseals with ENCRYPTION_KEY what ENCRYPTION_KEYS_BEFORE sealed
       bun run keys:renew --replace-lost <key>   continues without a key that is lost; <key> is its name in
                                                 messages, such as 5a6b7c8d`;

async function runKeyRenewal(): Promise<number> {
  const { values } = parseArgs({
    options: { "replace-lost": { type: "string" }, help: { type: "boolean" } },
  });
  if (values.help) {
    console.log(keyRenewalUsage);
    return 0;
  }
  const database = await openForCommand();
  try {
    const lost = values["replace-lost"];
    const refusal = await admitKey(canOpenEvidenceKey, currentTime());
    if (refusal !== undefined && lost === undefined) throw new Error(refusal);
    if (lost !== undefined && refusal !== undefined) await assertKeyLost(lost);
    const made = lost === undefined || refusal === undefined ? 0 : await replaceLost();
    if (refusal !== undefined) await rememberKey(currentTime());
    return await renewKeys(made);
  } finally {
    await database.stop();
  }
}

/**
 * Throws unless the key is really lost: an instance that serves the database has it, and an operator who mistyped a key must name the lost
 * one.
 */
async function assertKeyLost(named: string): Promise<void> {
  if (!keyPlace().there) throw new Error("set ENCRYPTION_KEY to the new key first");
  if (await isServed(currentTime()))
    throw new Error(
      "an instance serves this database and has the key: use it there, or stop the instance first",
    );
  const wanted = await lastKeyName();
  if (wanted !== undefined && named !== wanted)
    throw new Error(`this database is sealed by key ${wanted}, but ${named} was named as lost`);
}

/** Generates new signing keys where no available key opens the old ones. Returns how many. */
async function replaceLost(): Promise<number> {
  const replaced = [await replaceLostEvidenceKey(), await replaceLostPushKey()].filter(Boolean).length;
  if (replaced > 0) console.log(`${replaced} lost signing keys were replaced by new ones.`);
  return replaced;
}

async function renewKeys(made: number): Promise<number> {
  const factors = await resealFactors();
  const keys = mergeResealOutcomes([await resealPushKey(), await resealEvidenceKey()]);
  const { older, unopened } = await countOlderVaultKeys();
  const left = [
    ...factors.unopened,
    ...keys.unopened,
    ...unopened.map((id) => `the vault record of transaction ${id}`),
  ];
  if (factors.done + keys.done + made > 0) {
    const data = { factors: factors.done, keys: keys.done, made, left: older + left.length };
    await runInTransaction((tx) =>
      recordAuditEntry(tx, { by: { userId: null }, action: "keys_renewed", at: currentTime(), data }),
    );
  }
  console.log(
    factors.done + keys.done > 0
      ? `${factors.done} second factors and ${keys.done} signing keys are now sealed by the new key.`
      : "Everything that opens is already sealed by ENCRYPTION_KEY: nothing was renewed.",
  );
  return reportRemaining(older, left);
}

/** Reports what still needs an older key, and what no key opens. Returns the exit status. */
function reportRemaining(older: number, left: string[]): number {
  if (older > 0) {
    console.log(
      `${older} vault records need the older keys until their trades end: keep ENCRYPTION_KEYS_BEFORE, and run this again then.`,
    );
  }
  if (left.length > 0) {
    console.log("No available key opens these; add the key that sealed them to ENCRYPTION_KEYS_BEFORE:");
    for (const name of left) console.log(`  ${name}`);
  }
  if (older + left.length > 0) return 2;
  if (config().ENCRYPTION_KEYS_BEFORE !== undefined) console.log("You can remove ENCRYPTION_KEYS_BEFORE.");
  return 0;
}

try {
  process.exit(await runKeyRenewal());
} catch (error) {
  console.error(`The keys could not be renewed: ${(error as Error).message}`);
  process.exit(1);
}
