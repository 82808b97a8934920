import { transaction } from "#db/client";
import { now } from "#db/clock";
import { record } from "#modules/audit";
import { type Actor, by, type Member } from "../core/actor.ts";
import { type NotAdmin, requireAdmin } from "../core/require-actor.ts";
import { sessionHolds } from "../sessions/sessions.ts";
import { type ActivityFilter, type ActivityLog, readActivity } from "./activity-log.ts";

const BATCH = 1000;

type Exported = { ok: true; batches: AsyncGenerator<ActivityLog[]> | null };

/**
 * Everything a filter finds, newest first, a thousand entries at a time and never all at once; null when there is
 * nothing. The export is itself recorded, before its first line leaves, with what it was narrowed to but no address. It
 * fails midway once the administrator's session has ended.
 */
export async function exportActivityLogs(actor: Actor, filter: ActivityFilter): Promise<Exported | NotAdmin> {
  const needed = requireAdmin(actor);
  if (!needed.ok) return needed;
  const at = now();
  const first = await readActivity({ ...filter, limit: BATCH });
  if (first.logs.length === 0) return { ok: true, batches: null };
  const { ipAddress, ...narrowed } = filter;
  const data = { ...narrowed, byAddress: ipAddress !== undefined };
  await transaction((tx) => record(tx, { by: by(actor), action: "logs_exported", at, data }));
  return { ok: true, batches: batches(needed.member, filter, first) };
}

async function* batches(
  { sessionId }: Member,
  filter: ActivityFilter,
  first: Awaited<ReturnType<typeof readActivity>>,
): AsyncGenerator<ActivityLog[]> {
  let page = first;
  yield page.logs;
  while (page.next !== null) {
    if (!(await sessionHolds(sessionId, now()))) throw new Error("identity: an export outlived its session");
    page = await readActivity({ ...filter, before: page.next, limit: BATCH });
    yield page.logs;
  }
}
