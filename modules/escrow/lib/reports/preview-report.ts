import { db } from "#db/client";
import { currentTime } from "#db/clock";
import type { ThrottleRefusal } from "#db/throttle/throttle-attempts";
import type { Actor } from "#modules/identity";
import { listReportableMessages, type ReportedMessage } from "#modules/rooms";
import { type ReportSubject, reportSubjectSchema } from "../../forms.ts";
import { throttleCodeLookup, throttleUnknownCode } from "../verification/throttle-lookups.ts";
import { findSubject } from "./find-subject.ts";

/** How many of a person's latest messages the form offers, so that the reporter can choose the one that is meant. */
const maxOfferedMessages = 30;

export type ReportPreview = {
  subject: ReportSubject;
  personId: number | null;
  /** The name of the reported person; null for a code. */
  name: string | null;
  code: string | null;
  /** That person's latest messages, the latest first, and among them the one that is reported. */
  messages: ReportedMessage[];
};

export type ReportPreviewRefusal = { ok: false; code: "REPORT_SUBJECT_NOT_FOUND" } | ThrottleRefusal;

/**
 * What somebody is about to report, for the form to show. Refuses REPORT_SUBJECT_NOT_FOUND for anything that they may not see, and
 * THROTTLED if an address looks up too many codes, as `verifyCode` does: the form answers whether a code exists.
 */
export async function previewReport(
  actor: Actor,
  query: Record<string, string>,
): Promise<{ ok: true; shown: ReportPreview } | ReportPreviewRefusal> {
  const isCode = query.about === "code";
  const passed = isCode ? await throttleCodeLookup(actor, currentTime()) : ({ ok: true } as const);
  if (!passed.ok) return passed;
  const shown = await findReportPreview(actor, query);
  if (shown !== undefined) return { ok: true, shown };
  const guessed = isCode ? await throttleUnknownCode(actor, currentTime()) : ({ ok: true } as const);
  return guessed.ok ? { ok: false, code: "REPORT_SUBJECT_NOT_FOUND" } : guessed;
}

async function findReportPreview(
  actor: Actor,
  query: Record<string, string>,
): Promise<ReportPreview | undefined> {
  const asked = reportSubjectSchema.safeParse(query);
  if (!asked.success) return undefined;
  const subject = asked.data;
  const found = await findSubject(db(), actor, subject);
  if (found === undefined) return undefined;
  const { personId, name, roomId, trade, message } = found;
  if (actor.kind !== "user" || personId === null || roomId === null) {
    return { subject, personId, name, code: trade?.code ?? null, messages: [] };
  }
  const latest = await listReportableMessages(
    db(),
    actor.userId,
    { roomId, senderId: personId },
    maxOfferedMessages,
  );
  const isOlder = message !== undefined && latest.every(({ id }) => id !== message.id);
  return { subject, personId, name, code: null, messages: isOlder ? [...latest, message] : latest };
}
