import { beforeEach, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { db, transaction } from "#db/client";
import { owner, useDatabase } from "../../../../tests/support/database.ts";
import { head, lastCheck, record, verifyChain } from "../../index.ts";
import { meddle, sealAll } from "../chain/chain.fixture.ts";
import { checkNow } from "../chain/check-chain.ts";

useDatabase();
const at = new Date();

beforeEach(() => meddle("TRUNCATE audit.entries, audit.traces, audit.blocks, audit.heads, audit.checks"));

const writeBlock = async (amount: number) => {
  await transaction((tx) => record(tx, { by: { userId: 1 }, action: "payout.sent", at, data: { amount } }));
  await sealAll(at);
};

/** What an owner of the database does who knows how the chain is made: alters an entry and makes all blocks from there on again. */
async function rewriteFrom(block: number): Promise<void> {
  await meddle(
    `UPDATE audit.entries SET data = '{"amount": 1}' WHERE xid >= (SELECT from_xid FROM audit.blocks WHERE n = ${block})`,
    `DELETE FROM audit.blocks WHERE n >= ${block}`,
  );
  await sealAll(at);
}

test("a chain that was rewritten from its middle proves itself, and is found by the head that a night kept", async () => {
  for (const amount of [10, 20]) await writeBlock(amount);
  await checkNow();
  await writeBlock(30);
  await checkNow();
  const before = await head();
  await rewriteFrom(3);
  await writeBlock(40);
  const verdict = await verifyChain();
  expect(verdict).toMatchObject({ ok: false, code: "AUDIT_BROKEN", block: 3 });
  expect(verdict.ok ? "" : verdict.reason).toMatch(
    /^the chain was rewritten: it no longer holds the head of block 3 that was kept \S+Z; it still holds that of block 2, kept \S+Z$/,
  );
  expect(
    await verifyChain({ anchor: { block: before?.block ?? 0, head: before?.head ?? "" } }),
  ).toMatchObject({
    ok: false,
    block: 3,
  });
  await checkNow();
  expect(await lastCheck()).toMatchObject({ ok: false, block: 3 });

  await meddle("DELETE FROM audit.heads");
  expect(await verifyChain()).toMatchObject({ ok: true });
  expect(
    await verifyChain({ anchor: { block: before?.block ?? 0, head: before?.head ?? "" } }),
  ).toMatchObject({
    ok: false,
    block: 3,
  });
});

test("a chain that was cut short is found by a kept head as well, also where nothing of it is left", async () => {
  for (const amount of [10, 20]) await writeBlock(amount);
  await checkNow();
  await meddle("TRUNCATE audit.entries, audit.traces, audit.blocks");
  expect(await verifyChain()).toMatchObject({
    ok: false,
    block: 2,
    reason: expect.stringContaining("rewritten"),
  });
});

test("a night keeps the head it saw, and none of a broken chain; nobody changes a kept one", async () => {
  await checkNow();
  await writeBlock(10);
  await checkNow();
  await meddle("UPDATE audit.entries SET user_id = 2");
  await checkNow();
  const newest = await head();
  const rows = await db().execute(sql`SELECT block::int, head, sent_to FROM audit.heads`);
  expect([...rows]).toEqual([{ block: 1, head: newest?.head, sent_to: null }]);
  for (const statement of [
    "UPDATE audit.heads SET block = 2",
    "DELETE FROM audit.heads",
    "TRUNCATE audit.heads",
  ]) {
    await expect(owner().transaction((tx) => tx.execute(sql.raw(statement)))).rejects.toMatchObject({
      cause: { code: "23001" },
    });
  }
});
