import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { connectDatabase, db, disconnectDatabase } from "../../../db/client.ts";
import { freshDatabase } from "../../support/database/test-database.ts";
import { makeRoomPair, type Person, signInAdministrator } from "../../support/people/registered-people.ts";
import { pickItem, seededRandom } from "../../support/seeded-random.ts";
import { type Client, createHttpClient } from "../../support/server/http-client.ts";
import { type Server, startServer } from "../../support/server/midman-server.ts";
import {
  type Pair,
  payAt,
  requestPayment,
  type ServerTrade,
  untilStatus,
} from "../../support/trades/server-trades.ts";
import { findBookFaults as brokenBooks } from "../../support/trades/trade-books.ts";
import type { Figures } from "../report.ts";

export type Options = {
  seed: number;
  jumps: number;
  /** How long a clock stays wrong, in milliseconds: over a minute every periodic job has met it. */
  staysMs: number;
  progress?: (words: string) => void;
};

export const full = { jumps: 12, staysMs: 70_000 };

const program = "tests/support/programs/jumping-clock-server.ts";
const hour = 3_600_000;
/** What a clock is set by: a bad battery, a wrong zone, a day, a month. */
const leaps = [6 * hour, -6 * hour, 26 * hour, -26 * hour, 31 * 24 * hour, -31 * 24 * hour];

type Instance = { server: Server; set(by: number): void; restart(): Promise<void> };
type Run = {
  instances: Instance[];
  people: Pair;
  /** A trade that waits for its payment all the while. */
  waiting: ServerTrade;
  admin: Client;
  counts: Record<string, number>;
  failures: string[];
};

/**
 * The clock of one of two instances, or of both, jumps by hours or days, while it runs and while it starts. Nobody is signed out
 * or throttled by it, no deadline passes, moves or begins at another time than that of the database, what is written bears
 * the right time, and payments, jobs and the sealing of the log go on.
 */
export async function run(options: Options): Promise<Figures> {
  const began = performance.now();
  const next = seededRandom(options.seed);
  const counts: Record<string, number> = { jumps: 0, restarts: 0, trades: 0 };
  const failures: string[] = [];
  const fresh = await freshDatabase();
  const dataDir = mkdtempSync(join(tmpdir(), "midman-clock-"));
  connectDatabase(fresh.url);
  const instances: Instance[] = [];
  try {
    for (let i = 0; i < 2; i++) instances.push(await instance(fresh.url, dataDir, i));
    const [one] = instances;
    if (one === undefined) throw new Error("an instance was to be there");
    const people = await makeRoomPair(one.server);
    const admin = await signInAdministrator(one.server);
    const waiting = await requestPayment(one.server, people);
    const mine: Run = { instances, people, waiting, admin, counts, failures };
    for (let i = 0; i < options.jumps; i++) {
      const by = leaps[i % leaps.length] ?? hour;
      const struck = next() < 0.3 ? instances : [pickItem(instances, next)];
      options.progress?.(`${by / hour} hours on ${struck.length === 2 ? "both" : "one"}`);
      await jump(mine, struck, by, options.staysMs, next() < 0.5);
    }
    await sealed(failures);
    for (const fault of await brokenBooks()) failures.push(`books: ${JSON.stringify(fault)}`);
  } finally {
    await Promise.all(instances.map(({ server }) => server.kill()));
    await disconnectDatabase();
    await fresh.drop();
    rmSync(dataDir, { recursive: true, force: true });
  }
  const seconds = Math.round((performance.now() - began) / 1000);
  return { suite: "clock", seed: options.seed, counts, failures, seconds };
}

async function instance(databaseUrl: string, dataDir: string, number: number): Promise<Instance> {
  const file = join(dataDir, `clock-${number}`);
  const set = (by: number) => writeFileSync(file, String(by));
  set(0);
  const options = { databaseUrl, dataDir, program, environment: { CLOCK_FILE: file } };
  const made: Instance = {
    server: await startServer(options),
    set,
    restart: async () => {
      const { port } = made.server;
      await made.server.kill();
      made.server = await startServer({ ...options, port });
    },
  };
  return made;
}

/** One jump, and everything that might go wrong by it. */
async function jump(
  run: Run,
  struck: Instance[],
  by: number,
  staysMs: number,
  restart: boolean,
): Promise<void> {
  const { instances, counts, failures } = run;
  counts.jumps = (counts.jumps ?? 0) + 1;
  for (const { set } of struck) set(by);
  await Bun.sleep(100); // the wrong time is read every 20 ms
  if (restart) {
    counts.restarts = (counts.restarts ?? 0) + 1;
    await struck[0]?.restart();
  }
  const what = `${by / hour} hours${restart ? ", restarted" : ""}`;
  try {
    for (const { server } of instances) await lived(run, server, what);
    await Bun.sleep(staysMs);
    for (const { server } of instances) await lived(run, server, `${what}, later`);
    await proveDeadlines(run, what);
  } catch (error) {
    failures.push(`${what}: ${error}`);
  }
  for (const { set } of struck) set(0);
  await Bun.sleep(100);
  await proveDeadlines(run, `${what}, and back`);
}

/** People, the administrator and the provider go on at this instance, and what they write bears the right time. */
async function lived(run: Run, server: Server, what: string): Promise<void> {
  const { failures, counts } = run;
  const here = (of: { cookies(): string }) => createHttpClient(server.url, { Cookie: of.cookies() });
  const [seller, buyer] = [run.people.seller, run.people.buyer].map((one) => at(one, server));
  if (seller === undefined || buyer === undefined) return;
  for (const [who, path] of [
    [seller, "/api/auth/user"],
    [buyer, `/api/transactions/${run.waiting.id}`],
    [here(run.admin), "/api/admin/queue"],
  ] as const) {
    const reply = await who.get(path);
    if (reply.status !== 200)
      failures.push(`${what}: ${path} answered ${reply.status} ${reply.text.slice(0, 80)}`);
  }
  const again = await createHttpClient(server.url).post("/api/auth/login", {
    username: run.people.seller.username,
    password: run.people.seller.password,
  });
  if (again.status !== 200) failures.push(`${what}: signing in answered ${again.status} ${again.text}`);
  const deal = await requestPayment(server, { seller, buyer });
  await payAt(buyer, deal.invoiceId);
  await untilStatus(deal, "payment_confirmed", 30).catch((error) => failures.push(`${what}: ${error}`));
  counts.trades = (counts.trades ?? 0) + 1;
  const off = await db().execute<{ what: string; seconds: string }>(sql`
    SELECT what, extract(epoch FROM at - clock_timestamp())::int AS seconds FROM (
      SELECT 'trade' AS what, created_at AS at FROM escrow.trades WHERE id = ${deal.id}
      UNION ALL SELECT 'confirmation', confirmed_at FROM escrow.trades WHERE id = ${deal.id}
      UNION ALL SELECT 'message', max(created_at) FROM rooms.messages WHERE room_id = ${deal.roomId}
      UNION ALL SELECT 'log', max(at) FROM audit.entries
      UNION ALL SELECT 'heartbeat', max(beat_at) FROM base.heartbeat
      UNION ALL SELECT 'hand-over', due_at - interval '24 hours' FROM escrow.deadlines
        WHERE trade_id = ${deal.id} AND kind = 'hand_over') AS times
    WHERE at IS NULL OR abs(extract(epoch FROM at - clock_timestamp())) > 120`);
  for (const row of off) failures.push(`${what}: ${row.what} is off by ${row.seconds} s`);
}

function at(person: Person, server: Server): Person {
  return { ...person, ...createHttpClient(server.url, { Cookie: person.cookies() }) };
}

/** The trade that waits still waits, and its window is where it was; and no other clock was moved or passed. */
async function proveDeadlines({ waiting, failures }: Run, what: string): Promise<void> {
  const [trade] = await db().execute<{ status: string }>(
    sql`SELECT status FROM escrow.trades WHERE id = ${waiting.id}`,
  );
  if (trade?.status !== "payment_initiated") failures.push(`${what}: the waiting trade is ${trade?.status}`);
  const wrong = await db().execute<{ kind: string; state: string; moved: string }>(sql`
    SELECT kind, state, extended_ms AS moved FROM escrow.deadlines
    WHERE extended_ms <> 0 OR state = 'overdue' OR reminded <> 0`);
  for (const row of wrong.slice(0, 3))
    failures.push(`${what}: ${wrong.length} clocks, a ${row.kind} is ${row.state}, moved by ${row.moved} ms`);
}

/** The log is sealed to its end. */
async function sealed(failures: string[]): Promise<void> {
  for (const end = Date.now() + 20_000; Date.now() < end; await Bun.sleep(200)) {
    const [row] = await db().execute<{ open: string }>(sql`
      SELECT count(*) AS open FROM audit.entries WHERE id > (SELECT coalesce(max(last_id), 0) FROM audit.blocks)`);
    if (Number(row?.open) === 0) return;
  }
  failures.push("the log is not sealed to its end");
}
