import { subDays } from "date-fns/subDays";
import { and, eq, inArray, isNotNull, lt, ne, or, type SQL, sql } from "drizzle-orm";
import { runInTransaction, type Tx } from "#db/client";
import { currentTime } from "#db/clock";
import { defineJob } from "#db/jobs";
import { LOG_DAYS } from "#modules/audit";
import { mailboxTable, mailMessagesTable } from "./schema.ts";

defineJob("mailer.retention", () => eraseOldMails(currentTime()), { cron: "25 20 * * *" });

/**
 * Erases mails that ended before the retention period of the system logs; otherwise their recipients would be stored forever. A failed mail
 * stays until an administrator has settled it.
 */
export async function eraseOldMails(at: Date): Promise<void> {
  const ended = lt(mailMessagesTable.endedAt, subDays(at, LOG_DAYS));
  const settled = or(ne(mailMessagesTable.state, "failed"), isNotNull(mailMessagesTable.dealtAt));
  await runInTransaction((tx) => eraseMails(tx, and(ended, settled)));
}

/** Erases all mails of a user who deletes their account, including those still to be sent. */
export async function forgetMails(tx: Tx, userId: number): Promise<void> {
  await eraseMails(tx, eq(mailMessagesTable.userId, userId));
}

async function eraseMails(tx: Tx, which: SQL | undefined): Promise<void> {
  const ids = () => tx.select({ id: mailMessagesTable.id }).from(mailMessagesTable).where(which);
  // Locks the mails first: one that is being delivered meanwhile would otherwise reach the mailbox after it was emptied.
  await tx.execute(sql`SELECT count(*) FROM (${ids().orderBy(mailMessagesTable.id).for("update")}) AS held`);
  await tx.delete(mailboxTable).where(inArray(mailboxTable.id, ids()));
  await tx.delete(mailMessagesTable).where(which);
}
