import { runInTransaction, type Tx } from "#db/client";
import { currentTime } from "#db/clock";
import { dropDeadJob, retryDeadJob, takeDeadJob } from "#db/jobs";
import { recordAuditEntry } from "#modules/audit";
import { type Actor, auditAuthorOf, type NotAdmin, requireAdmin } from "#modules/identity";
import { settleFailedMail } from "#modules/mailer";
import { refuseAction, type TradeRefusal } from "../../core/outcomes.ts";

type FailedWorkResult = { ok: true; changed: boolean } | NotAdmin | TradeRefusal<"NOT_FOUND">;

/**
 * Retries a job that failed every time, as if it were new. Its handler reads its rows again, so nothing happens twice. Refuses
 * AUTH_REQUIRED, ADMIN_REQUIRED, NOT_FOUND (also if another administrator has just resolved it).
 */
export function retryJob(actor: Actor, jobId: string): Promise<FailedWorkResult> {
  return changeDeadJob(actor, jobId, "job.retried", retryDeadJob);
}

/** Drops a job that failed every time: its work has been done manually or is no longer needed. Refuses what `retryJob` refuses. */
export function dropJob(actor: Actor, jobId: string): Promise<FailedWorkResult> {
  return changeDeadJob(actor, jobId, "job.dropped", dropDeadJob);
}

async function changeDeadJob(
  actor: Actor,
  jobId: string,
  action: "job.retried" | "job.dropped",
  work: (tx: Tx, id: string) => Promise<void>,
): Promise<FailedWorkResult> {
  const at = currentTime();
  const admin = requireAdmin(actor);
  if (!admin.ok) return admin;
  if (!/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(jobId)) return refuseAction("NOT_FOUND");
  return runInTransaction(async (tx) => {
    const name = await takeDeadJob(tx, jobId);
    if (name === undefined) return refuseAction("NOT_FOUND");
    await work(tx, jobId);
    await recordAuditEntry(tx, {
      by: { ...auditAuthorOf(actor), userId: admin.member.userId },
      action,
      at,
      subject: { kind: "job", id: jobId },
      data: { name, before: "failed", after: action === "job.retried" ? "waiting" : "dropped" },
    });
    return { ok: true, changed: true };
  });
}

/**
 * Resolves a mail that could not be sent: the person was reached in another way, or need not be. Refuses AUTH_REQUIRED, ADMIN_REQUIRED,
 * NOT_FOUND.
 */
export async function settleMail(actor: Actor, mailId: number): Promise<FailedWorkResult> {
  const at = currentTime();
  const admin = requireAdmin(actor);
  if (!admin.ok) return admin;
  const doer = { ...auditAuthorOf(actor), userId: admin.member.userId };
  return runInTransaction((tx) => settleFailedMail(tx, { id: mailId, by: doer, at }));
}
