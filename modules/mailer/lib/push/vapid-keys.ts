import { config } from "#config";
import { db } from "#db/client";
import { currentTime } from "#db/clock";
import {
  canUnseal,
  type ResealOutcome,
  resealRowSecret,
  sealRowSecret,
  unsealRowSecret,
} from "#db/secrets/sealed-secrets";
import { vapidKeysTable } from "./schema.ts";

export type VapidKeys = { publicKey: string; privateKey: string };

const WHOSE = "mailer.vapid_keys";

/**
 * The key pair by which push services identify Midman (RFC 8292): VAPID_PUBLIC_KEY and VAPID_PRIVATE_KEY, otherwise a pair that is created
 * once and stored in the database, so that all instances share it.
 */
export async function vapidPair(): Promise<VapidKeys> {
  const { VAPID_PUBLIC_KEY: publicKey, VAPID_PRIVATE_KEY: privateKey } = config();
  if (publicKey !== undefined && privateKey !== undefined) return { publicKey, privateKey };
  const { privateKey: sealed, ...row } = await readStoredPair();
  return { ...row, privateKey: unsealRowSecret(sealed, WHOSE).toString("utf8") };
}

/** Its public key, for pages. Needs no ENCRYPTION_KEY: with a wrong one nothing can be pushed, but pages still open. */
export async function vapidPublicKey(): Promise<string> {
  return config().VAPID_PUBLIC_KEY ?? (await readStoredPair()).publicKey;
}

/** Whom a push service may contact about Midman: VAPID_SUBJECT, otherwise the administrators' address. */
export function vapidSubject(): string {
  const { VAPID_SUBJECT, MAIL_ADMIN } = config();
  return VAPID_SUBJECT ?? `mailto:${MAIL_ADMIN}`;
}

/** Seals the private key with the current encryption key if an older one sealed it. */
export async function resealPushKey(): Promise<ResealOutcome> {
  const [row] = await db().select().from(vapidKeysTable);
  if (row === undefined) return { done: 0, unopened: [] };
  const name = "the key of push notifications";
  return resealRowSecret({ sealed: row.privateKey, whose: WHOSE, name }, (privateKey) =>
    db().update(vapidKeysTable).set({ privateKey }),
  );
}

/**
 * Creates a new pair if no available key unseals the private key; returns whether it did. Users must then turn notifications on again on
 * every device.
 */
export async function replaceLostPushKey(): Promise<boolean> {
  const [row] = await db().select().from(vapidKeysTable);
  if (row === undefined || canUnseal(row.privateKey, WHOSE)) return false;
  await db()
    .update(vapidKeysTable)
    .set(await freshPair());
  return true;
}

type StoredPair = { publicKey: string; privateKey: Buffer };

async function readStoredPair(): Promise<StoredPair> {
  const [row] = await db().select().from(vapidKeysTable);
  return row ?? (await createStoredPair());
}

/** Creates the stored pair. If two instances start at once, the first one's pair is kept. */
async function createStoredPair(): Promise<StoredPair> {
  await db()
    .insert(vapidKeysTable)
    .values(await freshPair())
    .onConflictDoNothing();
  const [stored] = await db().select().from(vapidKeysTable);
  if (stored === undefined) throw new Error("mailer: the push key was not stored");
  return stored;
}

async function freshPair(): Promise<StoredPair & { createdAt: Date }> {
  const { default: webpush } = await import("web-push");
  const { publicKey, privateKey } = webpush.generateVAPIDKeys();
  return { publicKey, privateKey: sealRowSecret(Buffer.from(privateKey), WHOSE), createdAt: currentTime() };
}
