import { sql } from "drizzle-orm";
import type { Executor } from "#db/client";
import type { TemplateName } from "../templates/templates.ts";

/**
 * Since when mails of a template have been failing: the creation of the oldest tried mail after the last one that was sent; null if there
 * is none.
 */
export async function undeliveredSince(exec: Executor, template: TemplateName): Promise<Date | null> {
  const [row] = await exec.execute<{ since: number | null }>(sql`
    SELECT (extract(epoch FROM min(m.created_at)) * 1000)::float8 AS since FROM mailer.messages m
    WHERE m.template = ${template} AND m.state <> 'sent' AND m.attempts > 0
      AND m.id > coalesce((SELECT max(id) FROM mailer.messages WHERE template = ${template} AND state = 'sent'), 0)`);
  return row?.since == null ? null : new Date(row.since);
}
