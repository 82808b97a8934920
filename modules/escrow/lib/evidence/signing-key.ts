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

/** What bundles of evidence are signed by (Ed25519), and its public half as PEM. */
export async function signingKey(): Promise<{ publicKey: string; privateKey: KeyObject }> {
  const { publicKey, privateKey } = await loadKeyPair(db());
  return { publicKey, privateKey: createPrivateKey(unsealRowSecret(privateKey, WHOSE)) };
}

/** The public half as PEM: anybody may have it. */
export async function evidencePublicKey(): Promise<string> {
  return (await loadKeyPair(db())).publicKey;
}

/**
 * Whether a key at hand (ENCRYPTION_KEY, ENCRYPTION_KEYS_BEFORE) opens the private half. Every database has one sealed from its first
 * start on, so this tells whether a key is that database's.
 */
export async function canOpenEvidenceKey(exec: Executor = db()): Promise<boolean> {
  const [row] = await exec.select().from(evidenceKeyTable);
  return row === undefined || canUnseal(row.privateKey, WHOSE);
}

/** Seals the private half by the key of today, where an older one had sealed it. */
export async function resealEvidenceKey(): Promise<ResealOutcome> {
  const [row] = await db().select().from(evidenceKeyTable);
  if (row === undefined) return { done: 0, shut: [] };
  const name = "the key that signs bundles of evidence";
  return resealRowSecret({ sealed: row.privateKey, whose: WHOSE, name }, (privateKey) =>
    db().update(evidenceKeyTable).set({ privateKey }),
  );
}

/** Makes another pair where no key at hand opens the private half; answers whether it did. Bundles of before keep their own public half. */
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

/** Of two instances that come here at once the first one's pair stays. */
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
