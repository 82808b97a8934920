import { db } from "#db/client";
import { type Actor, countPeople, type NotAdmin, requireAdmin } from "#modules/identity";
import type { AdminStats } from "../transactions/responses.ts";
import { readTradeTotals } from "./figures.ts";

/** Counts for administrators; hidden trades do not count. Days that are over are not counted again. */
export async function adminStats(actor: Actor): Promise<{ ok: true; stats: AdminStats } | NotAdmin> {
  const admin = requireAdmin(actor);
  if (!admin.ok) return admin;
  const [totalUsers, { trades, volume }] = await Promise.all([countPeople(db()), readTradeTotals()]);
  return { ok: true, stats: { totalUsers, totalTransactions: trades, totalVolume: volume } };
}
