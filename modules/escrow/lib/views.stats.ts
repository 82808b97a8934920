import { isNotNull, isNull, sql } from "drizzle-orm";
import { db } from "#db/client";
import { type Actor, countPeople, type NotAdmin, requireAdmin } from "#modules/identity";
import { trades } from "./schema.ts";

/** The dashboard's figures (specification §3); the volume is the price of what buyers have really paid, in tugrik. */
export type AdminStats = { totalUsers: number; totalTransactions: number; totalVolume: number };

/** Counts for administrators; hidden trades do not count. */
export async function adminStats(actor: Actor): Promise<{ ok: true; stats: AdminStats } | NotAdmin> {
  const admin = requireAdmin(actor);
  if (!admin.ok) return admin;
  const [totalUsers, [row]] = await Promise.all([
    countPeople(db()),
    db()
      .select({
        total: sql<number>`count(*)::int`,
        volume: sql<string>`coalesce(sum(${trades.amount}) FILTER (WHERE ${isNotNull(trades.confirmedAt)}), 0)`,
      })
      .from(trades)
      .where(isNull(trades.hiddenAt)),
  ]);
  const stats = { totalUsers, totalTransactions: row?.total ?? 0, totalVolume: Number(row?.volume ?? 0) };
  return { ok: true, stats };
}
