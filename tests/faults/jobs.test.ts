import { afterAll, beforeAll, expect, test } from "bun:test";
import { rm } from "node:fs/promises";
import { sql } from "drizzle-orm";
import { translateText } from "#locales";
import { connectDatabase, db, disconnectDatabase, openClient } from "../../db/client.ts";
import { freshDatabase } from "../support/database/test-database.ts";
import { expectStatus, type Person, registerPerson } from "../support/people/registered-people.ts";
import { type Server, startServer } from "../support/server/midman-server.ts";
import { startMailServer, type TestMailServer } from "../support/services/mail-server.ts";
import {
  openSettlingTrade,
  payAt,
  requestPayment,
  type ServerTrade,
  untilStatus,
} from "../support/trades/server-trades.ts";
import { findBookFaults, noticesOf, readTradeBalances } from "../support/trades/trade-books.ts";

/**
 * One instance is killed (SIGKILL) in the middle of four jobs: it has asked the provider about a payment, and about one whose
 * window is over; it is marking a payout overdue; it is handing a mail over. Another instance does each of them, and in effect
 * once.
 */

let database: Awaited<ReturnType<typeof freshDatabase>>;
let post: TestMailServer;
let doomed: Server;
let other: Server | undefined;

beforeAll(async () => {
  database = await freshDatabase();
  connectDatabase(database.url);
  post = await startMailServer("nobody@example.mn");
  doomed = await startServer({ databaseUrl: database.url, environment: { SMTP_URL: post.url } });
}, 240_000);

afterAll(async () => {
  await doomed?.kill();
  await other?.stop();
  await rm(doomed.dataDir, { recursive: true, force: true });
  await post?.stop();
  await disconnectDatabase();
  await database?.drop();
});

async function until(what: string, holds: () => Promise<boolean>, seconds: number): Promise<void> {
  for (const from = Date.now(); Date.now() - from < seconds * 1000; await Bun.sleep(100)) {
    if (await holds()) return;
  }
  throw new Error(`after ${seconds} s: ${what}`);
}

const one = async (query: ReturnType<typeof sql>) => {
  const [row] = await db().execute<{ n: number }>(query);
  return Number(row?.n ?? 0);
};

/** How many jobs are under way, by their kind. */
async function underWay(): Promise<Record<string, number>> {
  const rows = await db().execute<{ name: string; n: number }>(
    sql`SELECT name, count(*)::int AS n FROM pgboss.job WHERE state = 'active' GROUP BY name ORDER BY name`,
  );
  return Object.fromEntries(rows.map(({ name, n }) => [name, n]));
}

/** A clock of a trade has run out, and its job is due. */
async function runOut({ id }: ServerTrade, kind: string): Promise<void> {
  const [row] = await db().execute<{ id: string }>(sql`
    UPDATE escrow.deadlines SET due_at = now() - interval '1 second', next_at = now() - interval '1 second', reminded = 9
    WHERE trade_id = ${id} AND kind = ${kind} AND state = 'running' RETURNING id`);
  await db().execute(sql`
    UPDATE pgboss.job SET start_after = now() WHERE singleton_key = ${`deadline:${row?.id}`} AND state = 'created'`);
}

/** What its holder's death leaves taken for a while is free, as if that while had passed: a lease of 30 s, one of a minute, a pause of two. */
async function leasesPass({ id }: ServerTrade): Promise<void> {
  await db().execute(
    sql`UPDATE payments.provider_invoices SET leased_until = now() WHERE leased_until IS NOT NULL`,
  );
  await db().execute(sql`UPDATE mailer.messages SET lease_until = now() WHERE state = 'queued'`);
  await db().execute(
    sql`UPDATE escrow.deadlines SET next_at = now() WHERE trade_id = ${id} AND next_at > now()`,
  );
  await db().execute(sql`UPDATE pgboss.job SET start_after = now() WHERE name = 'escrow.deadline' AND state = 'created'
    AND singleton_key IN (SELECT 'deadline:' || id FROM escrow.deadlines WHERE trade_id = ${id})`);
}

const mailsTo = (who: Person, template: string) =>
  one(sql`SELECT count(*) AS n FROM mailer.messages WHERE user_id = ${who.id} AND template = ${template}`);

test("an instance is killed in the middle of its jobs: another does each, effective once", async () => {
  const [paying, late, unpaid, forgetful] = await Promise.all([
    requestPayment(doomed),
    requestPayment(doomed),
    openSettlingTrade(doomed),
    registerPerson(doomed),
  ]);
  await payAt(late.buyer, late.invoiceId, { amount: 30_000 });
  await untilStatus(late, "payment_processing");

  // In the middle of each: the provider does not answer, a row is held, the mail server is silent.
  expectStatus(
    await paying.buyer.post("/sandbox/qpay/behave", {
      operation: "check",
      delayMs: 60_000,
      nextCalls: "all",
    }),
    200,
  );
  const queued = sql`SELECT count(*) AS n FROM mailer.messages WHERE user_id = ${forgetful.id} AND state = 'queued'`;
  await until("the mails of signing up have not left", async () => (await one(queued)) === 0, 20);
  const waiting = post.hold(forgetful.email);
  const holder = openClient(database.url, { max: 1 });
  await holder.unsafe(`BEGIN; SELECT FROM rooms.rooms WHERE id = ${unpaid.roomId} FOR UPDATE`);
  await payAt(paying.buyer, paying.invoiceId);
  await runOut(late, "payment_window");
  await runOut(unpaid, "payout");
  expectStatus(await doomed.client().post("/api/auth/forgot-password", { email: forgetful.email }), 200);
  const held = async () => {
    const { "escrow.check": checks, "escrow.deadline": clocks, "mailer.deliver": mails } = await underWay();
    return checks === 1 && clocks === 2 && mails === 1 && waiting() === 1;
  };
  await until("the four jobs are not under way", held, 20).catch(async (error) => {
    throw new Error(`${error.message} (${JSON.stringify(await underWay())}, ${waiting()} held)`);
  });

  other = await startServer({
    ...{ databaseUrl: database.url, dataDir: doomed.dataDir },
    environment: { SMTP_URL: post.url },
  });
  await doomed.kill();
  const killed = Date.now();
  await holder.unsafe("COMMIT");
  await holder.end();
  post.release(forgetful.email);
  expectStatus(await other.client().post("/sandbox/qpay/behave", { reset: true }), 200);
  await leasesPass(late);
  const resets = async () =>
    (await post.of(forgetful.email)).filter(
      ({ subject }) => subject === translateText("en", "mail.passwordReset.subject"),
    );
  const done = async () =>
    (await one(
      sql`SELECT count(*) AS n FROM escrow.trades WHERE (id, status) IN ((${paying.id}, 'payment_confirmed'), (${late.id}, 'cancelled'))`,
    )) === 2 &&
    (await one(
      sql`SELECT count(*) AS n FROM escrow.deadlines WHERE trade_id = ${unpaid.id} AND kind = 'payout' AND state = 'overdue'`,
    )) === 1 &&
    (await resets()).length > 0;
  await until("the other instance has not done all of them", done, 45);
  console.info(`all four were done ${Date.now() - killed} ms after the kill`);
  await until("jobs are still under way", async () => Object.keys(await underWay()).length === 0, 30);

  expect(await readTradeBalances(paying.id)).toEqual({
    "provider:qpay": -110_000,
    [`escrow:${paying.id}`]: 110_000,
  });
  expect((await noticesOf(paying.roomId)).filter((code) => code === "paymentConfirmed")).toHaveLength(1);
  for (const who of [paying.buyer, paying.seller]) expect(await mailsTo(who, "paymentConfirmed")).toBe(1);
  expect(await readTradeBalances(late.id)).toEqual({
    "provider:qpay": -30_000,
    [`escrow:${late.id}`]: 30_000,
  });
  expect((await noticesOf(late.roomId)).filter((code) => code === "paymentExpired")).toHaveLength(1);
  const refunds = sql`SELECT count(*) AS n FROM payments.payouts WHERE reference = ${late.id} AND amount = 30000`;
  expect(await one(refunds)).toBe(1);
  expect(await mailsTo(unpaid.seller, "deadlineOverdue")).toBe(1);
  const marks = sql`SELECT count(*) AS n FROM audit.entries
    WHERE action = 'transaction.overdue' AND subject_id = ${String(unpaid.id)}`;
  expect(await one(marks)).toBe(1);
  expect(await resets()).toHaveLength(1);
  expect(await findBookFaults()).toEqual([]);
}, 180_000);
