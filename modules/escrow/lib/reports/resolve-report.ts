import { eq } from "drizzle-orm";
import { runInTransaction } from "#db/client";
import { currentTime } from "#db/clock";
import { recordAuditEntry } from "#modules/audit";
import { type Actor, auditAuthorOf, isAdministrator, type NotAdmin, requireAdmin } from "#modules/identity";
import { isId, sideOf } from "../core/party-access.ts";
import { tradesTable } from "../core/schema.ts";
import { reportsTable } from "./schema.ts";

export type ResolveReportRefused = NotAdmin | { ok: false; code: "NOT_FOUND" | "OWN_REPORT" };

/**
 * Closes a report with what an administrator found and did, for the other administrators. It resolves no hold and restricts nobody: those
 * are separate steps. Refuses AUTH_REQUIRED, ADMIN_REQUIRED, NOT_FOUND, and OWN_REPORT to an administrator who filed the report, was
 * reported, or is a party to the trade. A repetition changes nothing.
 */
export async function resolveReport(
  actor: Actor,
  id: number,
  { note }: { note: string },
): Promise<{ ok: true; changed: boolean } | ResolveReportRefused> {
  const admin = requireAdmin(actor);
  if (!admin.ok) return admin;
  const at = currentTime();
  const { userId } = admin.member;
  return runInTransaction(async (tx) => {
    const [row] = isId(id)
      ? await tx.select().from(reportsTable).where(eq(reportsTable.id, id)).for("update")
      : [];
    if (row === undefined) return { ok: false, code: "NOT_FOUND" };
    const [trade] =
      row.tradeId === null ? [] : await tx.select().from(tradesTable).where(eq(tradesTable.id, row.tradeId));
    const own = [row.reporterId, row.personId].includes(userId);
    if (own || (trade !== undefined && sideOf(trade, userId) !== undefined))
      return { ok: false, code: "OWN_REPORT" };
    if (!(await isAdministrator(tx, userId))) return { ok: false, code: "ADMIN_REQUIRED" };
    if (row.resolvedAt !== null) return { ok: true, changed: false };
    await tx
      .update(reportsTable)
      .set({ resolvedAt: at, resolvedBy: userId, note })
      .where(eq(reportsTable.id, id));
    const subject = { kind: "report", id };
    const data = { number: row.number };
    await recordAuditEntry(tx, { by: auditAuthorOf(actor), action: "report_resolved", at, subject, data });
    return { ok: true, changed: true };
  });
}
