import { runInTransaction } from "#db/client";
import { currentTime } from "#db/clock";
import { recordAuditEntry } from "#modules/audit";
import { type Actor, auditAuthorOf, type Member } from "../core/actor.ts";
import { type NotAdmin, requireAdmin } from "../core/require-actor.ts";
import type { ActivityLog } from "../core/responses.ts";
import { isSessionLive } from "../sessions/sessions.ts";
import { type ActivityFilter, readActivity } from "./activity-log.ts";

const BATCH = 1000;

type ActivityExport = { ok: true; batches: AsyncGenerator<ActivityLog[]> | null };

/**
 * Everything a filter finds, newest first, in batches of 1,000 entries; null if there is nothing. Before the first batch it records the
 * export with its filter, but without the IP address. Throws midway once the administrator's session has ended.
 */
export async function exportActivityLogs(
  actor: Actor,
  filter: ActivityFilter,
): Promise<ActivityExport | NotAdmin> {
  const needed = requireAdmin(actor);
  if (!needed.ok) return needed;
  const at = currentTime();
  const first = await readActivity({ ...filter, limit: BATCH });
  if (first.logs.length === 0) return { ok: true, batches: null };
  const { ipAddress, ...narrowed } = filter;
  const data = { ...narrowed, byAddress: ipAddress !== undefined };
  await runInTransaction((tx) =>
    recordAuditEntry(tx, { by: auditAuthorOf(actor), action: "logs_exported", at, data }),
  );
  return { ok: true, batches: readBatches(needed.member, filter, first) };
}

async function* readBatches(
  { sessionId }: Member,
  filter: ActivityFilter,
  first: Awaited<ReturnType<typeof readActivity>>,
): AsyncGenerator<ActivityLog[]> {
  let page = first;
  yield page.logs;
  while (page.next !== null) {
    if (!(await isSessionLive(sessionId, currentTime())))
      throw new Error("identity: an export outlived its session");
    page = await readActivity({ ...filter, before: page.next, limit: BATCH });
    yield page.logs;
  }
}
