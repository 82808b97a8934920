import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { transaction } from "#db/client";
import { owner, useDatabase } from "../../../../tests/support/database.ts";
import { head, lastCheck, record, sealBlocks } from "../../index.ts";
import { checkNow } from "./check-chain.ts";

useDatabase();

test("a verification is kept: the last block and its head, or the first that is broken and why", async () => {
  expect(await lastCheck()).toBeNull();
  await checkNow();
  expect(await lastCheck()).toMatchObject({ ok: true, block: 0, entries: 0 });

  await transaction((tx) => record(tx, { by: { userId: 1 }, action: "login", at: new Date() }));
  while ((await sealBlocks(new Date())).sealed === 0) await Bun.sleep(20);
  const newest = await head();
  await checkNow();
  expect(await lastCheck()).toEqual({
    ok: true,
    at: expect.any(Date),
    block: 1,
    head: newest?.head ?? "none",
    entries: 1,
  });

  await owner().transaction(async (tx) => {
    await tx.execute(sql`SET LOCAL session_replication_role = replica`);
    await tx.execute(sql`UPDATE audit.entries SET user_id = 2`);
  });
  await checkNow();
  expect(await lastCheck()).toMatchObject({
    ok: false,
    block: 1,
    reason: expect.stringContaining("altered"),
  });
});
