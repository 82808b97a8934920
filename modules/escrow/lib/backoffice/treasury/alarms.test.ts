import { beforeAll, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { config, overrideConfig } from "#config";
import { db, runInTransaction } from "#db/client";
import { drainJobs, startJobs, stopJobs } from "#db/jobs";
import { daySpan, formatDay } from "#format";
import { listEntries } from "#modules/audit";
import { keepPushDevice } from "#modules/mailer";
import { ownerDatabase, useDatabase } from "../../../../../tests/support/database/test-database.ts";
import { expectMatch } from "../../../../../tests/support/expect-match.ts";
import { usePushService } from "../../../../../tests/support/services/use-push-service.ts";
import { plantUser } from "../../../../../tests/support/trades/planted-trades.ts";
import {
  createInvoicedTrade,
  createPaidTrade,
  runAtTime,
  useSandboxProvider,
} from "../../../../../tests/support/trades/sandbox-trades.ts";
import { workQueue } from "../work-queue/work-queue.ts";
import { notifyMissingChecks } from "./alarm-mails.ts";
import { readLedgerStatus, runMissedChecks, verifyLedgerSoon } from "./alarms.ts";

const database = useDatabase();
useSandboxProvider();
const service = usePushService();
type Somebody = Awaited<ReturnType<typeof plantUser>>;
let [admin, mongolian]: Somebody[] = [];
const start = Date.now();
const hours = (count: number) => new Date(start + count * 3_600_000);

beforeAll(async () => {
  admin = (await createPaidTrade()).admin;
  mongolian = await plantUser({ isAdmin: true, language: "mn" });
  await plantUser();
  for (const { userId } of [admin, mongolian]) {
    const owner = { userId, sessionId: userId, device: "a test", at: new Date() };
    await runInTransaction((tx) => keepPushDevice(tx, owner, service.browser()));
  }
});

function desk(): Somebody {
  if (admin === undefined) throw new Error("nobody is at the desk");
  return admin;
}

/** Verifies the ledger at a moment, as an administrator does by pressing the button. */
const verified = (at: Date) =>
  runAtTime(at, async () => {
    expect(await verifyLedgerSoon(desk())).toEqual({ ok: true });
    await drainJobs();
  });

const alarmsAt = (at: Date) =>
  runAtTime(at, async () => {
    const found = await workQueue(desk());
    if (!found.ok) throw new Error(found.code);
    return found.queue.alarms.map(({ of, state }) => `${of} ${state}`);
  });

async function told(
  template = "brokenAlarm",
  events = ["ledgerBroken", "logBroken"],
): Promise<{ mails: string[]; pushes: number[] }> {
  const mails = await db().execute<{ recipient: string; of: string }>(
    sql`SELECT recipient, split_part(key, ':', 2) AS of FROM mailer.messages WHERE template = ${template} ORDER BY id`,
  );
  const pushes = await db().execute<{ user_id: string }>(
    sql`SELECT user_id FROM mailer.pushes WHERE event IN ${events} ORDER BY id`,
  );
  return {
    mails: mails.map(({ recipient, of }) => `${of} ${recipient}`),
    pushes: pushes.map(({ user_id }) => Number(user_id)),
  };
}

const tamper = (by: number) =>
  ownerDatabase().transaction(async (tx) => {
    await tx.execute(sql`SET LOCAL session_replication_role = replica`);
    await tx.execute(sql`UPDATE payments.balances SET balance = balance + ${by}::int`);
  });

describe("a broken ledger", () => {
  test("is reported to every administrator by mail and push, once a day, and comes first until it balances again", async () => {
    const everybody = [config().MAIL_ADMIN, desk().email, mongolian?.email].map((to) => `ledger ${to}`);
    await verified(hours(0));
    expect(await alarmsAt(hours(0))).toEqual([]);
    await tamper(1);
    await verified(hours(0.1));
    await verified(hours(0.2));
    expect(await told()).toEqual({ mails: everybody, pushes: [desk().userId, mongolian?.userId ?? 0] });
    expect(service.arrived.map(({ content }) => content.title).sort()).toEqual([
      "The ledger doesn't balance",
      "Ерөнхий дэвтэр тэнцэхгүй байна",
    ]);
    expect(await alarmsAt(hours(0.2))).toEqual(["ledger broken"]);
    await verified(hours(24.1));
    expect((await told()).mails).toEqual([...everybody, ...everybody]);
    await tamper(-1);
    await verified(hours(24.2));
    expect(await alarmsAt(hours(24.2))).toEqual([]);
  });

  test("is reported again on the same day if it balanced in between", async () => {
    const before = (await told()).mails.length;
    await tamper(1);
    await verified(hours(24.3));
    expect((await told()).mails.length).toBe(before + 3);
    await tamper(-1);
    await verified(hours(24.4));
  });
});

/** Sets when ledger and log were last verified: the ledger in its current state, the log as if it were intact. */
async function lastVerified({ ledger, log }: { ledger: Date; log?: Date }): Promise<void> {
  await ownerDatabase().transaction(async (tx) => {
    await tx.execute(sql`SET LOCAL session_replication_role = replica`);
    await tx.execute(sql`DELETE FROM payments.ledger_checks`);
    await tx.execute(sql`DELETE FROM audit.checks`);
    if (log === undefined) return;
    await tx.execute(sql`INSERT INTO audit.checks (at, ok, block, head, entries)
      VALUES (${log.toISOString()}, true, 0, repeat('0', 64), 0)`);
  });
  await verified(ledger);
}

describe("a start", () => {
  /** What a start at a moment verifies. */
  async function madeGood(at: Date): Promise<string[]> {
    await runAtTime(at, async () => {
      await runMissedChecks(at);
      await drainJobs();
    });
    const made = await db().execute<{ of: string }>(sql`
      SELECT 'ledger' AS of FROM payments.ledger_checks WHERE at = ${at.toISOString()}
      UNION ALL SELECT 'log' FROM audit.checks WHERE at = ${at.toISOString()} ORDER BY 1`);
    return made.map(({ of }) => of);
  }

  test("makes up for a missed nightly verification of the ledger, and no other", async () => {
    await lastVerified({ ledger: hours(24.4), log: hours(59) });
    expect(await alarmsAt(hours(60))).toEqual([]);
    expect(await madeGood(hours(60))).toEqual([]);
    expect(await alarmsAt(hours(61))).toEqual(["ledger missing"]);
    expect(await madeGood(hours(61))).toEqual(["ledger"]);
    expect(await alarmsAt(hours(61))).toEqual([]);
  });

  test("makes up for one of the log in the same way, and does not verify a broken ledger again", async () => {
    await tamper(1);
    await lastVerified({ ledger: hours(59), log: hours(24.4) });
    await tamper(-1);
    expect(await madeGood(hours(60))).toEqual([]);
    expect(await alarmsAt(hours(61))).toEqual(["ledger broken", "log missing"]);
    expect(await madeGood(hours(61))).toEqual(["log"]);
  });
});

describe("a missing verification", () => {
  const toldOf = (of: "ledger" | "log") => told("missingAlarm", [`${of}Missing`]);
  const both = () => [desk().userId, mongolian?.userId ?? 0];
  const everybody = (of: "ledger" | "log") =>
    [config().MAIL_ADMIN, desk().email, mongolian?.email].map((to) => `${of} ${to}`);
  const endOfDay = (at: Date) => new Date(daySpan(formatDay(at)).until.getTime() - 1);

  const lastPushes = () =>
    service.arrived
      .slice(-2)
      .map(({ content }) => [content.title, content.url])
      .sort();

  /** The hourly job, on two instances at once. */
  const hourly = (at: Date) =>
    runAtTime(at, () => Promise.all([notifyMissingChecks(at), notifyMissingChecks(at)]));

  test("of the ledger is reported to every administrator by mail and push once a day, until there is one", async () => {
    const last = hours(61);
    await lastVerified({ ledger: last });
    const missed = (count: number) => new Date(last.getTime() + count * 3_600_000);
    await hourly(missed(36));
    expect(await toldOf("ledger")).toEqual({ mails: [], pushes: [] });
    await hourly(missed(37));
    await hourly(endOfDay(missed(37)));
    expect(await toldOf("ledger")).toEqual({ mails: everybody("ledger"), pushes: both() });
    await runAtTime(missed(37), () => drainJobs());
    expect(lastPushes()).toEqual([
      ["The ledger wasn't verified", "/admin/money"],
      ["Ерөнхий дэвтрийг шалгаагүй байна", "/admin/money"],
    ]);
    await hourly(missed(61));
    const twice = { mails: [...everybody("ledger"), ...everybody("ledger")], pushes: [...both(), ...both()] };
    expect(await toldOf("ledger")).toEqual(twice);
    await verified(missed(62));
    await hourly(missed(86));
    expect(await toldOf("ledger")).toEqual(twice);
  });

  test("of the log is reported in the same way", async () => {
    const at = hours(400);
    await verified(at);
    await db().execute(sql`
      INSERT INTO audit.checks (at, ok, block, head, entries)
      VALUES (${new Date(at.getTime() - 37 * 3_600_000).toISOString()}, true, 0, repeat('0', 64), 0)`);
    const before = (await told("missingAlarm")).mails.length;
    await hourly(at);
    expect((await told("missingAlarm")).mails.slice(before)).toEqual(everybody("log"));
    expect((await toldOf("log")).pushes).toEqual(both());
    await runAtTime(at, () => drainJobs());
    expect(lastPushes()).toEqual([
      ["The log's chain wasn't verified", "/admin/activity-logs"],
      ["Бүртгэлийн гинжийг шалгаагүй байна", "/admin/activity-logs"],
    ]);
    await ownerDatabase().transaction(async (tx) => {
      await tx.execute(sql`SET LOCAL session_replication_role = replica`);
      await tx.execute(sql`DELETE FROM audit.checks`);
    });
  });
});

test("the nightly verifications of ledger and log may take an hour", async () => {
  await startJobs(database.url, { work: false });
  await stopJobs();
  const walks = await db().execute<{ name: string; seconds: number }>(
    sql`SELECT name, expire_seconds AS seconds FROM pgboss.queue
      -- Jobs named test.… were defined by other test files of the same process.
      WHERE dead_letter IS NOT NULL AND expire_seconds <> 300 AND name NOT LIKE 'test.%' ORDER BY name`,
  );
  expect([...walks]).toEqual(
    ["audit.check", "audit.retention", "audit.seal-records", "payments.verify"].map((name) => ({
      name,
      seconds: 3_600,
    })),
  );
});

test("a broken log is reported in the same way, besides the ledger", async () => {
  await ownerDatabase().transaction(async (tx) => {
    await tx.execute(sql`SET LOCAL session_replication_role = replica`);
    await tx.execute(sql`
      INSERT INTO audit.checks (at, ok, block, head, entries) VALUES (${hours(0).toISOString()}, true, 0, repeat('0', 64), 0)`);
    await tx.execute(sql`DELETE FROM audit.traces`);
    await tx.execute(sql`UPDATE audit.entries SET recorded_at = recorded_at - interval '1 hour'`);
  });
  expect(await alarmsAt(hours(61))).toEqual(["log missing"]);
  await runAtTime(hours(61), async () => {
    await runMissedChecks(hours(61));
    await drainJobs();
  });
  expect(await alarmsAt(hours(61))).toEqual(["log broken"]);
  const { mails } = await told();
  expect(mails.slice(-3)).toEqual(
    [config().MAIL_ADMIN, desk().email, mongolian?.email].map((to) => `log ${to}`),
  );
});

test("only administrators see the ledger or have it verified", async () => {
  for (const verb of [verifyLedgerSoon, readLedgerStatus])
    expect(await verb(await plantUser())).toEqual({ ok: false, code: "ADMIN_REQUIRED" });
});

test("an administrator sees the latest verification, or that it is missing; the log records who asked for one", async () => {
  await ownerDatabase().execute(sql`TRUNCATE payments.ledger_checks`);
  const at = hours(500);
  const shown = (when: Date) => runAtTime(when, () => readLedgerStatus(desk()));
  expect(await shown(at)).toEqual({ ok: true, ledger: { check: null, missing: false, oneRole: false } });
  await verified(at);
  const check = { at, ok: true as const, sums: expect.any(Object) };
  expect(await shown(hours(536))).toEqual({ ok: true, ledger: { check, missing: false, oneRole: false } });
  expect(await shown(hours(537))).toEqual({ ok: true, ledger: { check, missing: true, oneRole: false } });
  const { entries } = await listEntries({ action: "ledger_check_asked", from: at, to: at, limit: 1 });
  expectMatch(entries, [{ at, userId: desk().userId, ip: desk().ip, device: desk().device }]);
});

describe("an alarm", () => {
  const mails = () =>
    db().execute<Record<string, unknown>>(sql`
      SELECT template, recipient, user_id::integer, language, key, data FROM mailer.messages
      WHERE template LIKE '%Alarm' AND key LIKE '%:ledger:%' ORDER BY id`);

  test("names what was found and since when, and is sent once to the shared administrators' address", async () => {
    await ownerDatabase().execute(
      sql`TRUNCATE payments.ledger_checks, mailer.messages, mailer.mailbox, mailer.pushes`,
    );
    const was = config();
    overrideConfig({ MAIL_ADMIN: desk().email });
    try {
      await tamper(1);
      await verified(hours(600));
      await tamper(-1);
      // An hour later it is broken, but not missing.
      await notifyMissingChecks(hours(601));
      const since = hours(600).toISOString();
      const people = [desk(), mongolian];
      const to = (template: string, once: string, data: object) =>
        people.map((who) => ({
          ...{ template, recipient: who?.email, language: who?.language, user_id: who?.userId },
          ...{ key: `${once}:${who?.userId}`, data },
        }));
      // A sent mail keeps nothing of its contents.
      const broken = `broken:ledger:${since}:${formatDay(hours(600))}:BALANCE_DIFFERS (1), TRADE_ESCROW_DIFFERS (1)`;
      expect([...(await mails())]).toEqual(to("brokenAlarm", broken, {}));
      await ownerDatabase().execute(sql`TRUNCATE mailer.messages, mailer.mailbox`);
      await notifyMissingChecks(hours(637));
      const missing = `missing:ledger:${since}:${formatDay(hours(637))}`;
      const data = { of: "ledger", moment: since, url: "/admin/money" };
      expect([...(await mails())]).toEqual(to("missingAlarm", missing, data));
      const pushes = await db().execute<{ user_id: number; url: string }>(
        sql`SELECT user_id::integer, url FROM mailer.pushes WHERE key LIKE '%:ledger:%' ORDER BY id`,
      );
      expect([...pushes]).toEqual(
        [...people, ...people].map((who) => ({ user_id: who?.userId ?? 0, url: "/admin/money" })),
      );
    } finally {
      overrideConfig(was);
    }
  });
});

describe("escrow's scheduled work", () => {
  test("has its own hour, whatever happens to the nightly jobs", async () => {
    await startJobs(database.url);
    await stopJobs();
    const planned = await db().execute<{ name: string; cron: string }>(
      sql`SELECT name, cron FROM pgboss.schedule WHERE name LIKE 'escrow.%' ORDER BY name`,
    );
    expect(planned.map(({ name, cron }) => `${name.slice("escrow.".length)} ${cron}`)).toEqual([
      ...["ask-by-hand 0 23 * * *", "deadlines * * * * *", "figures 20 * * * *"],
      ...["missing-checks 35 * * * *", "retention 55 19 * * *"],
    ]);
  });

  test("reports missing verifications, erases what is old, and checks manual confirmations", async () => {
    await startJobs(database.url, { work: false });
    await stopJobs();
    await ownerDatabase().execute(sql`TRUNCATE payments.ledger_checks, mailer.messages, mailer.mailbox`);
    await verified(hours(700));
    const deal = await createInvoicedTrade();
    await db().execute(sql`UPDATE identity.users SET is_admin = false WHERE id = ${deal.admin.userId}`);
    await db().execute(sql`
      INSERT INTO payments.reconciliation_tasks (day, cause, subject, figures, reference, found_at, seen_at)
      VALUES (current_date, 'by_hand', ${`by hand ${deal.id}`}, '- - 1', ${deal.id}, now(), now())`);
    await db().execute(sql`
      INSERT INTO escrow.support_requests (number, fingerprint, user_id, topic, message, suspect, created_at)
      VALUES ('SR-01D01D01', repeat('o', 43), ${deal.buyer.userId}, 'other', 'an old question', false,
        now() - interval '3 years')`);
    for (const name of ["escrow.missing-checks", "escrow.retention", "escrow.ask-by-hand"]) {
      await db().execute(sql`INSERT INTO pgboss.job (name) VALUES (${name})`);
    }
    expect((await runAtTime(hours(737), () => drainJobs())).failed).toBe(0);
    expect((await told("missingAlarm")).mails).toContain(`ledger ${desk().email}`);
    const [asked] = await db().execute<{ asks: number }>(sql`
      SELECT p.asks FROM payments.provider_invoices p JOIN payments.invoices i ON i.id = p.invoice_id
      WHERE i.reference = ${deal.id}`);
    expect(asked?.asks).toBe(1);
    const old = await db().execute(sql`SELECT id FROM escrow.support_requests WHERE number = 'SR-01D01D01'`);
    expect([...old]).toEqual([]);
  });
});
