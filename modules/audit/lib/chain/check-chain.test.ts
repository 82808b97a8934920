import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { runInTransaction } from "#db/client";
import { ownerDatabase, useDatabase } from "../../../../tests/support/database/test-database.ts";
import { expectMatch } from "../../../../tests/support/expect-match.ts";
import { findChainHead, lastLogCheck, recordAuditEntry, sealBlocks } from "../../index.ts";
import { checkLogNow } from "./check-chain.ts";

useDatabase();

test("a verification is stored: the last block and its head, or the first broken block and why", async () => {
  expect(await lastLogCheck()).toBeNull();
  await checkLogNow();
  expect(await lastLogCheck()).toMatchObject({ ok: true, block: 0, entries: 0 });

  await runInTransaction((tx) =>
    recordAuditEntry(tx, { by: { userId: 1 }, action: "login", at: new Date() }),
  );
  while ((await sealBlocks(new Date())).sealed === 0) await Bun.sleep(20);
  const newest = await findChainHead();
  await checkLogNow();
  expect(await lastLogCheck()).toEqual({
    ok: true,
    at: expect.any(Date),
    block: 1,
    head: newest?.head ?? "none",
    entries: 1,
  });

  await ownerDatabase().transaction(async (tx) => {
    await tx.execute(sql`SET LOCAL session_replication_role = replica`);
    await tx.execute(sql`UPDATE audit.entries SET user_id = 2`);
  });
  await checkLogNow();
  expectMatch(await lastLogCheck(), {
    ok: false,
    block: 1,
    reason: expect.stringContaining("altered"),
  });
});
