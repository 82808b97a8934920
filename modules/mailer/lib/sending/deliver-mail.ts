import { and, eq, isNull, lt, or, sql } from "drizzle-orm";
import { config } from "#config";
import { db, type Tx, transaction } from "#db/client";
import { now } from "#db/clock";
import { reasonOf } from "#db/log";
import { record } from "#modules/audit";
import { messages } from "../core/schema.ts";
import { wornBy } from "../look/template-versions.ts";
import { renderMail } from "../templates/render-mail.ts";
import { keep } from "./sandbox-mailbox.ts";
import { senderOf } from "./senders.ts";
import { handToServer } from "./smtp-server.ts";

type Message = typeof messages.$inferSelect;

const MAX_ATTEMPTS = 120;

/**
 * Sends one mail of the outbox, once: by SMTP_URL, or into the development mailbox when there is none. Throws when it
 * should be tried again. A crash between the server's yes and our own note of it repeats the mail under the same
 * Message-ID; nothing else does.
 */
export async function deliverMail(id: number): Promise<void> {
  const message = await claim(id);
  if (message === undefined) return;
  try {
    await dispatch(message);
  } catch (error) {
    const gaveUp = await noteFailure(message, error);
    if (!gaveUp) throw notSent(message, error);
  }
}

/** Sends one mail of the outbox and does not try again: false when it was not taken, and then it counts as failed. */
export async function deliverOnce(id: number): Promise<boolean> {
  const message = await claim(id);
  if (message === undefined) return false;
  try {
    await dispatch(message);
    return true;
  } catch (error) {
    await noteFailure(message, error, 1);
    return false;
  }
}

async function dispatch(message: Message): Promise<void> {
  const mail = renderMail(message.template, message.language, message.data, await wornBy(message.template));
  const from = senderOf(message.template);
  const url = config().SMTP_URL;
  const { replyTo, messageId } = message;
  if (url !== undefined)
    await handToServer(url, { ...mail, from, to: message.recipient, replyTo, messageId });
  await transaction(async (tx) => {
    if (url === undefined)
      await keep(tx, { id: message.id, ...mail, from, to: message.recipient, at: now() });
    await end(tx, message, "sent");
  });
}

/** Takes the mail for a minute, so that two workers holding the same job do not both send it. */
async function claim(id: number): Promise<Message | undefined> {
  const [message] = await db()
    .update(messages)
    .set({ attempts: sql`${messages.attempts} + 1`, leaseUntil: sql`now() + interval '1 minute'` })
    .where(
      and(
        eq(messages.id, id),
        eq(messages.state, "queued"),
        or(isNull(messages.leaseUntil), lt(messages.leaseUntil, sql`now()`)),
      ),
    )
    .returning();
  if (message !== undefined) return message;
  const [held] = await db().select().from(messages).where(eq(messages.id, id));
  if (held?.state === "queued") throw new Error(`mail ${id} is being sent by another worker`);
  return undefined;
}

async function noteFailure(message: Message, error: unknown, most = MAX_ATTEMPTS): Promise<boolean> {
  const lastError = reasonOf(error).slice(0, 500);
  const gaveUp = message.attempts >= most;
  await transaction(async (tx) => {
    await tx.update(messages).set({ leaseUntil: null, lastError }).where(eq(messages.id, message.id));
    if (gaveUp) await end(tx, message, "failed");
  });
  return gaveUp;
}

/** What the job has of a failure: a server's own words may carry the address, which stands in the outbox alone. */
function notSent({ id }: Message, error: unknown): Error {
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
  const codes = [code, responseCode].filter((one) => one !== undefined).join(" ");
  return new Error(`mail ${id} was not sent: ${codes || "without a code"}`, { cause: error });
}

async function end(tx: Tx, message: Message, state: "sent" | "failed"): Promise<void> {
  const at = now();
  await tx
    .update(messages)
    .set({ state, data: {}, replyTo: null, leaseUntil: null, endedAt: at })
    .where(eq(messages.id, message.id));
  await record(tx, {
    by: { userId: message.userId },
    action: state === "sent" ? "mail_sent" : "mail_failed",
    at,
    subject: { kind: "mail", id: message.id },
    data: { template: message.template, attempts: message.attempts },
  });
}
