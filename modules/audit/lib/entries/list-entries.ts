import { and, desc, eq, gte, lte, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { db } from "#db/client";
import { toStorableText } from "../core/address-trace.ts";
import { auditEntriesTable, tracesTable } from "../core/schema.ts";

/** One event as pages show it. `ip` and `device` are null once scrubbed. */
export type Entry = {
  id: number;
  at: Date;
  userId: number | null;
  action: string;
  roomId: number | null;
  subject: { kind: string; id: string } | null;
  data: Record<string, unknown>;
  ip: string | null;
  device: string | null;
};

/**
 * `ip` matches the beginning of an address; `from` and `to` are both included; `before` is the last id of the previous page. `subject`
 * alone has no index: on a long log combine it with a room or user.
 */
export type EntryFilter = {
  userId?: number;
  action?: string;
  ip?: string;
  roomId?: number;
  subject?: { kind: string; id: string | number };
  from?: Date;
  to?: Date;
  before?: number;
  limit?: number;
};

/** `next` is the `before` of the following page; null on the last. */
export type EntryPage = { entries: Entry[]; next: number | null };

/** A trace has the time of its entry, so that the join reads only the partition of that entry. */
const traceOfEntry = and(
  eq(tracesTable.entryId, auditEntriesTable.id),
  eq(tracesTable.at, auditEntriesTable.at),
);

const LIMIT = { usual: 50, most: 1000 };

/**
 * Reads the log, newest first: by the time of an entry, then by its id. Does not check who reads: routes admit only administrators. Returns
 * nothing if the entry `before` does not exist.
 */
export async function listEntries(filter: EntryFilter = {}): Promise<EntryPage> {
  const limit = Math.min(Math.max(Math.trunc(filter.limit ?? LIMIT.usual), 1), LIMIT.most);
  const rows = await db()
    .select()
    .from(auditEntriesTable)
    .leftJoin(tracesTable, traceOfEntry)
    .where(
      byAddressAlone(filter)
        ? isEntryAmong(entriesOfAddress(filter, limit + 1))
        : and(...entryConditions(filter)),
    )
    .orderBy(desc(auditEntriesTable.at), desc(auditEntriesTable.id))
    .limit(limit + 1);
  const page = rows.slice(0, limit).map(({ entries: entry, traces: trace }) => ({
    id: entry.id,
    at: entry.at,
    userId: entry.userId,
    action: entry.action,
    roomId: entry.roomId,
    subject:
      entry.subjectKind === null || entry.subjectId === null
        ? null
        : { kind: entry.subjectKind, id: entry.subjectId },
    data: entry.data,
    ip: trace?.ip ?? null,
    device: trace?.device ?? null,
  }));
  return { entries: page, next: rows.length > limit ? (page.at(-1)?.id ?? null) : null };
}

/** True if an entry with this id exists, so that a page can start after it. */
export async function hasEntry(id: number): Promise<boolean> {
  const found = await db()
    .select({ id: auditEntriesTable.id })
    .from(auditEntriesTable)
    .where(eq(auditEntriesTable.id, id));
  return found.length > 0;
}

/** The number of entries that match a filter, without `before` and `limit`. Counting stops at `most`; `more` is true if there are more. */
export async function countEntries(
  filter: EntryFilter,
  most: number,
): Promise<{ count: number; more: boolean }> {
  const { before: _before, limit: _limit, ...narrowed } = filter;
  const one = { one: sql`1`.as("one") };
  const ofEntries = db().select(one).from(auditEntriesTable).$dynamic();
  if (narrowed.ip !== undefined) ofEntries.innerJoin(tracesTable, traceOfEntry);
  // In the order of an index, so that reading stops where counting stops.
  const ordered = ofEntries
    .where(and(...entryConditions(narrowed)))
    .orderBy(desc(auditEntriesTable.at), desc(auditEntriesTable.id));
  const addresses = db()
    .select(one)
    .from(tracesTable)
    .where(and(...traceConditions(narrowed)));
  const counted = (byAddressAlone(narrowed) ? addresses.limit(most + 1) : ordered.limit(most + 1)).as(
    "counted",
  );
  const [row] = await db().select({ count: sql<number>`count(*)::int` }).from(counted);
  const count = row?.count ?? 0;
  return { count: Math.min(count, most), more: count > most };
}

/** True for a filter by address and time only: traces contain the time of their entries, so the traces alone find them. */
function byAddressAlone(filter: EntryFilter): boolean {
  const { ip, from: _from, to: _to, before: _before, limit: _limit, ...others } = filter;
  return ip !== undefined && Object.values(others).every((value) => value === undefined);
}

function traceConditions({ ip, from, to, before }: EntryFilter): Array<SQL | undefined> {
  return [
    ip === undefined ? undefined : addressStartsWith(toStorableText(ip)),
    from && gte(tracesTable.at, from),
    to && lte(tracesTable.at, to),
    before === undefined ? undefined : sql`(${tracesTable.at}, ${tracesTable.entryId}) < ${placeOf(before)}`,
  ];
}

/** The newest entries of an address, from the traces. A search through the entries would read everything newer than a rare address. */
function entriesOfAddress(filter: EntryFilter, limit: number) {
  return db()
    .select({ at: tracesTable.at, id: tracesTable.entryId })
    .from(tracesTable)
    .where(and(...traceConditions(filter)))
    .orderBy(desc(tracesTable.at), desc(tracesTable.entryId))
    .limit(limit);
}

const isEntryAmong = (found: SQLWrapper) =>
  sql`(${auditEntriesTable.at}, ${auditEntriesTable.id}) IN ${found}`;

function entryConditions(filter: EntryFilter): Array<SQL | undefined> {
  const { userId, action, ip, roomId, subject, from, to, before } = filter;
  return [
    userId === undefined ? undefined : eq(auditEntriesTable.userId, userId),
    action === undefined ? undefined : eq(auditEntriesTable.action, toStorableText(action)),
    roomId === undefined ? undefined : eq(auditEntriesTable.roomId, roomId),
    subject &&
      and(
        eq(auditEntriesTable.subjectKind, toStorableText(subject.kind)),
        eq(auditEntriesTable.subjectId, toStorableText(String(subject.id))),
      ),
    from && gte(auditEntriesTable.at, from),
    to && lte(auditEntriesTable.at, to),
    before === undefined ? undefined : isAfterEntry(before),
    ip === undefined ? undefined : addressStartsWith(toStorableText(ip)),
  ];
}

/** Condition for the entries after one in the list's order, newest first. */
function isAfterEntry(id: number): SQL {
  return sql`(${auditEntriesTable.at}, ${auditEntriesTable.id}) < ${placeOf(id)}`;
}

/** SQL for an entry's position in the log's order. The time is read in the database: a JavaScript date has no microseconds. */
function placeOf(id: number): SQL {
  return sql`((SELECT one.at FROM audit.entries one WHERE one.id = ${id}::bigint), ${id}::bigint)`;
}

/** A range instead of LIKE: an index serves it even in a generic plan, which does not use the index for a pattern in a parameter. */
function addressStartsWith(ip: string): SQL {
  return sql`${tracesTable.ip} ~>=~ ${ip}::text AND ${tracesTable.ip} ~<~ ${`${ip}\u{10FFFF}`}::text`;
}
