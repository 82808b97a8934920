import { and, eq, isNull, lt, or, sql } from "drizzle-orm";
import { config } from "#config";
import { db, runInTransaction, type Tx } from "#db/client";
import { currentTime } from "#db/clock";
import { reasonOf } from "#db/log";
import { recordAuditEntry } from "#modules/audit";
import { mailMessagesTable } from "../core/schema.ts";
import { readCustomizations } from "../look/template-versions.ts";
import { renderMail } from "../templates/render-mail.ts";
import { completeStoredData } from "../templates/stored-data.ts";
import { storeInMailbox } from "./sandbox-mailbox.ts";
import { senderOf } from "./senders.ts";
import { handToServer } from "./smtp-server.ts";

type Message = typeof mailMessagesTable.$inferSelect;

const MAX_ATTEMPTS = 120;

/**
 * Sends one mail of the outbox, once: by SMTP_URL, or into the development mailbox if that is not set. Throws if it should be tried again.
 * A crash after the server accepted the mail but before that is recorded repeats it under the same Message-ID; nothing else does.
 */
export async function deliverMail(id: number): Promise<void> {
  const message = await claimMail(id);
  if (message === undefined) return;
  try {
    await dispatchMail(message);
  } catch (error) {
    const gaveUp = await noteFailure(message, error);
    if (!gaveUp) throw notSentError(message, error);
  }
}

/** Sends one mail of the outbox without retries: false if the server did not accept it; the mail is then marked as failed. */
export async function deliverOnce(id: number): Promise<boolean> {
  const message = await claimMail(id);
  if (message === undefined) return false;
  try {
    await dispatchMail(message);
    return true;
  } catch (error) {
    await noteFailure(message, error, 1);
    return false;
  }
}

async function dispatchMail(message: Message): Promise<void> {
  const mail = renderMail(
    message.template,
    message.language,
    completeStoredData(message.template, message.language, message.data),
    await readCustomizations(message.template),
  );
  const from = senderOf(message.template);
  const url = config().SMTP_URL;
  const { replyTo, messageId } = message;
  if (url !== undefined)
    await handToServer(url, { ...mail, from, to: message.recipient, replyTo, messageId });
  await runInTransaction(async (tx) => {
    if (url === undefined)
      await storeInMailbox(tx, { id: message.id, ...mail, from, to: message.recipient, at: currentTime() });
    await endMail(tx, message, "sent");
  });
}

/** Leases the mail for a minute, so that two workers with the same job do not both send it. */
async function claimMail(id: number): Promise<Message | undefined> {
  const [message] = await db()
    .update(mailMessagesTable)
    .set({ attempts: sql`${mailMessagesTable.attempts} + 1`, leaseUntil: sql`now() + interval '1 minute'` })
    .where(
      and(
        eq(mailMessagesTable.id, id),
        eq(mailMessagesTable.state, "queued"),
        or(isNull(mailMessagesTable.leaseUntil), lt(mailMessagesTable.leaseUntil, sql`now()`)),
      ),
    )
    .returning();
  if (message !== undefined) return message;
  const [held] = await db().select().from(mailMessagesTable).where(eq(mailMessagesTable.id, id));
  if (held?.state === "queued") throw new Error(`mail ${id} is being sent by another worker`);
  return undefined;
}

async function noteFailure(message: Message, error: unknown, most = MAX_ATTEMPTS): Promise<boolean> {
  const lastError = reasonOf(error).slice(0, 500);
  const gaveUp = message.attempts >= most;
  await runInTransaction(async (tx) => {
    await tx
      .update(mailMessagesTable)
      .set({ leaseUntil: null, lastError })
      .where(eq(mailMessagesTable.id, message.id));
    if (gaveUp) await endMail(tx, message, "failed");
  });
  return gaveUp;
}

/**
 * The error for the job. It contains no text of the server, which may include the recipient's address; that is stored only in the outbox.
 */
function notSentError({ id }: Message, error: unknown): Error {
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
  const codes = [code, responseCode].filter((one) => one !== undefined).join(" ");
  return new Error(`mail ${id} was not sent: ${codes || "without a code"}`, { cause: error });
}

async function endMail(tx: Tx, message: Message, state: "sent" | "failed"): Promise<void> {
  const at = currentTime();
  await tx
    .update(mailMessagesTable)
    .set({ state, data: {}, replyTo: null, leaseUntil: null, endedAt: at })
    .where(eq(mailMessagesTable.id, message.id));
  await recordAuditEntry(tx, {
    by: { userId: message.userId },
    action: state === "sent" ? "mail_sent" : "mail_failed",
    at,
    subject: { kind: "mail", id: message.id },
    data: { template: message.template, attempts: message.attempts },
  });
}
