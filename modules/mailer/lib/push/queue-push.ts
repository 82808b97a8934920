import { eq } from "drizzle-orm";
import type { Tx } from "#db/client";
import { currentTime } from "#db/clock";
import { log } from "#db/log";
import { type Mail, sendMail } from "../sending/send-mail.ts";
import { isOwnLink } from "../templates/own-links.ts";
import { type PushEvent, type PushParams, pushEventSchemas } from "./push-events.ts";
import { pushDeliveries } from "./push-job.ts";
import { pushesTable, pushSubscriptionsTable } from "./schema.ts";

/** An event with the params that fit it. */
export type Occasion = { [E in PushEvent]: { event: E; params: PushParams[E] } }[PushEvent];

export type Push = Occasion & {
  userId: number;
  /** A path of ours to open ("/chat/12"). */
  url: string;
  /** Names what is told: the same key is never told twice. */
  key?: string;
  /** The mail that goes instead when no device of the person's takes the push, or there is none. */
  otherwise?: Mail;
};

/**
 * Tells a person of an event on each of their devices: a row of the outbox and its job in the caller's transaction, unless no
 * device of theirs is there to be told. Their language and quiet setting are asked when it is delivered. A push is never worth
 * more than what it tells of: params or a link that do not fit are logged and throw nothing.
 */
export async function queuePush(tx: Tx, what: Push): Promise<void> {
  const params = pushEventSchemas[what.event].safeParse(what.params);
  if (!params.success || !what.url.startsWith("/") || !isOwnLink(what.url)) {
    log().error({ event: what.event }, "mailer: a push that does not fit");
    return;
  }
  if (!(await hasDevice(tx, what.userId))) {
    if (what.otherwise !== undefined) await sendMail(tx, what.otherwise);
    return;
  }
  const { userId, event, url, otherwise } = what;
  const [queued] = await tx
    .insert(pushesTable)
    .values({
      ...{ userId, event, url, params: params.data, createdAt: currentTime() },
      key: what.key || undefined,
      otherwise,
    })
    .onConflictDoNothing({ target: pushesTable.key })
    .returning({ id: pushesTable.id });
  if (queued !== undefined) await pushDeliveries.enqueue(tx, { id: queued.id });
}

/** Forgets everything that was to be told to a person who goes. */
export async function forgetPushes(tx: Tx, userId: number): Promise<void> {
  await tx.delete(pushesTable).where(eq(pushesTable.userId, userId));
}

async function hasDevice(tx: Tx, userId: number): Promise<boolean> {
  const one = tx
    .select({ id: pushSubscriptionsTable.id })
    .from(pushSubscriptionsTable)
    .where(eq(pushSubscriptionsTable.userId, userId));
  return (await one.limit(1)).length > 0;
}
