import { subDays } from "date-fns";
import { and, eq, inArray, isNotNull, lt, ne, or, type SQL, sql } from "drizzle-orm";
import { type Tx, transaction } from "#db/client";
import { now } from "#db/clock";
import { defineJob } from "#db/jobs";
import { LOG_DAYS } from "#modules/audit";
import { mailbox, messages } from "./schema.ts";

defineJob("mailer.retention", () => eraseOldMails(now()), { cron: "25 20 * * *" });

/**
 * Erases the rows of mails that ended longer ago than the system's logs are kept (specification §9), whose addressees would else
 * be known for ever. One that failed stays until somebody has dealt with it.
 */
export async function eraseOldMails(at: Date): Promise<void> {
  const ended = lt(messages.endedAt, subDays(at, LOG_DAYS));
  const settled = or(ne(messages.state, "failed"), isNotNull(messages.dealtAt));
  await transaction((tx) => eraseMails(tx, and(ended, settled)));
}

/** Forgets the mails of a person who goes, those too that were still to be sent: their address is theirs no more. */
export async function forgetMails(tx: Tx, userId: number): Promise<void> {
  await eraseMails(tx, eq(messages.userId, userId));
}

async function eraseMails(tx: Tx, which: SQL | undefined): Promise<void> {
  const ids = () => tx.select({ id: messages.id }).from(messages).where(which);
  // Held first: one that is being delivered meanwhile would else come to the mailbox after that was emptied, and could not go.
  await tx.execute(sql`SELECT count(*) FROM (${ids().orderBy(messages.id).for("update")}) AS held`);
  await tx.delete(mailbox).where(inArray(mailbox.id, ids()));
  await tx.delete(messages).where(which);
}
