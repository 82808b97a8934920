import { beforeAll, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { z } from "zod";
import { db, runInTransaction } from "#db/client";
import { defineJob, drainJobs } from "#db/jobs";
import { listEntries } from "#modules/audit";
import { useDatabase } from "../../../../../tests/support/database/test-database.ts";
import { plantTrade, plantUser } from "../../../../../tests/support/trades/planted-trades.ts";
import { dropJob, retryJob, settleMail } from "./failed-work.ts";
import { workQueue } from "./work-queue.ts";

useDatabase();

let admin: Awaited<ReturnType<typeof plantUser>>;
let works = false;
const ran: string[] = [];
const flaky = defineJob(
  "test.flaky",
  z.object({ name: z.string() }),
  async ({ name }) => {
    if (!works) throw new Error("the other side is away");
    ran.push(name);
  },
  { retryLimit: 0 },
);

beforeAll(async () => {
  admin = await plantUser({ isAdmin: true });
});

async function queue() {
  const found = await workQueue(admin);
  if (!found.ok) throw new Error(found.code);
  return found.queue;
}

async function deadJob(name: string): Promise<string> {
  works = false;
  await runInTransaction((tx) => flaky.enqueue(tx, { name }));
  await drainJobs();
  const jobs = (await queue()).chores.filter(({ kind }) => kind === "job");
  expect(jobs.at(-1)).toMatchObject({ name: "test.flaky", reason: "the other side is away" });
  return String(jobs.at(-1)?.id);
}

async function failedMail(): Promise<number> {
  const [row] = await db().execute<{ id: string }>(sql`
    INSERT INTO mailer.messages (message_id, template, language, recipient, data, state, attempts, last_error, created_at, ended_at)
    VALUES (${`<${crypto.randomUUID()}@example.mn>`}, 'welcome', 'en', 'bat@example.mn', '{}', 'failed', 120, 'no such mailbox',
      now(), now()) RETURNING id`);
  return Number(row?.id);
}

const actions = async () => (await listEntries({ limit: 50 })).entries.map(({ action }) => action);
/** The latest audit entry with this action: who, from which IP address, about what, and the outcome. */
async function logged(action: string) {
  const [entry] = (await listEntries({ action, limit: 1 })).entries;
  return { userId: entry?.userId, ip: entry?.ip, subject: entry?.subject, data: entry?.data };
}
const admins = () => ({ userId: admin.userId, ip: admin.ip });

describe("a job that always failed", () => {
  test("waits, can be retried as if new, and then leaves the work queue; the log records it", async () => {
    ran.length = 0;
    const id = await deadJob("again");
    works = true;
    expect(await retryJob(admin, id)).toEqual({ ok: true, changed: true });
    expect((await queue()).chores).toEqual([]);
    await drainJobs();
    expect(ran).toEqual(["again"]);
    const data = { name: "test.flaky", before: "failed", after: "waiting" };
    expect(await logged("job.retried")).toEqual({ ...admins(), subject: { kind: "job", id }, data });
    expect(await retryJob(admin, id)).toEqual({ ok: false, code: "NOT_FOUND" });
  });

  test("is discarded and never runs; of two administrators one wins", async () => {
    const id = await deadJob("aside");
    const both = await Promise.all([dropJob(admin, id), dropJob(admin, id)]);
    expect(both.map(({ ok }) => ok).sort()).toEqual([false, true]);
    works = true;
    await drainJobs();
    expect(ran).not.toContain("aside");
    const data = { name: "test.flaky", before: "failed", after: "dropped" };
    expect(await logged("job.dropped")).toEqual({ ...admins(), subject: { kind: "job", id }, data });
  });

  test("is for administrators only, and an invalid id names nothing", async () => {
    const id = await deadJob("kept");
    const user = await plantUser();
    expect(await retryJob(user, id)).toEqual({ ok: false, code: "ADMIN_REQUIRED" });
    expect(await dropJob(user, id)).toEqual({ ok: false, code: "ADMIN_REQUIRED" });
    for (const none of [
      "",
      "1",
      "x".repeat(36),
      `${id} `,
      ` ${id}`,
      `${id}0`,
      `0${id}`,
      crypto.randomUUID(),
    ]) {
      expect(await dropJob(admin, none)).toEqual({ ok: false, code: "NOT_FOUND" });
    }
    expect(await dropJob(admin, id)).toMatchObject({ ok: true });
  });
});

describe("a mail that could not be sent", () => {
  test("waits with its address and reason until someone resolves it, once", async () => {
    const id = await failedMail();
    expect((await queue()).chores).toMatchObject([
      { kind: "mail", id, recipient: "bat@example.mn", reason: "no such mailbox" },
    ]);
    expect(await settleMail(await plantUser(), id)).toEqual({ ok: false, code: "ADMIN_REQUIRED" });
    expect(await settleMail(admin, id)).toEqual({ ok: true, changed: true });
    expect(await settleMail(admin, id)).toEqual({ ok: true, changed: false });
    expect((await queue()).chores).toEqual([]);
    expect(await actions()).toContain("mail_failure_settled");
    expect(await logged("mail_failure_settled")).toMatchObject(admins());
    expect(await settleMail(admin, 999_999)).toEqual({ ok: false, code: "NOT_FOUND" });
  });
});

test("disputes are ordered by when they should be ruled, oldest first", async () => {
  const [later, sooner] = [await plantTrade("disputed"), await plantTrade("disputed")];
  const opened = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
  for (const [trade, hours] of [
    [later, 1],
    [sooner, 50],
  ] as const) {
    await db().execute(sql`INSERT INTO escrow.disputes (trade_id, opened_by, opened_from, opened_at)
      VALUES (${trade.id}, 'buyer', 'payment_confirmed', ${opened(hours)}::timestamptz)`);
  }
  const { disputes, serverTime } = await queue();
  expect(disputes.map(({ transactionId }) => transactionId)).toEqual([sooner.id, later.id]);
  expect(disputes.map(({ dueAt }) => dueAt < serverTime)).toEqual([true, false]);
});

test("work for administrators stays in the queue however many other deadlines have passed", async () => {
  const overdue = (tradeId: number, kind: string, hours: number) =>
    db().execute(sql`
      INSERT INTO escrow.deadlines (trade_id, kind, state, started_at, due_at, overdue_at)
      SELECT ${tradeId}::bigint, ${kind}, 'overdue', at - interval '1 day', at, at
      FROM (SELECT now() - ${hours}::int * interval '1 hour' AS at) AS late`);
  for (let made = 0; made < 101; made++)
    await overdue((await plantTrade("exchange_completed")).id, "buyer_finish", 12);
  const waiting = await plantTrade("exchange_completed");
  await overdue(waiting.id, "admin_review", 1);
  expect((await queue()).overdue).toMatchObject([{ transactionId: waiting.id, kind: "admin_review" }]);
});
