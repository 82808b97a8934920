import { createPrivateKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import { type Db, db, type Executor } from "#db/client";
import { currentTime } from "#db/clock";
import {
  canUnseal,
  type ResealOutcome,
  resealRowSecret,
  sealRowSecret,
  unsealRowSecret,
} from "#db/secrets/sealed-secrets";
import { evidenceKeyTable } from "../core/schema.ts";

const WHOSE = "escrow.evidence_key";

/** The Ed25519 key that signs evidence bundles, and its public key as PEM. */
export async function signingKey(): Promise<{ publicKey: string; privateKey: KeyObject }> {
  const { publicKey, privateKey } = await loadKeyPair(db());
  return { publicKey, privateKey: createPrivateKey(unsealRowSecret(privateKey, WHOSE)) };
}

/** The public key as PEM; it is not secret. */
export async function evidencePublicKey(): Promise<string> {
  return (await loadKeyPair(db())).publicKey;
}

/**
 * Whether a configured key (ENCRYPTION_KEY, ENCRYPTION_KEYS_BEFORE) decrypts the private key; true if there is no pair yet. Every database
 * has a pair from its first start on, so this shows whether a configured key is that database's.
 */
export async function canOpenEvidenceKey(exec: Executor = db()): Promise<boolean> {
  const [row] = await exec.select().from(evidenceKeyTable);
  return row === undefined || canUnseal(row.privateKey, WHOSE);
}

/** Encrypts the private key with the current ENCRYPTION_KEY, if an older one had encrypted it. */
export async function resealEvidenceKey(): Promise<ResealOutcome> {
  const [row] = await db().select().from(evidenceKeyTable);
  if (row === undefined) return { done: 0, unopened: [] };
  const name = "the key that signs bundles of evidence";
  return resealRowSecret({ sealed: row.privateKey, whose: WHOSE, name }, (privateKey) =>
    db().update(evidenceKeyTable).set({ privateKey }),
  );
}

/**
 * Creates a new pair if no configured key decrypts the private key, and returns whether it did. Earlier bundles still need the earlier
 * public key.
 */
export async function replaceLostEvidenceKey(): Promise<boolean> {
  if (await canOpenEvidenceKey()) return false;
  await db().update(evidenceKeyTable).set(generateStoredKeyPair());
  return true;
}

type StoredKeyPair = { publicKey: string; privateKey: Buffer };

async function loadKeyPair(exec: Db): Promise<StoredKeyPair> {
  const [row] = await exec.select().from(evidenceKeyTable);
  return row ?? (await insertKeyPair(exec));
}

/** If two instances insert at once, the first one's pair is kept. */
async function insertKeyPair(exec: Db): Promise<StoredKeyPair> {
  await exec.insert(evidenceKeyTable).values(generateStoredKeyPair()).onConflictDoNothing();
  const [stored] = await exec.select().from(evidenceKeyTable);
  if (stored === undefined) throw new Error("escrow: the key for evidence was not stored");
  return stored;
}

function generateStoredKeyPair(): StoredKeyPair & { createdAt: Date } {
  const pair = generateKeyPairSync("ed25519", {
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
  const privateKey = sealRowSecret(Buffer.from(pair.privateKey), WHOSE);
  return { publicKey: pair.publicKey, privateKey, createdAt: currentTime() };
}
