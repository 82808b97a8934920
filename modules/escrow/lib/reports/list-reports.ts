import { and, asc, count, desc, eq, isNotNull, isNull, lt, type SQL, sql } from "drizzle-orm";
import { db } from "#db/client";
import { currentTime } from "#db/clock";
import { type Actor, findPeople, type NotAdmin, requireAdmin, restrictionOf } from "#modules/identity";
import type { ReportFilter, ReportHappened } from "../../forms.ts";
import { tradeRows } from "../core/load-trade.ts";
import type { ReportView } from "./responses.ts";
import { type ReportRow, reportsTable } from "./schema.ts";

type Someone = NonNullable<ReportView["reporter"]>;

export type ReportsPage = { ok: true; reports: ReportView[]; next: number | null };

/**
 * Reports for administrators: the open ones, those that put a transaction on hold first and then the oldest; or the resolved ones, the
 * latest first. The filter may select the reports about one person, or a single report.
 */
export async function listReports(actor: Actor, filter: ReportFilter): Promise<ReportsPage | NotAdmin> {
  const admin = requireAdmin(actor);
  if (!admin.ok) return admin;
  const { show, before, person, report, limit } = filter;
  const waits = show === "open";
  const conditions: Array<SQL | undefined> = [
    report === undefined
      ? waits
        ? isNull(reportsTable.resolvedAt)
        : isNotNull(reportsTable.resolvedAt)
      : eq(reportsTable.id, report),
    person === undefined ? undefined : eq(reportsTable.personId, person),
    before === undefined ? undefined : waits ? comesAfter(before) : lt(reportsTable.id, before),
  ];
  const rows = await db()
    .select()
    .from(reportsTable)
    .where(and(...conditions))
    .orderBy(...(waits ? [desc(reportsTable.held), asc(reportsTable.id)] : [desc(reportsTable.id)]))
    .limit(limit + 1);
  const page = rows.slice(0, limit);
  return {
    ok: true,
    reports: await viewReports(page),
    next: rows.length > limit ? (page.at(-1)?.id ?? null) : null,
  };
}

/** Selects the open reports that come after the one with this id, which may have been deleted in the meantime. */
function comesAfter(id: number): SQL {
  const isLater = sql`coalesce((SELECT NOT held FROM ${reportsTable} WHERE id = ${id}), true)`;
  return sql`(NOT ${reportsTable.held}, ${reportsTable.id}) > (${isLater}, ${id})`;
}

/** How many reports there are about a person, and how many of them are open. For administrators only: callers check this. */
export async function countReportsOf(personId: number): Promise<{ total: number; open: number }> {
  const [row] = await db()
    .select({ total: count(), resolved: count(reportsTable.resolvedAt) })
    .from(reportsTable)
    .where(eq(reportsTable.personId, personId));
  const { total = 0, resolved = 0 } = row ?? {};
  return { total, open: total - resolved };
}

async function viewReports(rows: readonly ReportRow[]): Promise<ReportView[]> {
  const ids = rows.flatMap(({ reporterId, personId, resolvedBy }) => [reporterId, personId, resolvedBy]);
  const [who, of] = await Promise.all([
    findPeople(
      db(),
      ids.flatMap((id) => id ?? []),
    ),
    tradeRows(db(), [...new Set(rows.flatMap(({ tradeId }) => tradeId ?? []))]),
  ]);
  const codes = new Map(of.map(({ id, code }) => [id, code]));
  const someone = (id: number | null): Someone | null => {
    if (id === null) return null;
    const known = who.get(id);
    const there = known !== undefined && !known.deleted;
    return { id, username: there ? known.username : null, displayName: there ? known.displayName : null };
  };
  const restrictionOfPerson = (id: number) => {
    const known = who.get(id);
    return known === undefined ? null : (restrictionOf(known, currentTime())?.kind ?? null);
  };
  return rows.map((row) => {
    const person = someone(row.personId);
    return {
      ...{ id: row.id, number: row.number, about: row.about, happened: row.happened, words: row.words },
      reporter: someone(row.reporterId),
      email: row.email,
      person: person && { ...person, restriction: restrictionOfPerson(person.id) },
      roomId: row.roomId,
      transaction: row.tradeId === null ? null : { id: row.tradeId, code: codes.get(row.tradeId) ?? "" },
      message:
        row.message === null || row.messageAt === null
          ? null
          : { text: row.message, at: row.messageAt.toISOString() },
      ...{ held: row.held, suspect: row.suspect },
      createdAt: row.createdAt.toISOString(),
      resolved:
        row.resolvedAt === null
          ? null
          : {
              by: someone(row.resolvedBy)?.displayName ?? null,
              at: row.resolvedAt.toISOString(),
              note: row.note ?? "",
            },
    };
  });
}

/** An open report as an item of the work queue. */
export type WaitingReport = {
  id: number;
  number: string;
  happened: ReportHappened;
  held: boolean;
  transactionCode: string | null;
  createdAt: Date;
};

/** The open reports, oldest first, without those that only a program can have sent. For administrators only: callers check this. */
export async function waitingReports(limit: number): Promise<WaitingReport[]> {
  const rows = await db()
    .select()
    .from(reportsTable)
    .where(and(isNull(reportsTable.resolvedAt), eq(reportsTable.suspect, false)))
    .orderBy(asc(reportsTable.createdAt), asc(reportsTable.id))
    .limit(limit);
  const of = await tradeRows(db(), [...new Set(rows.flatMap(({ tradeId }) => tradeId ?? []))]);
  const codes = new Map(of.map(({ id, code }) => [id, code]));
  return rows.map(({ id, number, happened, held, tradeId, createdAt }) => ({
    ...{ id, number, happened, held, createdAt },
    transactionCode: tradeId === null ? null : (codes.get(tradeId) ?? null),
  }));
}
