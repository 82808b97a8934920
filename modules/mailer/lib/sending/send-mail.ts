import type { Tx } from "#db/client";
import { currentTime } from "#db/clock";
import type { Language } from "#locales";
import { mailMessagesTable } from "../core/schema.ts";
import { type TemplateData, type TemplateName, templateSchemas } from "../templates/templates.ts";
import { mailDeliveries } from "./delivery-job.ts";
import { senderDomain } from "./senders.ts";

/** A template with the data that fits it. */
export type Letter = { [T in TemplateName]: { template: T; data: TemplateData[T] } }[TemplateName];

export type Mail = Letter & {
  to: string;
  /** Whom an answer reaches; our support address when absent. */
  replyTo?: string;
  language: Language;
  /** Whose mail it is, when it is a user's. */
  userId?: number;
  /** Names the event the mail tells of: the same key never sends a second mail. */
  key?: string;
};

/**
 * Puts a mail into the outbox and enqueues its delivery, both in the caller's transaction: a rollback sends nothing, a
 * commit sends it even if Midman is killed at once. Data that does not fit the template throws.
 */
export async function sendMail(tx: Tx, mail: Mail): Promise<void> {
  const id = await insertMail(tx, mail);
  if (id !== undefined) await mailDeliveries.enqueue(tx, { id });
}

/** The same without enqueuing: for who delivers it right after and wants to know what came of it. Answers its id. */
export async function insertWithoutDelivery(tx: Tx, mail: Mail & { key?: never }): Promise<number> {
  const id = await insertMail(tx, mail);
  if (id === undefined) throw new Error("mailer: a mail without a key was taken for a repetition");
  return id;
}

/** Nothing when its key has sent one before. */
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
