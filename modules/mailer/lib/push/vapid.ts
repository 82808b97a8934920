import webpush from "web-push";
import { config } from "#config";
import { db } from "#db/client";
import { now } from "#db/clock";
import { resealed, seal, unseal } from "#db/sealed";
import { vapidKeys } from "./schema.ts";

export type VapidKeys = { publicKey: string; privateKey: string };

const WHOSE = "mailer.vapid_keys";

/**
 * The key pair that push services know us by (RFC 8292): VAPID_PUBLIC_KEY and VAPID_PRIVATE_KEY, else one made once and kept in
 * the database, where every instance finds the same.
 */
export async function vapidPair(): Promise<VapidKeys> {
  const { VAPID_PUBLIC_KEY: publicKey, VAPID_PRIVATE_KEY: privateKey } = config();
  if (publicKey !== undefined && privateKey !== undefined) return { publicKey, privateKey };
  const { privateKey: sealed, ...row } = await kept();
  return { ...row, privateKey: unseal(sealed, WHOSE).toString("utf8") };
}

/** Its public half, which a page shows. It asks for no secret: with another ENCRYPTION_KEY nothing can be pushed, and pages still open. */
export async function vapidPublicKey(): Promise<string> {
  return config().VAPID_PUBLIC_KEY ?? (await kept()).publicKey;
}

/** Whom a push service may write to about us: VAPID_SUBJECT, else the administrators' address. */
export function vapidSubject(): string {
  const { VAPID_SUBJECT, MAIL_ADMIN } = config();
  return VAPID_SUBJECT ?? `mailto:${MAIL_ADMIN}`;
}

/** Seals our private half by the key of today, where an older one had sealed it; answers how many (0 or 1). */
export async function resealPushKey(): Promise<number> {
  const [row] = await db().select().from(vapidKeys);
  const privateKey = row && resealed(row.privateKey, WHOSE);
  if (privateKey === undefined) return 0;
  await db().update(vapidKeys).set({ privateKey });
  return 1;
}

type Kept = { publicKey: string; privateKey: Buffer };

async function kept(): Promise<Kept> {
  const [row] = await db().select().from(vapidKeys);
  return row ?? (await made());
}

/** Of two instances that start at once the first one's pair stays. */
async function made(): Promise<Kept> {
  const { publicKey, privateKey } = webpush.generateVAPIDKeys();
  const sealed = seal(Buffer.from(privateKey), WHOSE);
  await db()
    .insert(vapidKeys)
    .values({ publicKey, privateKey: sealed, createdAt: now() })
    .onConflictDoNothing();
  const [stored] = await db().select().from(vapidKeys);
  if (stored === undefined) throw new Error("mailer: the push key was not stored");
  return stored;
}
