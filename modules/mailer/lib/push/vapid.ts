import webpush from "web-push";
import { config } from "#config";
import { db } from "#db/client";
import { now } from "#db/clock";
import { seal, unseal } from "#db/sealed";
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
  return (await kept()) ?? (await made());
}

/** Whom a push service may write to about us: VAPID_SUBJECT, else the administrators' address. */
export function vapidSubject(): string {
  const { VAPID_SUBJECT, MAIL_ADMIN } = config();
  return VAPID_SUBJECT ?? `mailto:${MAIL_ADMIN}`;
}

async function kept(): Promise<VapidKeys | undefined> {
  const [row] = await db().select().from(vapidKeys);
  return row && { publicKey: row.publicKey, privateKey: unseal(row.privateKey, WHOSE).toString("utf8") };
}

/** Of two instances that start at once the first one's pair stays. */
async function made(): Promise<VapidKeys> {
  const { publicKey, privateKey } = webpush.generateVAPIDKeys();
  const sealed = seal(Buffer.from(privateKey), WHOSE);
  await db()
    .insert(vapidKeys)
    .values({ publicKey, privateKey: sealed, createdAt: now() })
    .onConflictDoNothing();
  const stored = await kept();
  if (stored === undefined) throw new Error("mailer: the push key was not stored");
  return stored;
}
