import { eq } from "drizzle-orm";
import { db } from "#db/client";
import { listEntries } from "#modules/audit";
import { type Actor, findPeople, type NotAdmin, requireAdmin } from "#modules/identity";
import { journalsOf, payoutsOf } from "#modules/payments";
import { isId } from "../../core/party-access.ts";
import { tradesTable } from "../../core/schema.ts";

/** What the ledger and the audit log hold about a trade. Sums are whole tugrik, times ISO 8601. */
export type TradeRecords = {
  journals: Array<{
    id: number;
    kind: string;
    at: string;
    corrects: number | null;
    sum: number;
    lines: Array<{ account: string; debit: number; credit: number }>;
  }>;
  /** Newest first; `by` is null for what Midman did by itself. */
  activity: Array<{ id: number; at: string; action: string; by: { id: number; displayName: string } | null }>;
};

const LATEST = 20;

/** The journals of a trade, and the latest 20 audit entries about the trade, its payouts and refunds, for administrators. */
export async function tradeRecords(
  actor: Actor,
  tradeId: number,
): Promise<{ ok: true; records: TradeRecords } | NotAdmin | { ok: false; code: "TRANSACTION_NOT_FOUND" }> {
  const admin = requireAdmin(actor);
  if (!admin.ok) return admin;
  const [trade] = isId(tradeId)
    ? await db().select({ id: tradesTable.id }).from(tradesTable).where(eq(tradesTable.id, tradeId))
    : [];
  if (trade === undefined) return { ok: false, code: "TRANSACTION_NOT_FOUND" };
  const [journals, activity] = await Promise.all([journalsOf(db(), tradeId), activityOf(tradeId)]);
  return {
    ok: true,
    records: { journals: journals.map((one) => ({ ...one, at: one.at.toISOString() })), activity },
  };
}

async function activityOf(tradeId: number): Promise<TradeRecords["activity"]> {
  const payouts = await payoutsOf(db(), tradeId);
  const subjects = [{ kind: "transaction", id: tradeId }, ...payouts.map(({ kind, id }) => ({ kind, id }))];
  const pages = await Promise.all(subjects.map((subject) => listEntries({ subject, limit: LATEST })));
  const latest = pages
    .flatMap(({ entries }) => entries)
    .sort((a, b) => b.id - a.id)
    .slice(0, LATEST);
  const known = await findPeople(
    db(),
    latest.flatMap(({ userId }) => userId ?? []),
  );
  return latest.map(({ id, at, action, userId }) => ({
    id,
    at: at.toISOString(),
    action,
    by: userId === null ? null : { id: userId, displayName: known.get(userId)?.displayName ?? "" },
  }));
}
