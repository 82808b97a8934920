import { config } from "#config";
import type { Tx } from "#db/client";
import { listAdministrators } from "#modules/identity";
import { type Letter, type Occasion, queuePush, sendMail } from "#modules/mailer";

/**
 * Tells every administrator by mail and, with `occasion`, on their devices, and the administrators' address where it is none of theirs.
 * `url` is what the push opens; the same `once` is told once only.
 */
export async function alertAdministrators(
  tx: Tx,
  letter: Letter,
  { once, occasion, url }: { once: string; occasion: Occasion | null; url: string },
): Promise<void> {
  const key = (whom: number | "desk") => `${once}:${whom}`;
  const all = await listAdministrators(tx);
  const address = config().MAIL_ADMIN;
  if (!all.some(({ email }) => email === address)) {
    await sendMail(tx, { ...letter, to: address, language: "mn", key: key("desk") });
  }
  for (const { id: userId, email, language } of all) {
    if (email !== null) await sendMail(tx, { ...letter, to: email, language, userId, key: key(userId) });
    if (occasion !== null) await queuePush(tx, { ...occasion, userId, url, key: key(userId) });
  }
}
