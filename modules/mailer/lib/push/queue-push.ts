import { eq } from "drizzle-orm";
import type { Tx } from "#db/client";
import { currentTime } from "#db/clock";
import { log } from "#db/log";
import { type Mail, sendMail } from "../sending/send-mail.ts";
import { isOwnLink } from "../templates/own-links.ts";
import { type PushEvent, type PushParams, pushEventSchemas } from "./push-events.ts";
import { pushDeliveries } from "./push-job.ts";
import { pushesTable, pushSubscriptionsTable } from "./schema.ts";

/** An event with its parameters. */
export type Occasion = { [E in PushEvent]: { event: E; params: PushParams[E] } }[PushEvent];

export type Push = Occasion & {
  userId: number;
  /** A path on Midman to open ("/chat/12"). */
  url: string;
  /** Names the event: the same key is never sent twice. */
  key?: string;
  /** The mail that is sent if the user has no device, or if no device takes the push. */
  otherwise?: Mail;
};

/**
 * Notifies a user of an event on each of their devices: writes a row of the outbox and its job in the caller's transaction. Without any
 * device only the mail in `otherwise` is sent. The user's language and quiet hours are read at delivery. Invalid parameters or an invalid
 * link are logged and do not throw, because a push must not fail the change that it reports.
 */
export async function queuePush(tx: Tx, what: Push): Promise<void> {
  const params = pushEventSchemas[what.event].safeParse(what.params);
  if (!params.success || !what.url.startsWith("/") || !isOwnLink(what.url)) {
    log().error({ event: what.event }, "mailer: a push notification with invalid parameters was not sent");
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

/** Erases all pushes of a user who deletes their account. */
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
