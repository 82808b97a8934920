import { config } from "#config";
import type { Tx } from "#db/client";
import { listAdministrators } from "#modules/identity";
import { type Letter, type Occasion, queuePush, sendMail } from "#modules/mailer";

/**
 * Emails every administrator and, with `occasion`, pushes to their devices. Also emails MAIL_ADMIN if that is no administrator's address.
 * `url` is the page that the push opens. The same `once` is sent only once.
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
