import { runInTransaction, type Tx } from "#db/client";
import { currentTime } from "#db/clock";
import { dropDeadJob, retryDeadJob, takeDeadJob } from "#db/jobs";
import { recordAuditEntry } from "#modules/audit";
import { type Actor, auditAuthorOf, requireAdmin } from "#modules/identity";
import { settleFailedMail } from "#modules/mailer";
import { refuseAction, type TradeRefusal } from "../../core/outcomes.ts";

type FailedWorkResult = { ok: true; changed: boolean };

/**
 * A job that failed every time is tried once more, as if it were new. Its handler reads its rows anew, so nothing happens
 * twice. Refuses AUTH_REQUIRED, ADMIN_REQUIRED, NOT_FOUND (also when another has just dealt with it).
 */
export function retryJob(actor: Actor, jobId: string): Promise<FailedWorkResult | TradeRefusal> {
  return changeDeadJob(actor, jobId, "job.retried", retryDeadJob);
}

/** A job that failed every time is laid aside: what it was for has been done by hand or is needed no more. Refuses as `retryJob`. */
export function dropJob(actor: Actor, jobId: string): Promise<FailedWorkResult | TradeRefusal> {
  return changeDeadJob(actor, jobId, "job.dropped", dropDeadJob);
}

async function changeDeadJob(
  actor: Actor,
  jobId: string,
  action: "job.retried" | "job.dropped",
  work: (tx: Tx, id: string) => Promise<void>,
): Promise<FailedWorkResult | TradeRefusal> {
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

/** A mail that could not be sent is dealt with: the person was reached otherwise, or need not be. Refuses AUTH_REQUIRED, ADMIN_REQUIRED, NOT_FOUND. */
export async function settleMail(actor: Actor, mailId: number): Promise<FailedWorkResult | TradeRefusal> {
  const at = currentTime();
  const admin = requireAdmin(actor);
  if (!admin.ok) return admin;
  const doer = { ...auditAuthorOf(actor), userId: admin.member.userId };
  return runInTransaction((tx) => settleFailedMail(tx, { id: mailId, by: doer, at }));
}
