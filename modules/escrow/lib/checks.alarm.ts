import { config } from "#config";
import { type Tx, transaction } from "#db/client";
import { now } from "#db/clock";
import { defineJob } from "#db/jobs";
import { day } from "#format";
import { alarmLogWith } from "#modules/audit";
import { administrators } from "#modules/identity";
import { push, send, type TemplateData } from "#modules/mailer";
import { alarmLedgerWith } from "#modules/payments";
import { type Alarm, alarms } from "./checks.ts";

alarmLedgerWith((tx, { problems, ...when }) => {
  const found = problems.map(({ code, count }) => `${code} (${count})`).join(", ");
  return tellBroken(tx, { ...when, of: "ledger", found });
});
alarmLogWith((tx, { block, reason, ...when }) => {
  return tellBroken(tx, { ...when, of: "log", found: `${block}: ${reason}` });
});
// Of its own, every hour: what would tell of a missing verification must not be the verification.
defineJob("escrow.missing-checks", () => tellMissing(now()), { cron: "35 * * * *" });

const pages = { ledger: "/admin/money", log: "/admin/activity-logs" } as const;
const pushed = {
  ledger: { broken: "ledgerBroken", missing: "ledgerMissing" },
  log: { broken: "logBroken", missing: "logMissing" },
} as const;

/** Tells of verifications that are missing, each once a day, however many instances ask. */
export async function tellMissing(at: Date): Promise<void> {
  const missing = (await alarms(at)).filter(({ state }) => state === "missing");
  await transaction(async (tx) => {
    for (const { of, since } of missing) {
      const data = { of, moment: since, url: pages[of] };
      await alarm(tx, { of, state: "missing" }, `${since}:${day(at)}`, { template: "missingAlarm", data });
    }
  });
}

type Found = { at: Date; since: Date; of: Alarm["of"]; found: string };

/** What is pressed again and finds the same is not told again on that day; the next night's is. */
async function tellBroken(tx: Tx, { at, since, of, found }: Found): Promise<void> {
  const data = { of, found, moment: at.toISOString(), url: pages[of] };
  const once = `${since.toISOString()}:${day(at)}:${found}`;
  await alarm(tx, { of, state: "broken" }, once, { template: "brokenAlarm", data });
}

type Letter = { [T in "brokenAlarm" | "missingAlarm"]: { template: T; data: TemplateData[T] } };

/** Tells every administrator by mail and on their devices, and the administrators' address; the same `once` once only. */
async function alarm(
  tx: Tx,
  { of, state }: Pick<Alarm, "of" | "state">,
  once: string,
  letter: Letter[keyof Letter],
): Promise<void> {
  const key = (whom: number | "desk") => `${state}:${of}:${once}:${whom}`;
  const all = await administrators(tx);
  const address = config().MAIL_ADMIN;
  if (!all.some(({ email }) => email === address)) {
    await send(tx, { ...letter, to: address, language: "mn", key: key("desk") });
  }
  for (const { id, email, language } of all) {
    if (email !== null) await send(tx, { ...letter, to: email, language, userId: id, key: key(id) });
    await push(tx, { event: pushed[of][state], params: {}, userId: id, url: pages[of], key: key(id) });
  }
}
