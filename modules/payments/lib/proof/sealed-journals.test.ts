import { beforeAll, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { db, runInTransaction } from "#db/client";
import { sealEarlierRecords, verifyChain } from "#modules/audit";
import { ownerDatabase, useDatabase } from "../../../../tests/support/database/test-database.ts";
import { postJournal } from "../ledger/ledger.ts";
import "./sealed-journals.ts";

useDatabase();
const at = new Date("2026-03-01T10:00:00.123Z");

/** Runs statements that only the owner of the database can run. */
async function asOwner(...statements: string[]): Promise<void> {
  await ownerDatabase().transaction(async (tx) => {
    await tx.execute(sql`SET LOCAL session_replication_role = replica`);
    for (const statement of statements) await tx.execute(sql.raw(statement));
  });
}

const settle = (name: string) =>
  runInTransaction((tx) =>
    postJournal(tx, {
      event: `settlement:${name}`,
      kind: "settlement",
      reference: null,
      at,
      lines: [
        { account: "bank", debit: 990 },
        { account: "expense:qpay", debit: 10 },
        { account: "provider:qpay", credit: 1000 },
      ],
    }),
  );
const tables = ["payments.journals", "payments.entries", "audit.entries"] as const;
const saved = (table: string) => `public.${table.replace(".", "_")}`;

/** Records of other modules, which other test files of the same process may have registered. */
let otherRecords = 0;
const wholeWith = (journals: number) => ({ ok: true, records: otherRecords + journals }) as const;

beforeAll(async () => {
  const empty = await verifyChain();
  otherRecords = empty.ok ? empty.records : Number.NaN;
  for (const name of ["A", "B", "C"]) await settle(name);
  await sealEarlierRecords(at);
  for (const table of tables)
    await ownerDatabase().execute(sql.raw(`CREATE TABLE ${saved(table)} AS TABLE ${table}`));
});

async function restore(): Promise<void> {
  await asOwner(
    "TRUNCATE payments.journals, payments.entries, audit.entries CASCADE",
    ...tables.map((table) => `INSERT INTO ${table} OVERRIDING SYSTEM VALUE TABLE ${saved(table)}`),
  );
  expect(await verifyChain()).toMatchObject(wholeWith(3));
}

test("each journal has its digest in the log, written by the transaction that posts it", async () => {
  expect(await verifyChain()).toMatchObject(wholeWith(3));
  const rows = await db().execute(sql`
    SELECT e.xid = j.xact AS same, e.data->>'event' AS event FROM audit.entries e JOIN payments.journals j ON e.subject_id = j.id::text
    WHERE e.action = 'journal.posted' ORDER BY j.id`);
  expect([...rows]).toEqual(["A", "B", "C"].map((name) => ({ same: true, event: `settlement:${name}` })));
});

const cases: Record<string, [string[], string]> = {
  "an altered sum": [
    ["UPDATE payments.entries SET amount = amount + 1 WHERE journal_id = 2 AND account = 'bank'"],
    "journal settlement:B was altered",
  ],
  "a line more": [
    ["INSERT INTO payments.entries (journal_id, account, amount) VALUES (2, 'fees', 5)"],
    "journal settlement:B was altered",
  ],
  "an altered moment": [
    ["UPDATE payments.journals SET at = at - interval '1 day' WHERE id = 3"],
    "journal settlement:C was altered",
  ],
  "an altered event": [
    ["UPDATE payments.journals SET event = 'settlement:Z' WHERE id = 3"],
    "journal settlement:C was altered",
  ],
  "a removed journal": [
    ["DELETE FROM payments.entries WHERE journal_id = 1", "DELETE FROM payments.journals WHERE id = 1"],
    "journal settlement:A was removed",
  ],
  "an added journal": [
    [
      "INSERT INTO payments.journals (event, kind, at) VALUES ('settlement:X', 'settlement', now())",
      "INSERT INTO payments.entries SELECT max(id), 'bank', 7 FROM payments.journals",
    ],
    "journal settlement:X was added",
  ],
};
for (const [what, [statements, reason]] of Object.entries(cases)) {
  test(`${what} is reported`, async () => {
    await asOwner(...statements);
    expect(await verifyChain()).toMatchObject({ ok: false, code: "AUDIT_BROKEN", reason });
    await restore();
  });
}

test("earlier journals wait for the catch-up and are covered from then on", async () => {
  await asOwner("DELETE FROM audit.entries WHERE action IN ('journal.posted', 'journals_digested')");
  expect(await verifyChain()).toMatchObject(wholeWith(0));
  await sealEarlierRecords(at);
  await sealEarlierRecords(at);
  expect(await verifyChain()).toMatchObject(wholeWith(3));
  await settle("D");
  expect(await verifyChain()).toMatchObject(wholeWith(4));
  await asOwner("UPDATE payments.entries SET amount = -amount WHERE journal_id = 1");
  expect(await verifyChain()).toMatchObject({ ok: false, reason: "journal settlement:A was altered" });
});
