import type { Tx } from "#db/client";
import { currentTime } from "#db/clock";
import type { Language } from "#locales";
import { mailMessagesTable } from "../core/schema.ts";
import { type TemplateData, type TemplateName, templateSchemas } from "../templates/templates.ts";
import { mailDeliveries } from "./delivery-job.ts";
import { senderDomain } from "./senders.ts";

/** A template with its data. */
export type Letter = { [T in TemplateName]: { template: T; data: TemplateData[T] } }[TemplateName];

export type Mail = Letter & {
  to: string;
  /** The Reply-To address; the support address by default. */
  replyTo?: string;
  language: Language;
  /** The user whose mail it is, if it is a user's. */
  userId?: number;
  /** Names the event that the mail reports: the same key never sends a second mail. */
  key?: string;
};

/**
 * Puts a mail into the outbox and enqueues its delivery, both in the caller's transaction: a rollback sends nothing, and a committed mail
 * is sent even if Midman is killed right after. Throws on data that does not fit the template.
 */
export async function sendMail(tx: Tx, mail: Mail): Promise<void> {
  const id = await insertMail(tx, mail);
  if (id !== undefined) await mailDeliveries.enqueue(tx, { id });
}

/** The same without enqueuing, for a caller that delivers the mail itself and needs the outcome. Returns its id. */
export async function insertWithoutDelivery(tx: Tx, mail: Mail & { key?: never }): Promise<number> {
  const id = await insertMail(tx, mail);
  if (id === undefined) throw new Error("mailer: a mail without a key was taken for a repetition");
  return id;
}

/** Undefined if a mail with the same key was queued before. */
async function insertMail(tx: Tx, mail: Mail): Promise<number | undefined> {
  const [queued] = await tx
    .insert(mailMessagesTable)
    .values({
      key: mail.key,
      messageId: `<${crypto.randomUUID()}@${senderDomain()}>`,
      template: mail.template,
      language: mail.language,
      recipient: mail.to,
      replyTo: mail.replyTo,
      userId: mail.userId,
      data: templateSchemas[mail.template].parse(mail.data),
      createdAt: currentTime(),
    })
    .onConflictDoNothing({ target: mailMessagesTable.key })
    .returning({ id: mailMessagesTable.id });
  return queued?.id;
}
