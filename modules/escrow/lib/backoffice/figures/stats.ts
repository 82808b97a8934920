import { db } from "#db/client";
import { type Actor, countPeople, type NotAdmin, requireAdmin } from "#modules/identity";
import { readTradeTotals } from "./figures.ts";

/** The dashboard's figures; the volume is the price of what buyers have really paid, in tugrik. */
export type AdminStats = { totalUsers: number; totalTransactions: number; totalVolume: number };

/** Counts for administrators; hidden trades do not count. Days that are over are not counted again. */
export async function adminStats(actor: Actor): Promise<{ ok: true; stats: AdminStats } | NotAdmin> {
  const admin = requireAdmin(actor);
  if (!admin.ok) return admin;
  const [totalUsers, { trades, volume }] = await Promise.all([countPeople(db()), readTradeTotals()]);
  return { ok: true, stats: { totalUsers, totalTransactions: trades, totalVolume: volume } };
}
