import { createPrivateKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import { type Db, db, type Executor } from "#db/client";
import { now } from "#db/clock";
import { opens, resealed, seal, unseal } from "#db/sealed";
import { evidenceKey } from "../schema.ts";

const WHOSE = "escrow.evidence_key";

/** What bundles of evidence are signed by (Ed25519), and its public half as PEM. */
export async function signingKey(): Promise<{ publicKey: string; privateKey: KeyObject }> {
  const { publicKey, privateKey } = await kept(db());
  return { publicKey, privateKey: createPrivateKey(unseal(privateKey, WHOSE)) };
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

/** Seals the private half by the key of today, where an older one had sealed it; answers how many (0 or 1). */
export async function resealEvidenceKey(): Promise<number> {
  const [row] = await db().select().from(evidenceKey);
  const privateKey = row && resealed(row.privateKey, WHOSE);
  if (privateKey === undefined) return 0;
  await db().update(evidenceKey).set({ privateKey });
  return 1;
}

type Kept = { publicKey: string; privateKey: Buffer };

async function kept(exec: Db): Promise<Kept> {
  const [row] = await exec.select().from(evidenceKey);
  return row ?? (await made(exec));
}

/** Of two instances that come here at once the first one's pair stays. */
async function made(exec: Db): Promise<Kept> {
  const pair = generateKeyPairSync("ed25519", {
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
  const privateKey = seal(Buffer.from(pair.privateKey), WHOSE);
  await exec
    .insert(evidenceKey)
    .values({ publicKey: pair.publicKey, privateKey, createdAt: now() })
    .onConflictDoNothing();
  const [stored] = await exec.select().from(evidenceKey);
  if (stored === undefined) throw new Error("escrow: the key for evidence was not stored");
  return stored;
}
