import { type Tx, transaction } from "#db/client";
import { now } from "#db/clock";
import { defineJob } from "#db/jobs";
import { day } from "#format";
import { alarmLogWith } from "#modules/audit";
import type { Occasion, TemplateData } from "#modules/mailer";
import { alarmLedgerWith } from "#modules/payments";
import { tellAdministrators } from "../../notifications/tell-administrators.ts";
import { type Alarm, alarms } from "./alarms.ts";

alarmLedgerWith((tx, { problems, ...when }) => {
  const found = problems.map(({ code, count }) => `${code} (${count})`).join(", ");
  return tellBroken(tx, { ...when, of: "ledger", found });
});
alarmLogWith((tx, { block, reason, ...when }) => {
  return tellBroken(tx, { ...when, of: "log", found: `${block}: ${reason}` });
});
// Of its own, every hour: what would tell of a missing verification must not be the verification.
defineJob("escrow.missing-checks", () => tellMissing(now()), { cron: "35 * * * *" });

const pages = {
  ledger: "/admin/money",
  log: "/admin/activity-logs",
  anchor: "/admin/activity-logs",
} as const;
const pushed = {
  ledger: { broken: "ledgerBroken", missing: "ledgerMissing" },
  log: { broken: "logBroken", missing: "logMissing" },
} as const;

/** Tells of verifications that are missing, each once a day, however many instances ask. */
export async function tellMissing(at: Date): Promise<void> {
  const missing = (await alarms(at)).filter(({ state }) => state === "missing");
  await transaction(async (tx) => {
    for (const { of, since } of missing) {
      const once = `${since}:${day(at)}`;
      const data = { moment: since, url: pages[of] };
      if (of === "anchor") await alarm(tx, { of, state: "missing" }, once, { template: "anchorAlarm", data });
      else {
        await alarm(tx, { of, state: "missing" }, once, { template: "missingAlarm", data: { ...data, of } });
      }
    }
  });
}

type Found = { at: Date; since: Date; of: "ledger" | "log"; found: string };

/** What is pressed again and finds the same is not told again on that day; the next night's is. */
async function tellBroken(tx: Tx, { at, since, of, found }: Found): Promise<void> {
  const data = { of, found, moment: at.toISOString(), url: pages[of] };
  const once = `${since.toISOString()}:${day(at)}:${found}`;
  await alarm(tx, { of, state: "broken" }, once, { template: "brokenAlarm", data });
}

type Letter = {
  [T in "brokenAlarm" | "missingAlarm" | "anchorAlarm"]: { template: T; data: TemplateData[T] };
};

/** Tells every administrator by mail and on their devices, and the administrators' address; the same `once` once only. */
async function alarm(
  tx: Tx,
  { of, state }: Pick<Alarm, "of" | "state">,
  once: string,
  letter: Letter[keyof Letter],
): Promise<void> {
  // Of an anchor nobody is woken: it can wait until somebody reads their mail.
  const occasion: Occasion | null = of === "anchor" ? null : { event: pushed[of][state], params: {} };
  await tellAdministrators(tx, letter, { once: `${state}:${of}:${once}`, occasion, url: pages[of] });
}
