import { db } from "#db/client";
import { fromReplica } from "#db/client/replica";
import { countEntries, type Entry, type EntryFilter, hasEntry, listEntries } from "#modules/audit";
import type { Actor } from "../core/actor.ts";
import { type NotAdmin, requireAdmin } from "../core/require-actor.ts";
import type { ActivityLog } from "../core/responses.ts";
import { findPeople } from "../core/users/people.ts";

/** Filter of the log; `ipAddress` is a prefix of an address, and both dates are inclusive. */
export type ActivityFilter = {
  userId?: number | undefined;
  ipAddress?: string | undefined;
  action?: string | undefined;
  fromDate?: Date | undefined;
  toDate?: Date | undefined;
};
export type ActivityPage = { before?: number | undefined; limit?: number | undefined };

type ActivityOutcome = { ok: true; logs: ActivityLog[]; next: number | null };

/** A page of the log, newest first; `next` is the `before` of the next page, null on the last one. */
export async function activityLogs(
  actor: Actor,
  filter: ActivityFilter & ActivityPage = {},
): Promise<ActivityOutcome | NotAdmin> {
  const needed = requireAdmin(actor);
  if (!needed.ok) return needed;
  return { ok: true, ...(await readActivity(filter)) };
}

/** A page of one person's log, deleted or not. Refuses USER_NOT_FOUND. */
export async function activityLogsOf(
  actor: Actor,
  userId: number,
  page: ActivityPage = {},
): Promise<ActivityOutcome | NotAdmin | { ok: false; code: "USER_NOT_FOUND" }> {
  const needed = requireAdmin(actor);
  if (!needed.ok) return needed;
  const known = (await findPeople(db(), [userId])).has(userId);
  if (!known) return { ok: false, code: "USER_NOT_FOUND" };
  return { ok: true, ...(await readActivity({ ...page, userId })) };
}

/** Number of matching entries, counted up to 10,000. */
export async function countActivityLogs(
  actor: Actor,
  filter: ActivityFilter,
): Promise<{ ok: true; count: number; more: boolean } | NotAdmin> {
  const needed = requireAdmin(actor);
  if (!needed.ok) return needed;
  return { ok: true, ...(await fromReplica(() => countEntries(toEntryFilter(filter), 10_000))) };
}

type ActivityLogPage = { logs: ActivityLog[]; next: number | null };

/** Reads a page, from the replica if there is one. The caller has checked the actor's right. */
export async function readActivity(filter: ActivityFilter & ActivityPage): Promise<ActivityLogPage> {
  const { before } = filter;
  return fromReplica(() => readLogPage(filter), before === undefined ? undefined : () => hasEntry(before));
}

async function readLogPage(filter: ActivityFilter & ActivityPage): Promise<ActivityLogPage> {
  const { entries, next } = await listEntries(toEntryFilter(filter));
  const names = await findPeople(
    db(),
    entries.flatMap(({ userId }) => userId ?? []),
  );
  const logs = entries.map((entry) => {
    const person = entry.userId === null ? undefined : names.get(entry.userId);
    return activityLogOf(entry, person && { username: person.username, displayName: person.displayName });
  });
  return { logs, next };
}

function activityLogOf(entry: Entry, user: ActivityLog["user"] | undefined): ActivityLog {
  const { subject, data } = entry;
  const further = { ...data, ...(subject && subject.kind !== "message" && { subject }) };
  return {
    id: entry.id,
    userId: entry.userId,
    user: user ?? null,
    chatRoomId: entry.roomId,
    action: entry.action,
    ipAddress: entry.ip,
    deviceFingerprint: entry.device,
    createdAt: entry.at.toISOString(),
    additionalData: Object.keys(further).length === 0 ? null : further,
  };
}

/** Converts the filter to the field names of the audit log. */
function toEntryFilter(filter: ActivityFilter & ActivityPage): EntryFilter {
  const { userId, ipAddress, action, fromDate, toDate, before, limit } = filter;
  return {
    ...(userId !== undefined && { userId }),
    ...(ipAddress !== undefined && { ip: ipAddress }),
    ...(action !== undefined && { action }),
    ...(fromDate !== undefined && { from: fromDate }),
    ...(toDate !== undefined && { to: toDate }),
    ...(before !== undefined && { before }),
    ...(limit !== undefined && { limit }),
  };
}
