import { expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import { db, runInTransaction } from "#db/client";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import {
  createRequestedTrade,
  expectAccepted,
  useSandboxProvider,
} from "../../../../tests/support/trades/sandbox-trades.ts";
import { adminCancel } from "../backoffice/transactions/administrator-commands.ts";
import { recordChange } from "./carry-out-effects.ts";
import { lockTrade } from "./load-trade.ts";
import { findTradeForParty, isId, lockTradeForParty, sideOf } from "./party-access.ts";
import { tradesTable } from "./schema.ts";

useDatabase();
useSandboxProvider();

const gone = { ok: false, code: "TRANSACTION_NOT_FOUND" } as const;

/** Waits until a transaction waits for a lock. */
async function someoneWaits(): Promise<void> {
  for (let tries = 0; tries < 500; tries++) {
    const [row] = await db().execute<{ n: number }>(sql`SELECT count(*)::int AS n FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`);
    if ((row?.n ?? 0) > 0) return;
    await Bun.sleep(10);
  }
  throw new Error("nobody waits");
}

test("an erased trade is accessible to nobody, including someone who waited during the erasure", async () => {
  const { id, buyer, admin } = await createRequestedTrade();
  await expectAccepted(adminCancel(admin, id));
  const of = eq(tradesTable.id, id);
  const [locked, waited] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const erasing = runInTransaction(async (tx) => {
    const erased = await lockTrade(tx, id);
    if (erased === undefined) throw new Error("no trade");
    locked.resolve();
    await waited.promise;
    await tx.update(tradesTable).set({ erasedAt: new Date() }).where(of);
    await recordChange(tx, erased, { at: new Date(), by: { userId: null } }, "erased", {});
  });
  await locked.promise;
  const asked = runInTransaction((tx) => lockTradeForParty(tx, buyer, id));
  await someoneWaits().finally(waited.resolve);
  await erasing;
  expect(await asked).toEqual(gone);
  expect(await findTradeForParty(db(), buyer, id)).toEqual(gone);
});

test("a row's number is whole, positive and exact", () => {
  const given = [1, Number.MAX_SAFE_INTEGER, 0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53];
  expect(given.map(isId)).toEqual([true, true, false, false, false, false, false, false]);
});

test("a party is on their own side, and a third person on none", () => {
  const trade = { buyerId: 1, sellerId: 2 };
  expect([1, 2, 3].map((userId) => sideOf(trade, userId))).toEqual(["buyer", "seller", undefined]);
});
