import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { db, openClient, runInTransaction } from "#db/client";
import { makePartitions } from "#db/partitions";
import { explainStatements } from "../../../../tests/support/database/query-plans.ts";
import { ownerDatabase, useDatabase } from "../../../../tests/support/database/test-database.ts";
import { expectMatch } from "../../../../tests/support/expect-match.ts";
import {
  countEntries,
  listEntries,
  proveEntries,
  recordAuditEntry,
  sealBlocks,
  verifyChain,
} from "../../index.ts";
import { sealAll } from "../chain/chain.fixture.ts";
import { eraseEntries } from "../erasure/erase-entries.ts";
import { logActions } from "../erasure/erase-outdated-entries.ts";

const database = useDatabase();
const DAY_MS = 86_400_000;
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS);
const spread = [300, 200, 199, 100, 0];

// The same four entries on several days of a year, in at least four quarters, sealed in that order.
beforeAll(async () => {
  await makePartitions({ from: daysAgo(330), to: new Date() });
  for (const days of spread) {
    const by = { userId: 7, ip: "203.0.113.9", device: "Firefox" };
    const at = daysAgo(days);
    await runInTransaction((tx) =>
      recordAuditEntry(tx, [
        { by, action: "login", at },
        { by, action: "message_sent", at, roomId: 3 },
        { by, action: "payment.booked", at, subject: { kind: "transaction", id: 5 } },
        { by: { userId: 8 }, action: "login", at },
      ]),
    );
    await sealAll(at);
  }
});

const partitions = async () =>
  (
    await db().execute<{ part: string }>(
      sql`SELECT part::text FROM base.partitions_of('audit.entries') ORDER BY lower NULLS FIRST`,
    )
  ).map(({ part }) => part);

const full = async () =>
  (
    await db().execute<{ part: string }>(
      sql`SELECT DISTINCT tableoid::regclass::text AS part FROM audit.entries ORDER BY 1`,
    )
  ).map(({ part }) => part);

/** The error with which the database refuses a statement; undefined if it accepts it. */
const refusal = (statement: string) =>
  ownerDatabase()
    .transaction((tx) => tx.execute(sql.raw(statement)))
    .then(
      () => undefined,
      (error: Error) => error.cause,
    );

describe("a log in several partitions", () => {
  test("is sealed, verified and proved like one table", async () => {
    expect((await full()).length).toBeGreaterThanOrEqual(4);
    expect(await verifyChain()).toMatchObject({ ok: true, rows: 4 * spread.length, unsealed: 0 });
    expect(await sealBlocks(new Date())).toEqual({ sealed: 0 });
    const asked = { roomId: 3, after: null, subjects: [{ kind: "transaction", id: 5 }], except: [] };
    const { blocks, waiting } = await proveEntries(db(), asked);
    expect(blocks.map(({ entries }) => entries.length)).toEqual(spread.map(() => 2));
    expect(waiting).toEqual([]);
  });

  test("is listed newest first across all of them, page by page, with its traces", async () => {
    const ids: number[] = [];
    for (let before: number | undefined; ; ) {
      const page = await listEntries({ userId: 7, limit: 4, ...(before !== undefined && { before }) });
      ids.push(...page.entries.map(({ id }) => id));
      expect(page.entries.every(({ ip }) => ip === "203.0.113.9")).toBe(true);
      if (page.next === null) break;
      before = page.next;
    }
    const own = await db().execute<{ id: number }>(
      sql`SELECT id::int FROM audit.entries WHERE user_id = 7 ORDER BY at DESC, id DESC`,
    );
    expect(ids).toEqual(own.map(({ id }) => id));
    expect(await countEntries({ ip: "203.0.113." }, 100)).toEqual({ count: 3 * spread.length, more: false });
    expect(await countEntries({ ip: "203.0.113.", action: "login", from: daysAgo(250) }, 100)).toEqual({
      count: spread.length - 1,
      more: false,
    });
  });

  test("is read only as far as a page needs: with days given, in no other partition", async () => {
    const client = openClient(database.url, { max: 1 });
    await client.unsafe("SET enable_seqscan = off");
    const asked = (where: string, values: unknown[]) => ({
      text: `SELECT * FROM audit.entries e LEFT JOIN audit.traces t ON t.entry_id = e.id AND t.at = e.at
        WHERE ${where} ORDER BY e.at DESC, e.id DESC LIMIT 2`,
      values,
    });
    const of = async (where: string, values: unknown[] = []) => {
      const [plan] = await explainStatements(client, [asked(where, values)]);
      expect(plan?.sequential).toEqual([]);
      return plan?.opened.filter((name) => name.startsWith("audit.entries")) ?? [];
    };
    const [then] = await client`
      SELECT min(at)::text AS at FROM audit.entries WHERE at > ${daysAgo(201).toISOString()}::timestamptz`;
    const first = String(then?.at);
    const [part] =
      await client`SELECT 'audit.' || base.partition_name('audit.entries', ${first}::timestamptz) AS name`;
    const days = [first, first];
    expect(await of("e.at BETWEEN $1::timestamptz AND $2::timestamptz", days)).toEqual([part?.name]);
    expect(await of("user_id = 7 AND e.at BETWEEN $1::timestamptz AND $2::timestamptz", days)).toEqual([
      part?.name,
    ]);
    await client.end();
  });

  test("refuses everything but appending, through any of its tables", async () => {
    for (const part of [...(await partitions()), "audit.entries"]) {
      const rows = Number(
        (await ownerDatabase().execute<{ n: string }>(sql.raw(`SELECT count(*) AS n FROM ${part}`)))[0]?.n,
      );
      const statements = [
        `TRUNCATE ${part} CASCADE`,
        ...(rows > 0 ? [`UPDATE ${part} SET action = 'logout'`, `DELETE FROM ${part}`] : []),
      ];
      for (const statement of statements) {
        const said = String(await refusal(statement));
        expect([statement, said]).toEqual([
          statement,
          expect.stringMatching(/append-only: (UPDATE|DELETE|TRUNCATE) refused/),
        ]);
      }
    }
    expect(await verifyChain()).toMatchObject({ ok: true, rows: 4 * spread.length });
  });

  test("loses what retention removes from each of them, and stays intact", async () => {
    const gone = await eraseEntries({ actions: logActions, olderThan: daysAgo(90), at: new Date() });
    expect(gone).toBe(2 * (spread.length - 1));
    const [left] = await db().execute(
      sql`SELECT count(*)::int AS n FROM audit.entries WHERE action = 'login'`,
    );
    expect(left).toEqual({ n: 2 });
    await sealAll(new Date());
    expect(await verifyChain()).toMatchObject({ ok: true });
  });
});

describe("a detached partition", () => {
  let part = "";
  let bound = "";
  beforeAll(async () => {
    part = (await full())[0] ?? "";
    const [row] = await db().execute<{ bound: string }>(
      sql`SELECT pg_get_expr(relpartbound, oid) AS bound FROM pg_class WHERE oid = ${part}::regclass`,
    );
    bound = row?.bound ?? "";
  });
  afterAll(async () => expect(await verifyChain()).toMatchObject({ ok: true }));

  test("is refused while addresses refer to its entries", async () => {
    expect(await refusal(`ALTER TABLE audit.entries DETACH PARTITION ${part}`)).toMatchObject({
      code: "23503",
    });
  });

  test("is missed by every verification, until it is attached again", async () => {
    await ownerDatabase().execute(sql`DELETE FROM audit.traces WHERE at < now() - interval '90 days'`);
    await ownerDatabase().execute(sql.raw(`ALTER TABLE audit.entries DETACH PARTITION ${part}`));
    expectMatch(await verifyChain(), {
      ok: false,
      block: 1,
      reason: expect.stringMatching(/sealed, \d+ are there/),
    });
    await ownerDatabase().execute(sql.raw(`ALTER TABLE audit.entries ATTACH PARTITION ${part} ${bound}`));
    expect(await verifyChain()).toMatchObject({ ok: true });
    expect(await refusal(`DELETE FROM ${part}`)).toMatchObject({ code: "23001" });
  });
});
