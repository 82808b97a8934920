import { and, asc, eq, isNull, sql } from "drizzle-orm";
import type { Executor, Tx } from "#db/client";
import { type AuditActor, recordAuditEntry } from "#modules/audit";
import { mailMessagesTable } from "../core/schema.ts";
import type { TemplateName } from "../templates/templates.ts";

/** A failed mail that nobody has settled yet. Its text is erased, so that links in it do not stay readable. */
export type FailedMail = {
  id: number;
  template: TemplateName;
  recipient: string;
  userId: number | null;
  failedAt: Date;
  reason: string;
};

/** Failed mails that wait for an administrator, oldest first, at most `limit`. */
export async function failedMails(exec: Executor, limit: number): Promise<FailedMail[]> {
  const rows = await exec
    .select()
    .from(mailMessagesTable)
    .where(and(sql`${mailMessagesTable.state} = 'failed'`, isNull(mailMessagesTable.dealtAt))) // spelled as in the partial index
    .orderBy(asc(mailMessagesTable.endedAt), asc(mailMessagesTable.id))
    .limit(limit);
  return rows.map(({ id, template, recipient, userId, endedAt, createdAt, lastError }) => ({
    ...{ id, template, recipient, userId },
    failedAt: endedAt ?? createdAt,
    reason: (lastError ?? "").slice(0, 300),
  }));
}

/** Records that an administrator has settled a failed mail; repeating it changes nothing. Refuses NOT_FOUND. */
export async function settleFailedMail(
  tx: Tx,
  { id, by, at }: { id: number; by: AuditActor & { userId: number }; at: Date },
): Promise<{ ok: true; changed: boolean } | { ok: false; code: "NOT_FOUND" }> {
  const [mail] = await tx.select().from(mailMessagesTable).where(eq(mailMessagesTable.id, id)).for("update");
  if (mail?.state !== "failed") return { ok: false, code: "NOT_FOUND" };
  if (mail.dealtAt !== null) return { ok: true, changed: false };
  await tx
    .update(mailMessagesTable)
    .set({ dealtAt: at, dealtBy: by.userId })
    .where(eq(mailMessagesTable.id, id));
  await recordAuditEntry(tx, {
    by,
    action: "mail_failure_settled",
    at,
    subject: { kind: "mail", id },
    data: { template: mail.template, before: "failed", after: "settled" },
  });
  return { ok: true, changed: true };
}
