import { beforeEach, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { db, runInTransaction } from "#db/client";
import { ownerDatabase, useDatabase } from "../../../../tests/support/database/test-database.ts";
import { expectMatch } from "../../../../tests/support/expect-match.ts";
import { findChainHead, lastLogCheck, recordAuditEntry, verifyChain } from "../../index.ts";
import { meddle, sealAll } from "../chain/chain.fixture.ts";
import { checkLogNow } from "../chain/check-chain.ts";

useDatabase();
const at = new Date();

beforeEach(() => meddle("TRUNCATE audit.entries, audit.traces, audit.blocks, audit.heads, audit.checks"));

const writeBlock = async (amount: number) => {
  await runInTransaction((tx) =>
    recordAuditEntry(tx, { by: { userId: 1 }, action: "payout.sent", at, data: { amount } }),
  );
  await sealAll(at);
};

/** Alters an entry and rebuilds all blocks from there on, as a database owner could who knows how the chain is built. */
async function rewriteFrom(block: number): Promise<void> {
  await meddle(
    `UPDATE audit.entries SET data = '{"amount": 1}' WHERE xid >= (SELECT from_xid FROM audit.blocks WHERE n = ${block})`,
    `DELETE FROM audit.blocks WHERE n >= ${block}`,
  );
  await sealAll(at);
}

test("a chain rewritten from the middle is consistent, and is detected by a stored nightly head", async () => {
  for (const amount of [10, 20]) await writeBlock(amount);
  await checkLogNow();
  await writeBlock(30);
  await checkLogNow();
  const before = await findChainHead();
  await rewriteFrom(3);
  await writeBlock(40);
  const verdict = await verifyChain();
  expect(verdict).toMatchObject({ ok: false, code: "AUDIT_BROKEN", block: 3 });
  expect(verdict.ok ? "" : verdict.reason).toMatch(
    /^the chain was rewritten: it no longer contains the head of block 3 that was stored \S+Z; it still contains that of block 2, stored \S+Z$/,
  );
  expect(
    await verifyChain({ anchor: { block: before?.block ?? 0, head: before?.head ?? "" } }),
  ).toMatchObject({
    ok: false,
    block: 3,
  });
  await checkLogNow();
  expect(await lastLogCheck()).toMatchObject({ ok: false, block: 3 });

  await meddle("DELETE FROM audit.heads");
  expect(await verifyChain()).toMatchObject({ ok: true });
  expect(
    await verifyChain({ anchor: { block: before?.block ?? 0, head: before?.head ?? "" } }),
  ).toMatchObject({
    ok: false,
    block: 3,
  });
});

test("a truncated chain is detected by a stored head too, even if nothing is left of it", async () => {
  for (const amount of [10, 20]) await writeBlock(amount);
  await checkLogNow();
  await meddle("TRUNCATE audit.entries, audit.traces, audit.blocks");
  expectMatch(await verifyChain(), {
    ok: false,
    block: 2,
    reason: expect.stringContaining("rewritten"),
  });
});

test("a night stores the head it saw, and none of a broken chain; a stored one cannot be changed", async () => {
  await checkLogNow();
  await writeBlock(10);
  await checkLogNow();
  await meddle("UPDATE audit.entries SET user_id = 2");
  await checkLogNow();
  const newest = await findChainHead();
  const rows = await db().execute(sql`SELECT block::int, head, sent_to FROM audit.heads`);
  expect([...rows]).toEqual([{ block: 1, head: newest?.head, sent_to: null }]);
  for (const statement of [
    "UPDATE audit.heads SET block = 2",
    "DELETE FROM audit.heads",
    "TRUNCATE audit.heads",
  ]) {
    await expect(ownerDatabase().transaction((tx) => tx.execute(sql.raw(statement)))).rejects.toMatchObject({
      cause: { code: "23001" },
    });
  }
});
