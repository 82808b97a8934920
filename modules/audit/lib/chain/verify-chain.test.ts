import { afterEach, beforeAll, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { db, runInTransaction } from "#db/client";
import { ownerDatabase, useDatabase } from "../../../../tests/support/database/test-database.ts";
import { expectMatch } from "../../../../tests/support/expect-match.ts";
import { findChainHead, recordAuditEntry, sealBlocks, verifyChain } from "../../index.ts";
import { scrubOldTraces } from "../erasure/erase-outdated-entries.ts";
import { scrubTraces } from "../erasure/scrub-traces.ts";
import { meddle } from "./chain.fixture.ts";

useDatabase();
/** Old enough for a scrubbing, but not so old that the entry of the scrubbing is erased. */
const at = new Date(Date.now() - 40 * 86_400_000);
const tables = ["entries", "traces", "blocks"] as const;

// Three blocks of four entries, and two unsealed entries.
beforeAll(async () => {
  for (let block = 0; block < 3; block++) {
    await write(4);
    await sealed();
  }
  await write(2);
  for (const table of tables) {
    await ownerDatabase().execute(sql.raw(`CREATE TABLE public.${table} AS TABLE audit.${table}`));
  }
  expect(await verifyChain()).toMatchObject({ ok: true, blocks: 3, rows: 12, unsealed: 2 });
});

afterEach(async () => {
  await meddle(
    "TRUNCATE audit.entries, audit.traces, audit.blocks",
    "INSERT INTO audit.entries OVERRIDING SYSTEM VALUE TABLE public.entries",
    "INSERT INTO audit.traces TABLE public.traces",
    "INSERT INTO audit.blocks TABLE public.blocks",
  );
  expect(await verifyChain()).toMatchObject({ ok: true, blocks: 3, rows: 12, unsealed: 2 });
});

async function write(count: number): Promise<void> {
  const row = (i: number) => ({
    by: { userId: i + 1, ip: i % 2 === 0 ? "203.0.113.9" : null, device: "Firefox" },
    action: "login" as const,
    at,
    roomId: 5,
    subject: { kind: "trade", id: 9 },
    data: { amount: 100, nested: { list: [1, "two", null] } },
  });
  await runInTransaction((tx) =>
    recordAuditEntry(
      tx,
      Array.from({ length: count }, (_, i) => row(i)),
    ),
  );
}

/** Seals four entries. Sealing may have to wait for autovacuum; one transaction is one block all the same. */
async function sealed(): Promise<void> {
  for (let left = 4; left > 0; await Bun.sleep(10)) left -= (await sealBlocks(at)).sealed;
}

// Postgres refuses updates of an identity column, even by its owner, so the identity is dropped for the test.
const identity = {
  drop: ["ALTER TABLE audit.entries ALTER id DROP IDENTITY"],
  add: ["ALTER TABLE audit.entries ALTER id ADD GENERATED ALWAYS AS IDENTITY (START 1000)"],
};
const second = "(SELECT id FROM audit.entries ORDER BY id OFFSET 5 LIMIT 1)";
const alterations: Record<string, string> = {
  id: "id = id + 100000",
  era: "era = era - 1",
  xid: "xid = (xid::text::bigint - 1)::text::xid8",
  recorded_at: "recorded_at = recorded_at + interval '1 microsecond'",
  at: "at = at + interval '1 microsecond'",
  user_id: "user_id = NULL",
  action: "action = 'logout'",
  room_id: "room_id = 6",
  subject_kind: "subject_kind = 'room'",
  subject_id: "subject_id = '10'",
  data: `data = jsonb_set(data, '{amount}', '100.00000000000000000001')`,
  trace: "trace = repeat('0', 64)",
};

for (const [column, change] of Object.entries(alterations)) {
  test(`a changed ${column} of an entry is detected in its block`, async () => {
    await meddle(
      ...identity.drop,
      `UPDATE audit.entries SET ${change} WHERE id = ${second}`,
      ...identity.add,
    );
    expect(await verifyChain()).toMatchObject({
      ok: false,
      code: "AUDIT_BROKEN",
      block: column === "era" ? 1 : 2,
    });
  });
}

test("every column of an entry has a case above", async () => {
  const columns = await db().execute<{ name: string }>(sql`
    SELECT column_name AS name FROM information_schema.columns
    WHERE table_schema = 'audit' AND table_name = 'entries'`);
  expect(columns.map(({ name }) => name).sort()).toEqual(Object.keys(alterations).sort());
});

const blockChanges = {
  n: "n = 10",
  previous: "previous = repeat('a', 64)",
  digest: "digest = repeat('b', 64)",
  head: "head = repeat('c', 64)",
  from_era: "from_era = 0",
  from_xid: "from_xid = '4'::xid8",
  to_era: "to_era = to_era + 1",
  to_xid: "to_xid = (to_xid::text::bigint + 1)::text::xid8",
  first_id: "first_id = first_id - 1",
  last_id: "last_id = last_id + 1",
  entries: "entries = entries - 1",
  sealed_at: "sealed_at = sealed_at - interval '1 microsecond'",
};
for (const [column, change] of Object.entries(blockChanges)) {
  test(`a changed ${column} of a block is detected`, async () => {
    await meddle(`UPDATE audit.blocks SET ${change} WHERE n = 2`);
    expect(await verifyChain()).toMatchObject({ ok: false, code: "AUDIT_BROKEN", block: 2 });
  });
}

const others: Array<[string, number, string[]]> = [
  ["a removed entry", 2, [`DELETE FROM audit.entries WHERE id = ${second}`]],
  [
    "an added entry that claims an old transaction",
    2,
    [
      `INSERT INTO audit.entries (era, xid, at, action, data)
       SELECT era, xid, at, action, data FROM audit.entries WHERE id = ${second}`,
    ],
  ],
  ["a removed block", 2, ["DELETE FROM audit.blocks WHERE n = 2"]],
  ["a removed first block", 1, ["DELETE FROM audit.blocks WHERE n = 1"]],
  ["an altered address", 2, [`UPDATE audit.traces SET ip = '10.0.0.1' WHERE entry_id = ${second}`]],
  ["an altered device", 2, [`UPDATE audit.traces SET device = 'Chrome' WHERE entry_id = ${second}`]],
  [
    "an altered key",
    2,
    [`UPDATE audit.traces SET key = decode(repeat('00', 32), 'hex') WHERE entry_id = ${second}`],
  ],
  [
    "an altered address of an entry that still waits",
    4,
    ["UPDATE audit.traces SET ip = '10.0.0.1' WHERE entry_id = (SELECT max(id) FROM audit.entries)"],
  ],
  ["a removed trace", 2, [`DELETE FROM audit.traces WHERE entry_id = ${second}`]],
  [
    "a removed trace of an entry that still waits",
    4,
    ["DELETE FROM audit.traces WHERE entry_id = (SELECT max(id) FROM audit.entries)"],
  ],
  [
    "an entry left unsealed while Midman ran on",
    4,
    [
      `UPDATE audit.entries SET recorded_at = recorded_at - interval '16 minutes'
       WHERE id = (SELECT max(id) FROM audit.entries)`,
    ],
  ],
];
for (const [what, block, statements] of others) {
  test(`${what}: detected and reported at block ${block}`, async () => {
    await meddle(...statements);
    expect(await verifyChain()).toMatchObject({ ok: false, code: "AUDIT_BROKEN", block });
  });
}

test("an unsealed entry after a kill is no fault while Midman is down, but is while it runs", async () => {
  const later = new Date(Date.now() + 16 * 60_000);
  expect(await verifyChain()).toMatchObject({ ok: true, unsealed: 2 });
  expect(await verifyChain({ runningAt: later })).toMatchObject({ ok: false, block: 4 });
  expect(await verifyChain({ runningAt: later, staleAfterSeconds: 3600 })).toMatchObject({ ok: true });
});

test("a truncated chain is detected by a head that was exported before", async () => {
  const last = await findChainHead();
  if (last === null) throw new Error("no head");
  expect(await verifyChain({ anchor: last })).toMatchObject({ ok: true });
  await meddle(
    "DELETE FROM audit.entries WHERE xid >= (SELECT from_xid FROM audit.blocks WHERE n = 3)",
    "DELETE FROM audit.blocks WHERE n = 3",
  );
  expect(await verifyChain()).toMatchObject({ ok: true, blocks: 2 });
  expect(await verifyChain({ anchor: last })).toMatchObject({ ok: false, block: 3 });
});

test("erasing one person's traces leaves the chain intact and is itself recorded", async () => {
  const by = { userId: 1 };
  expect(await runInTransaction((tx) => scrubTraces(tx, { by, at, userId: 2 }))).toEqual({ scrubbed: 4 });
  const [left] = await db().execute(sql`
    SELECT count(*)::int AS traces FROM audit.traces JOIN audit.entries ON id = entry_id WHERE user_id = 2`);
  expect(left).toEqual({ traces: 0 });
  expect(await verifyChain()).toMatchObject({ ok: true, rows: 12, unsealed: 3 });
});

test("erasing one person's traces explains no other person's, and none recorded later", async () => {
  const by = { userId: 1 };
  await runInTransaction((tx) => scrubTraces(tx, { by, at, userId: 2 }));
  expect(await verifyChain()).toMatchObject({ ok: true });
  await write(2);
  expect(await verifyChain()).toMatchObject({ ok: true });
  await meddle("DELETE FROM audit.traces WHERE entry_id IN (SELECT id FROM audit.entries WHERE user_id = 2)");
  const late = await verifyChain();
  expectMatch(late, { ok: false, reason: expect.stringMatching(/^the trace of entry \d+ is gone/) });
});

test("traces erased before thirty days are reported, even if the erasure is recorded", async () => {
  await runInTransaction((tx) =>
    scrubTraces(tx, {
      by: { userId: null },
      at: new Date(at.getTime() + 86_400_000),
      olderThan: new Date(at.getTime() + 1),
    }),
  );
  expectMatch(await verifyChain(), {
    ok: false,
    reason: expect.stringContaining("records the erasure of traces that were not 30 days old"),
  });
});

test("after thirty days every trace is gone and the chain is intact", async () => {
  await scrubOldTraces(new Date());
  const [left] = await db().execute(sql`SELECT count(*)::int AS traces FROM audit.traces`);
  expect(left).toEqual({ traces: 0 });
  expect(await verifyChain()).toMatchObject({ ok: true, rows: 12 });
});
