import { createHash } from "node:crypto";
import { eq } from "drizzle-orm";
import { db, type Executor, runInTransaction, type Tx } from "#db/client";
import { currentTime } from "#db/clock";
import { type ThrottleRefusal, takeThrottledAttempt } from "#db/throttle/throttle-attempts";
import { recordAuditEntry } from "#modules/audit";
import { type Actor, auditAuthorOf, type NotSignedIn, requireUser } from "#modules/identity";
import type { ReportInput } from "../../forms.ts";
import { lockTrade } from "../core/load-trade.ts";
import { newCode } from "../core/transaction-code.ts";
import { alertAdministrators } from "../notifications/alert-administrators.ts";
import { placeOf, throttleUnknownCode } from "../verification/throttle-lookups.ts";
import { type FoundSubject, findSubject } from "./find-subject.ts";
import { holdForReport, strangerMayHold } from "./hold-for-report.ts";
import { type ReportRow, reportsTable } from "./schema.ts";

// Administrators read every report, so the limits fit a person to whom something has really happened.
const reportLimits = { person: { max: 10, seconds: 3_600 }, address: { max: 20, seconds: 3_600 } } as const;

export type FileReportResult = { ok: true; changed: boolean; number: string };
export type ReportRefused = ThrottleRefusal | NotSignedIn | { ok: false; code: "REPORT_SUBJECT_NOT_FOUND" };

/**
 * Files a report, with a copy of the reported message, and notifies every administrator. Members report the other person or a message in
 * one of their rooms, and anyone a transaction code. A report of fraud may put the trade on hold (`holdForReport`). The same form sent
 * again is the same report. If the hidden field is filled in, the report is stored and answered like any other, but has no effect. Refuses
 * AUTH_REQUIRED, PASSWORD_CHANGE_REQUIRED, NAME_CHANGE_REQUIRED, CONSENT_REQUIRED (each for every subject, but never to a visitor with a
 * code), REPORT_SUBJECT_NOT_FOUND (also for what this actor may not see) and THROTTLED.
 */
export async function fileReport(
  actor: Actor,
  input: ReportInput,
): Promise<FileReportResult | ReportRefused> {
  const at = currentTime();
  const allowed =
    input.about === "code" && actor.kind === "visitor" ? ({ ok: true } as const) : requireUser(actor);
  if (!allowed.ok) return allowed;
  const fingerprint = fingerprintOf(actor, input);
  const before = await findReportNumber(db(), fingerprint);
  if (before !== undefined) return { ok: true, changed: false, number: before };
  const passed = await mayReport(actor, at);
  if (!passed.ok) return passed;
  const isFromBot = (input.website ?? "") !== "";
  const reported = await findSubject(db(), actor, input);
  if (reported === undefined) return refuseUnknown(actor, input, at);
  const { trade } = reported;
  const mayHold = trade !== undefined && !isFromBot && (await strangerMayHold(actor, trade.id, input, at));
  const report = { input, fingerprint, isFromBot, strangerMayHold: mayHold };
  return runInTransaction((tx) => fileLocked(tx, actor, report, at));
}

/** Counts an unknown code like one that was looked up, with the same limits. */
async function refuseUnknown(actor: Actor, { about }: ReportInput, at: Date): Promise<ReportRefused> {
  const guessed = about === "code" ? await throttleUnknownCode(actor, at) : ({ ok: true } as const);
  return guessed.ok ? { ok: false, code: "REPORT_SUBJECT_NOT_FOUND" } : guessed;
}

type Report = { input: ReportInput; fingerprint: string; isFromBot: boolean; strangerMayHold: boolean };

async function fileLocked(
  tx: Tx,
  actor: Actor,
  report: Report,
  at: Date,
): Promise<FileReportResult | ReportRefused> {
  const { input, fingerprint, isFromBot } = report;
  const seen = await findSubject(tx, actor, input);
  if (seen === undefined) return { ok: false, code: "REPORT_SUBJECT_NOT_FOUND" };
  // Room and trade are locked before anything else is written, as in every command.
  const trade = seen.trade && (await lockTrade(tx, seen.trade.id));
  const number = newCode("RP");
  const held =
    trade !== undefined && !isFromBot && (await holdForReport(tx, actor, { ...report, trade, number }, at));
  const row = await insertReport(tx, { actor, input, seen, number, fingerprint, held, isFromBot, at });
  if (row === undefined) {
    // Another request with the same form came first, and has committed.
    const first = await findReportNumber(tx, fingerprint);
    if (first === undefined) throw new Error("escrow: a report that is there and is not");
    return { ok: true, changed: false, number: first };
  }
  const { id, about, happened, personId, tradeId } = row;
  const data = { number, about, happened, personId, tradeId, held, suspect: isFromBot };
  const subject = { kind: "report", id };
  await recordAuditEntry(tx, {
    by: auditAuthorOf(actor),
    action: "report_filed",
    at,
    ...(row.roomId !== null && { roomId: row.roomId }),
    subject,
    data,
  });
  if (!isFromBot) await notifyAdministrators(tx, row, trade?.code ?? "");
  return { ok: true, changed: true, number };
}

/** Identifies a form, so that it is filed once: a hash of its hidden id, its author and its content. */
function fingerprintOf(actor: Actor, input: ReportInput): string {
  const { clientId = crypto.randomUUID(), website: _, ...said } = input;
  const who = actor.kind === "user" ? actor.userId : null;
  return createHash("sha256")
    .update(JSON.stringify([clientId, who, said]))
    .digest("base64url");
}

async function mayReport(actor: Actor, at: Date) {
  if (actor.kind === "user") {
    const own = await takeThrottledAttempt(`report:user:${actor.userId}`, reportLimits.person, at);
    if (!own.ok) return own;
  }
  return takeThrottledAttempt(`report:ip:${placeOf(actor)}`, reportLimits.address, at);
}

async function findReportNumber(exec: Executor, fingerprint: string): Promise<string | undefined> {
  const [row] = await exec
    .select({ number: reportsTable.number })
    .from(reportsTable)
    .where(eq(reportsTable.fingerprint, fingerprint));
  return row?.number;
}

type NewReport = {
  actor: Actor;
  input: ReportInput;
  seen: FoundSubject;
  number: string;
  fingerprint: string;
  held: boolean;
  isFromBot: boolean;
  at: Date;
};

async function insertReport(
  tx: Tx,
  { actor, input, seen, isFromBot, at, ...rest }: NewReport,
): Promise<ReportRow | undefined> {
  const { message } = seen;
  const member = actor.kind === "user";
  const [row] = await tx
    .insert(reportsTable)
    .values({
      ...rest,
      suspect: isFromBot,
      about: input.about,
      happened: input.happened,
      words: input.words,
      reporterId: member ? actor.userId : null,
      email: member ? null : (input.email ?? null),
      personId: seen.personId,
      roomId: seen.roomId,
      tradeId: seen.trade?.id ?? null,
      messageId: message?.id ?? null,
      message: message?.content.slice(0, 4_000) ?? null,
      messageAt: message?.createdAt ?? null,
      createdAt: at,
    })
    .onConflictDoNothing({ target: reportsTable.fingerprint })
    .returning();
  return row;
}

async function notifyAdministrators(tx: Tx, { id, number }: ReportRow, code: string): Promise<void> {
  const url = `/admin/reports?report=${id}`;
  const data = { task: "report" as const, code: code || number, detail: code === "" ? "" : number, url };
  await alertAdministrators(
    tx,
    { template: "adminTask", data },
    { once: `report:${id}`, occasion: null, url },
  );
}
