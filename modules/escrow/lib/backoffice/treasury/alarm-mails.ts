import { runInTransaction, type Tx } from "#db/client";
import { currentTime } from "#db/clock";
import { defineJob } from "#db/jobs";
import { formatDay } from "#format";
import { registerLogAlarm } from "#modules/audit";
import type { Occasion, TemplateData } from "#modules/mailer";
import { registerLedgerAlarm } from "#modules/payments";
import { alertAdministrators } from "../../notifications/alert-administrators.ts";
import { findAlarms } from "./alarms.ts";
import type { Alarm } from "./responses.ts";

registerLedgerAlarm((tx, { problems, ...when }) => {
  const found = problems.map(({ code, count }) => `${code} (${count})`).join(", ");
  return notifyBrokenProof(tx, { ...when, of: "ledger", found });
});
registerLogAlarm((tx, { block, reason, ...when }) => {
  return notifyBrokenProof(tx, { ...when, of: "log", found: `${block}: ${reason}` });
});
// An hourly job of its own: a verification that does not run cannot report that it is missing.
defineJob("escrow.missing-checks", () => notifyMissingChecks(currentTime()), { cron: "35 * * * *" });

const alarmPages = {
  ledger: "/admin/money",
  log: "/admin/activity-logs",
  anchor: "/admin/activity-logs",
} as const;
const alarmPushEvents = {
  ledger: { broken: "ledgerBroken", missing: "ledgerMissing" },
  log: { broken: "logBroken", missing: "logMissing" },
} as const;

/** Notifies administrators of missing verifications, of each once a day, however many instances run this. */
export async function notifyMissingChecks(at: Date): Promise<void> {
  const missing = (await findAlarms(at)).filter(({ state }) => state === "missing");
  await runInTransaction(async (tx) => {
    for (const { of, since } of missing) {
      const once = `${since}:${formatDay(at)}`;
      const data = { moment: since, url: alarmPages[of] };
      if (of === "anchor")
        await notifyAlarm(tx, { of, state: "missing" }, once, { template: "anchorAlarm", data });
      else {
        await notifyAlarm(tx, { of, state: "missing" }, once, {
          template: "missingAlarm",
          data: { ...data, of },
        });
      }
    }
  });
}

type BrokenProof = { at: Date; since: Date; of: "ledger" | "log"; found: string };

/** A verification on the same day that finds the same is not notified again; the next night's is. */
async function notifyBrokenProof(tx: Tx, { at, since, of, found }: BrokenProof): Promise<void> {
  const data = { of, found, moment: at.toISOString(), url: alarmPages[of] };
  const once = `${since.toISOString()}:${formatDay(at)}:${found}`;
  await notifyAlarm(tx, { of, state: "broken" }, once, { template: "brokenAlarm", data });
}

type Letter = {
  [T in "brokenAlarm" | "missingAlarm" | "anchorAlarm"]: { template: T; data: TemplateData[T] };
};

/** Notifies every administrator by mail and push, and the administrators' address; only once for the same `once`. */
async function notifyAlarm(
  tx: Tx,
  { of, state }: Pick<Alarm, "of" | "state">,
  once: string,
  letter: Letter[keyof Letter],
): Promise<void> {
  // No push for an anchor: it can wait until someone reads their mail.
  const occasion: Occasion | null =
    of === "anchor" ? null : { event: alarmPushEvents[of][state], params: {} };
  await alertAdministrators(tx, letter, { once: `${state}:${of}:${once}`, occasion, url: alarmPages[of] });
}
