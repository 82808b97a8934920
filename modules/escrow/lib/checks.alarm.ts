import { config } from "#config";
import type { Tx } from "#db/client";
import { day } from "#format";
import { alarmLogWith } from "#modules/audit";
import { administrators } from "#modules/identity";
import { push, send } from "#modules/mailer";
import { alarmLedgerWith } from "#modules/payments";
import type { Alarm } from "./checks.ts";

alarmLedgerWith((tx, { problems, ...when }) => {
  const found = problems.map(({ code, count }) => `${code} (${count})`).join(", ");
  return alarm(tx, { ...when, of: "ledger", found, url: "/admin/money" });
});
alarmLogWith((tx, { block, reason, ...when }) => {
  return alarm(tx, { ...when, of: "log", found: `${block}: ${reason}`, url: "/admin/activity-logs" });
});

type Found = { at: Date; since: Date; of: Alarm["of"]; found: string; url: string };

/**
 * Tells every administrator by mail and on their devices, and the administrators' address. What is pressed again and finds the
 * same is not told again on that day; the next night's is.
 */
async function alarm(tx: Tx, { at, since, of, found, url }: Found): Promise<void> {
  const data = { of, found, moment: at.toISOString(), url };
  const key = (whom: number | "desk") => {
    return `broken:${of}:${since.toISOString()}:${day(at)}:${found.slice(0, 100)}:${whom}`;
  };
  const all = await administrators(tx);
  const address = config().MAIL_ADMIN;
  if (!all.some(({ email }) => email === address)) {
    await send(tx, { template: "brokenAlarm", data, to: address, language: "mn", key: key("desk") });
  }
  for (const { id, email, language } of all) {
    if (email !== null) {
      await send(tx, { template: "brokenAlarm", data, to: email, language, userId: id, key: key(id) });
    }
    const event = of === "ledger" ? "ledgerBroken" : "logBroken";
    await push(tx, { event, params: {}, userId: id, url, key: key(id) });
  }
}
