import { createPrivateKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import { type Db, db, type Executor } from "#db/client";
import { now } from "#db/clock";
import { opens, type Resealing, reseal, seal, unsealSecret } from "#db/sealed";
import { evidenceKey } from "../core/schema.ts";

const WHOSE = "escrow.evidence_key";

/** What bundles of evidence are signed by (Ed25519), and its public half as PEM. */
export async function signingKey(): Promise<{ publicKey: string; privateKey: KeyObject }> {
  const { publicKey, privateKey } = await kept(db());
  return { publicKey, privateKey: createPrivateKey(unsealSecret(privateKey, WHOSE)) };
}

/** The public half as PEM: anybody may have it. */
export async function evidencePublicKey(): Promise<string> {
  return (await kept(db())).publicKey;
}

/**
 * Whether a key at hand (ENCRYPTION_KEY, ENCRYPTION_KEYS_BEFORE) opens the private half. Every database has one sealed from its first
 * start on, so this tells whether a key is that database's.
 */
export async function opensEvidenceKey(exec: Executor = db()): Promise<boolean> {
  const [row] = await exec.select().from(evidenceKey);
  return row === undefined || opens(row.privateKey, WHOSE);
}

/** Seals the private half by the key of today, where an older one had sealed it. */
export async function resealEvidenceKey(): Promise<Resealing> {
  const [row] = await db().select().from(evidenceKey);
  if (row === undefined) return { done: 0, shut: [] };
  const name = "the key that signs bundles of evidence";
  return reseal({ sealed: row.privateKey, whose: WHOSE, name }, (privateKey) =>
    db().update(evidenceKey).set({ privateKey }),
  );
}

/** Makes another pair where no key at hand opens the private half; answers whether it did. Bundles of before keep their own public half. */
export async function replaceLostEvidenceKey(): Promise<boolean> {
  if (await opensEvidenceKey()) return false;
  await db().update(evidenceKey).set(freshPair());
  return true;
}

type Kept = { publicKey: string; privateKey: Buffer };

async function kept(exec: Db): Promise<Kept> {
  const [row] = await exec.select().from(evidenceKey);
  return row ?? (await made(exec));
}

/** Of two instances that come here at once the first one's pair stays. */
async function made(exec: Db): Promise<Kept> {
  await exec.insert(evidenceKey).values(freshPair()).onConflictDoNothing();
  const [stored] = await exec.select().from(evidenceKey);
  if (stored === undefined) throw new Error("escrow: the key for evidence was not stored");
  return stored;
}

function freshPair(): Kept & { createdAt: Date } {
  const pair = generateKeyPairSync("ed25519", {
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
  const privateKey = seal(Buffer.from(pair.privateKey), WHOSE);
  return { publicKey: pair.publicKey, privateKey, createdAt: now() };
}
