import { afterAll, beforeAll, expect, test } from "bun:test";
import { verifyChain } from "#modules/audit";
import { verifyLedger } from "#modules/payments";
import { connectDatabase, disconnectDatabase, openClient } from "../../db/client.ts";
import { fillLarge } from "../../scripts/seed/large/fill-large.ts";
import {
  administratorsCookie,
  type BackOfficePage,
  backOfficePages,
} from "../support/backoffice/backoffice-pages.ts";
import { explainStatements, tablesFrom, takeRecordedStatements } from "../support/database/query-plans.ts";
import { freshDatabase } from "../support/database/test-database.ts";
import { expectMatch } from "../support/expect-match.ts";
import { type Server, startServer } from "../support/server/midman-server.ts";

/** No list or search of the desk reads a growing table from end to end; bench:backoffice measures the same pages at the large size. */

const sizes = { users: 400, transactions: 800, logs: 15_000 };
/** One row a day, however much happened on it. */
const daily = "escrow.day_figures";
/** Counting ends at 10,000; beside that a page touches what it shows, and what it looks up for it. */
const mostRows = 10_001 + 2_000;

let database: Awaited<ReturnType<typeof freshDatabase>>;
let server: Server;
let sql: ReturnType<typeof openClient>;
let pages: BackOfficePage[];

beforeAll(async () => {
  database = await freshDatabase();
  connectDatabase(database.url, 4);
  await fillLarge(database.url, sizes);
  sql = openClient(database.url, { max: 1 });
  pages = await backOfficePages(sql);
  server = await startServer({
    databaseUrl: database.url,
    program: "tests/support/programs/recording-statements-server.ts",
  });
}, 240_000);

afterAll(async () => {
  await server?.stop();
  await disconnectDatabase();
  await sql?.end();
  await database?.drop();
});

test("every page is served from indexes, and reads no more rows than it reports", async () => {
  const cookie = await administratorsCookie(sql);
  const growing = await tablesFrom(sql, sizes.users / 2);
  expect([...growing]).toContain("audit.entries");
  // A table of this size is sooner read whole: with that forbidden, a sequential scan is one that no index could have spared.
  await sql.unsafe("SET enable_seqscan = off");
  const wrong: string[] = [];
  for (const { name, path } of pages) {
    takeRecordedStatements(server.dataDir);
    const reply = await fetch(`${server.url}${path}`, { headers: { cookie }, redirect: "manual" });
    await reply.arrayBuffer();
    const plans = await explainStatements(sql, takeRecordedStatements(server.dataDir));
    const whole = plans
      .flatMap(({ sequential }) => sequential)
      .filter((table) => growing.has(table) && table !== daily);
    const rows = Math.max(0, ...plans.map((plan) => plan.rows));
    if (reply.status !== 200) wrong.push(`${name} answered ${reply.status}`);
    if (plans.length === 0) wrong.push(`${name} asked nothing`);
    if (whole.length > 0) wrong.push(`${name} reads the whole of ${whole.join(", ")}`);
    if (rows > mostRows) wrong.push(`${name} touches ${rows} rows`);
  }
  expect(wrong).toEqual([]);
}, 120_000);

test("the generated data are valid: the log's chain, and the ledger", async () => {
  expect(await verifyChain()).toMatchObject({ ok: true });
  const { ok, sums } = await verifyLedger();
  expectMatch({ ok, ...sums }, { ok: true, held: expect.any(Number) });
  expect(sums.held).toBeGreaterThan(0);
});

test("a database full of people is not filled again", async () => {
  await sql`
    INSERT INTO identity.users (username, username_key, email, display_name, avatar_initials, password_hash, language, created_at, updated_at)
    SELECT 'full' || n, 'full' || n, 'full' || n || '@midman.example', 'Дулмаа', 'Д', '$argon2id$planted', 'mn', now(), now()
    FROM generate_series(1, 1000) AS n`;
  await expect(fillLarge(database.url, sizes)).rejects.toThrow("already has many people");
});

test("a query without an index is detected", async () => {
  const [plan] = await explainStatements(sql, [
    { text: "SELECT id FROM escrow.trades WHERE hand_over_note = $1", values: ["x"] },
  ]);
  expect(plan?.sequential).toEqual(["escrow.trades"]);
  expect(plan?.rows).toBe(sizes.transactions);
});
