import { afterEach, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { db, openClient, runInTransaction } from "#db/client";
import {
  freshDatabase,
  ownerDatabase,
  useDatabase,
} from "../../../../tests/support/database/test-database.ts";
import {
  findChainHead,
  type NewEntry,
  recordAuditEntry,
  sealBlocks,
  startAudit,
  stopAudit,
  verifyChain,
} from "../../index.ts";
import { sealedRecords } from "../records/record-registry.ts";
import { sealAll } from "./chain.fixture.ts";
import { genesisHead } from "./digests.ts";
import { beginEraIfRestored } from "./restore-era.ts";

useDatabase();
afterEach(stopAudit);
const at = new Date("2026-03-01T10:00:00Z");
const entry = (i: number): NewEntry => ({
  by: { userId: i, ip: "203.0.113.9" },
  action: "message_sent",
  at,
  data: { i },
});
const write = (i: number) => runInTransaction((tx) => recordAuditEntry(tx, entry(i)));

test("with nothing to seal there is no block", async () => {
  expect(await sealBlocks(at)).toEqual({ sealed: 0 });
  expect(await findChainHead()).toBeNull();
  // Other test files of the same process may have registered records of their modules.
  const checked = await runInTransaction((tx) => Promise.all(sealedRecords().map(({ check }) => check(tx))));
  const records = checked.reduce((sum, { proved }) => sum + proved, 0);
  expect(await verifyChain()).toEqual({
    ...{ ok: true, blocks: 0, rows: 0, unsealed: 0, records, head: genesisHead },
  });
});

test("entries younger than a running transaction wait for it, and its late commit is sealed with them", async () => {
  const late = Promise.withResolvers<void>();
  const opened = Promise.withResolvers<void>();
  const running = runInTransaction(async (tx) => {
    await recordAuditEntry(tx, entry(1));
    opened.resolve();
    await late.promise;
    await recordAuditEntry(tx, entry(2));
  });
  await opened.promise;
  await write(3);
  expect(await sealBlocks(at)).toEqual({ sealed: 0 });
  expect(await verifyChain()).toMatchObject({ ok: true, unsealed: 1 });
  late.resolve();
  await running;
  expect(await sealAll(at)).toBe(3);
  expect(await verifyChain()).toMatchObject({ ok: true, rows: 3, unsealed: 0 });
});

test("a transaction in another database of the server delays nothing", async () => {
  const other = await freshDatabase(true);
  const client = openClient(other.url, { max: 1 });
  await client.begin(async (running) => {
    await running`SELECT pg_current_xact_id()`;
    await write(1);
    expect(await sealAll(at)).toBe(1);
  });
  await client.end();
  await other.drop();
});

test("entries of one statement in a nested transaction are sealed with the outer one", async () => {
  await runInTransaction(async (tx) => {
    await tx.transaction((inner) => recordAuditEntry(inner, entry(1)));
    await recordAuditEntry(tx, entry(2));
  });
  expect(await sealAll(at)).toBe(2);
});

test("a block with more entries than one batch is sealed and verified completely", async () => {
  await runInTransaction((tx) =>
    recordAuditEntry(
      tx,
      Array.from({ length: 4500 }, (_, i) => entry(i)),
    ),
  );
  expect(await sealAll(at)).toBe(4500);
});

test("with many late writers and racing sealers, every committed entry is sealed exactly once", async () => {
  const before = await verifyChain();
  let running = true;
  const sealer = async () => {
    for (; running; await Bun.sleep(Math.random() * 3)) await sealBlocks(at);
  };
  const sealers = [sealer(), sealer(), sealer()];
  const committed = await Promise.all(Array.from({ length: 12 }, (_, w) => writeForAWhile(w)));
  running = false;
  await Promise.all(sealers);
  await sealAll(at);
  const written = committed.reduce((sum, n) => sum + n, 0);
  expect(await verifyChain()).toMatchObject({
    ok: true,
    rows: (before.ok ? before.rows : 0) + written,
    unsealed: 0,
  });
  const [sums] = await db().execute(sql`
    SELECT (SELECT sum(entries)::int FROM audit.blocks) = (SELECT count(*)::int FROM audit.entries) AS same`);
  expect(sums).toEqual({ same: true });
});

async function writeForAWhile(writer: number): Promise<number> {
  let committed = 0;
  for (let i = 0; i < 25; i++) {
    const fails = Math.random() < 0.2;
    await runInTransaction(async (tx) => {
      await recordAuditEntry(tx, [entry(writer), entry(i)]);
      await Bun.sleep(Math.random() * 8);
      if (fails) throw new Error("rolled back");
    }).then(
      () => {
        committed += 2;
      },
      () => {},
    );
  }
  return committed;
}

test("a database restored to a cluster with a lower transaction counter continues in a new era", async () => {
  await write(1);
  // As after a restored dump: transaction ids that this cluster has not reached yet.
  await ownerDatabase().transaction(async (tx) => {
    await tx.execute(sql`SET LOCAL session_replication_role = replica`);
    await tx.execute(sql`UPDATE audit.entries SET xid = (xid::text::bigint + 1000000000)::text::xid8
      WHERE (era, xid) >= (SELECT to_era, to_xid FROM audit.blocks ORDER BY n DESC LIMIT 1)`);
  });
  expect(await beginEraIfRestored()).toBe(true);
  expect(await beginEraIfRestored()).toBe(false);
  await write(2);
  expect(await sealAll(at)).toBe(2);
  await write(3);
  expect(await sealAll(at)).toBe(1);
  expect(await verifyChain()).toMatchObject({ ok: true, unsealed: 0 });
});

test("once started, entries are sealed within about a second, and at the stop", async () => {
  await startAudit();
  await write(1);
  const sealedSoon = async () => {
    for (let wait = 0; wait < 100; wait++, await Bun.sleep(100)) {
      const state = await verifyChain();
      if (state.ok && state.unsealed === 0) return true;
    }
    return false;
  };
  expect(await sealedSoon()).toBe(true);
  await write(2);
  await stopAudit();
  expect(await sealAll(at)).toBeLessThanOrEqual(1);
});
