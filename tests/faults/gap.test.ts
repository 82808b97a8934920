import { afterAll, beforeAll, expect, test } from "bun:test";
import { rm } from "node:fs/promises";
import { sql } from "drizzle-orm";
import { translateText } from "#locales";
import { connectDatabase, db, disconnectDatabase } from "../../db/client.ts";
import { freshDatabase } from "../support/database/test-database.ts";
import { visibleText } from "../support/pages/visible-text.ts";
import { expectStatus } from "../support/people/registered-people.ts";
import type { Client } from "../support/server/http-client.ts";
import { type Server, startServers } from "../support/server/midman-server.ts";
import {
  openPaidTrade,
  openSettlingTrade,
  requestPayment,
  type ServerTrade,
} from "../support/trades/server-trades.ts";
import { findBookFaults } from "../support/trades/trade-books.ts";

/**
 * Both instances are away, and come back at once: every clock that ran gets the time back, once, before any job acts on it.
 * While nobody runs, time is let pass by making all that the database knows of it older.
 */

let database: Awaited<ReturnType<typeof freshDatabase>>;
let servers: Server[] = [];
let dataDir = "";

beforeAll(async () => {
  database = await freshDatabase();
  connectDatabase(database.url);
  servers = await startServers(2, { databaseUrl: database.url });
  dataDir = servers[0]?.dataDir ?? "";
}, 240_000);

afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()));
  await rm(dataDir, { recursive: true, force: true });
  await disconnectDatabase();
  await database?.drop();
});

async function age(minutes: number): Promise<void> {
  const by = sql`${minutes}::int * interval '1 minute'`;
  await db().execute(sql`UPDATE base.heartbeat SET beat_at = beat_at - ${by}`);
  await db().execute(sql`
    UPDATE escrow.deadlines SET started_at = started_at - ${by}, due_at = due_at - ${by}, next_at = next_at - ${by},
      overdue_at = overdue_at - ${by}`);
  await db().execute(sql`UPDATE payments.payouts SET due_at = due_at - ${by}`);
  await db().execute(sql`UPDATE pgboss.job SET start_after = start_after - ${by} WHERE state = 'created'`);
}

/** Everybody away for so long, then both back at the same moment. */
async function away(minutes: number): Promise<void> {
  await Promise.all(servers.map((server) => server.kill()));
  await age(minutes);
  const pages = servers.map(({ port }) => port);
  servers = (
    await Promise.all(pages.map((port) => startServers(1, { databaseUrl: database.url, dataDir, port })))
  ).flat();
  // As long as a worker needs to look for jobs, twice.
  await Bun.sleep(4_500);
}

type Row = { state: string; left: number; extended: number };
/** How a clock of a trade stands: minutes left, and minutes it was extended by. */
async function clockOf({ id }: ServerTrade, kind: string): Promise<Row> {
  const [row] = await db().execute<Row>(sql`
    SELECT state, round(extract(epoch FROM due_at - now()) / 60)::int AS left, round(extended_ms / 60000.0)::int AS extended
    FROM escrow.deadlines WHERE trade_id = ${id} AND kind = ${kind}`);
  if (row === undefined) throw new Error(`no ${kind}`);
  return row;
}

const statusOf = async ({ buyer, id }: ServerTrade) =>
  expectStatus(await buyer.get(`/api/transactions/${id}`), 200).body.status;
const page = async (who: Client, { roomId }: ServerTrade) =>
  visibleText(expectStatus(await who.get(`/chat/${roomId}`), 200).text);

test("each running deadline is extended by the downtime, once; an overdue one is not; both see why", async () => {
  const [running, near, overdue, settling] = [
    await openPaidTrade(server()),
    await requestPayment(server()),
    await openPaidTrade(server()),
    await openSettlingTrade(server()),
  ];
  // One ran out an hour before the gap, and its job is about to come.
  const soon = sql`now() + interval '1 minute'`;
  await db().execute(sql`
    WITH late AS (
      UPDATE escrow.deadlines SET due_at = now() - interval '1 hour', next_at = ${soon}
      WHERE trade_id = ${overdue.id} AND kind = 'hand_over' RETURNING id
    ) UPDATE pgboss.job SET start_after = ${soon} FROM late WHERE singleton_key = 'deadline:' || late.id AND state = 'created'`);

  // The end, 120 minutes ahead, and the reminder before it fall into the gap.
  await away(130);
  const { extended, ...window } = await clockOf(near, "payment_window");
  // The last sign of life before it may have been half a minute old, and coming up takes its time.
  expect(extended).toBeGreaterThanOrEqual(130);
  expect(extended).toBeLessThan(133);
  expect(window.state).toBe("running");
  expect(window.left).toBeGreaterThan(117);
  expect(await clockOf(running, "hand_over")).toMatchObject({ state: "running", extended });
  expect(await clockOf(settling, "payout")).toMatchObject({ state: "running", extended });
  const sending = await db().execute<{ same: boolean }>(sql`
    SELECT p.due_at = d.due_at AS same FROM payments.payouts p JOIN escrow.deadlines d ON d.trade_id = p.reference
    WHERE p.reference = ${settling.id} AND d.kind = 'payout'`);
  expect([...sending]).toEqual([{ same: true }]);
  expect(await clockOf(overdue, "hand_over")).toMatchObject({ state: "overdue", extended: 0 });
  expect(await statusOf(near)).toBe("payment_initiated");
  const said = translateText("en", "clock.extended", { count: extended });
  for (const who of [running.buyer, running.seller]) expect(await page(who, running)).toContain(said);
  expect(await page(near.buyer, near)).toContain(said);
  expect(await page(overdue.seller, overdue)).not.toContain(said);
  const [row] = await db().execute<{ n: number }>(
    sql`SELECT count(*)::int AS n FROM audit.entries WHERE action = 'deadlines.extended'`,
  );
  expect(row?.n).toBe(1);
  expect(await findBookFaults()).toEqual([]);
}, 120_000);

function server(): Server {
  const [first] = servers;
  if (first === undefined) throw new Error("nobody runs");
  return first;
}
