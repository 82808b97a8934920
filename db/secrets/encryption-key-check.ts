import { createHmac } from "node:crypto";
import { existsSync } from "node:fs";
import { sql } from "drizzle-orm";
import { config } from "#config";
import { db, type Executor, runInTransaction, type Tx } from "../client.ts";
import { dataPath } from "../files/data-directory.ts";
import { encryptionKey, encryptionKeysBefore } from "./instance-secrets.ts";

/** Fingerprint of a key: 64 hexadecimal characters; reveals nothing about the key. Archives and the database store it. */
function fingerprintOf(key: Uint8Array): string {
  return createHmac("sha256", key).update("midman backup").digest("hex");
}

/** Fingerprints of the available keys: ENCRYPTION_KEY first, then those of ENCRYPTION_KEYS_BEFORE. */
export function keysAtHand(): string[] {
  return [encryptionKey(), ...encryptionKeysBefore()].map(fingerprintOf);
}

/** The name of the key that this database was last used with; undefined if it has stored none. */
export async function lastKeyName(): Promise<string | undefined> {
  const latest = await latestKey(db());
  return latest && keyName(latest.fingerprint);
}

/** The name of a key in messages: the first eight characters of its fingerprint. */
function keyName(fingerprint: string): string {
  return fingerprint.slice(0, 8);
}

/** Where the key is or belongs, for the operator, and whether it exists. Does not create one. */
export function keyPlace(): { there: boolean; place: string } {
  const path = dataPath("encryption-key");
  if (config().ENCRYPTION_KEY !== undefined) return { there: true, place: "ENCRYPTION_KEY" };
  return { there: existsSync(path), place: `the file ${path}` };
}

/**
 * Why the available key must not seal anything in this database, in one line; undefined if it may. The key that the database was last used
 * with must be ENCRYPTION_KEY or one of ENCRYPTION_KEYS_BEFORE. `opensStored` says whether an available key opens the database's sealed
 * values; it decides alone if the database has stored no fingerprint yet.
 */
export async function keyRefusal(
  opensStored: (exec: Executor) => Promise<boolean>,
  exec: Executor = db(),
): Promise<string | undefined> {
  const latest = await latestKey(exec);
  const { there, place } = keyPlace();
  const named = latest && `key ${keyName(latest.fingerprint)}, ${latest.since}`;
  // Reading the key would create one, and a wrong one.
  if (named !== undefined && !there)
    return `ENCRYPTION_KEY: ${place} is missing, and this database is sealed by ${named}: bring it back`;
  const known = latest === undefined || keysAtHand().includes(latest.fingerprint);
  if (known && (await opensStored(exec))) return undefined;
  const [today = "", ...before] = keysAtHand().map(keyName);
  const older = before.length === 0 ? "" : `, ENCRYPTION_KEYS_BEFORE holds ${before.join(", ")}`;
  const held = `ENCRYPTION_KEY: ${place === "ENCRYPTION_KEY" ? "it" : place} is key ${today}`;
  if (known && latest !== undefined)
    return `${held}${older}${explainUnopenedSecret(keyName(latest.fingerprint), today)}`;
  return `${held}${older}, and this database is sealed by ${named ?? "another key"}: set that key again, or add it to ENCRYPTION_KEYS_BEFORE if the key was changed`;
}

/** The message for a right key with a secret that does not open: an older key was removed too early, or the secret is damaged. */
function explainUnopenedSecret(latest: string, today: string): string {
  const which = latest === today ? "with which" : `and with key ${latest}`;
  return `, ${which} this database was last used, but no available key opens a signing key in it: add the previous key to ENCRYPTION_KEYS_BEFORE, or, if it is lost or the signing key is damaged, make a new one: bun run keys:renew --replace-lost ${latest}`;
}

/**
 * Returns what `keyRefusal` does, and stores the key's fingerprint if there is no refusal. The check and the write are one transaction under an
 * advisory lock: when two instances start on a new database with different keys, the second is refused.
 */
export function admitKey(
  opensStored: (exec: Executor) => Promise<boolean>,
  at: Date,
): Promise<string | undefined> {
  return withKeyLock(async (tx) => {
    const refusal = await keyRefusal(opensStored, tx);
    if (refusal === undefined) await storeFingerprint(at, tx);
    return refusal;
  });
}

/** Stores the fingerprint of ENCRYPTION_KEY as that of the current key. Idempotent. */
export function rememberKey(at: Date): Promise<void> {
  return withKeyLock((tx) => storeFingerprint(at, tx));
}

function withKeyLock<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
  return runInTransaction(async (tx) => {
    await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtext('base.encryption_keys'))`);
    return work(tx);
  });
}

/** Stores the fingerprint as the latest, even if the clock was ahead when the previous one was stored. */
async function storeFingerprint(at: Date, tx: Tx): Promise<void> {
  const [today = ""] = keysAtHand();
  const latest = await latestKey(tx);
  if (latest?.fingerprint === today) return;
  await tx.execute(sql`
    INSERT INTO base.encryption_keys (fingerprint, used_since)
    SELECT ${today}, greatest(${at.toISOString()}::timestamptz, max(used_since) + interval '1 millisecond')
    FROM base.encryption_keys
    ON CONFLICT (fingerprint) DO UPDATE SET used_since = excluded.used_since`);
}

async function latestKey(exec: Executor): Promise<{ fingerprint: string; since: string } | undefined> {
  const [row] = await exec.execute<{ fingerprint: string; since: string }>(sql`
    SELECT fingerprint, 'in use since ' || to_char(used_since AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI "UTC"') AS since
    FROM base.encryption_keys ORDER BY used_since DESC, fingerprint LIMIT 1`);
  return row;
}
