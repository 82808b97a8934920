import { subDays } from "date-fns";
import { and, eq, inArray, isNotNull, lt, ne, or, type SQL, sql } from "drizzle-orm";
import { runInTransaction, type Tx } from "#db/client";
import { currentTime } from "#db/clock";
import { defineJob } from "#db/jobs";
import { LOG_DAYS } from "#modules/audit";
import { mailboxTable, mailMessagesTable } from "./schema.ts";

defineJob("mailer.retention", () => eraseOldMails(currentTime()), { cron: "25 20 * * *" });

/**
 * Erases the rows of mails that ended longer ago than the system's logs are kept (specification §9), whose addressees would else
 * be known for ever. One that failed stays until somebody has dealt with it.
 */
export async function eraseOldMails(at: Date): Promise<void> {
  const ended = lt(mailMessagesTable.endedAt, subDays(at, LOG_DAYS));
  const settled = or(ne(mailMessagesTable.state, "failed"), isNotNull(mailMessagesTable.dealtAt));
  await runInTransaction((tx) => eraseMails(tx, and(ended, settled)));
}

/** Forgets the mails of a person who goes, those too that were still to be sent: their address is theirs no more. */
export async function forgetMails(tx: Tx, userId: number): Promise<void> {
  await eraseMails(tx, eq(mailMessagesTable.userId, userId));
}

async function eraseMails(tx: Tx, which: SQL | undefined): Promise<void> {
  const ids = () => tx.select({ id: mailMessagesTable.id }).from(mailMessagesTable).where(which);
  // Held first: one that is being delivered meanwhile would else come to the mailbox after that was emptied, and could not go.
  await tx.execute(sql`SELECT count(*) FROM (${ids().orderBy(mailMessagesTable.id).for("update")}) AS held`);
  await tx.delete(mailboxTable).where(inArray(mailboxTable.id, ids()));
  await tx.delete(mailMessagesTable).where(which);
}
