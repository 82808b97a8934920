import { beforeAll, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { db } from "#db/client";
import { ownerDatabase, useDatabase } from "../../../../../tests/support/database/test-database.ts";
import { plantTrade, plantUser } from "../../../../../tests/support/trades/planted-trades.ts";
import { MOST_COUNTED } from "./count-trades.ts";
import { deskOf } from "./list.fixture.ts";

useDatabase();

let admin: Awaited<ReturnType<typeof plantUser>>;
beforeAll(async () => {
  admin = await plantUser({ isAdmin: true });
});

const { ids, counts } = deskOf(() => admin);

test("no list, search or count reads every trade", async () => {
  const { id, seller, buyer } = await plantTrade("cancelled");
  await db().execute(sql`
    INSERT INTO escrow.trades (code, room_id, buyer_id, seller_id, amount, fee, fee_payer, fee_policy, gross, net,
      description, status, end_reason, ended_at, created_at, updated_at)
    SELECT 'MM-' || translate(upper(lpad(to_hex(n), 8, '0')), 'ILOU', '0000'), 1000000 + n, ${buyer.userId} + n % 900,
      ${seller.userId} + 1000 + n % 900, 1 + n * 7919 % 900000, 0, 'buyer', 'standard', 1 + n * 7919 % 900000,
      1 + n * 7919 % 900000, 'Steam account number ' || md5(n::text) || ' batch q' || n % 12 ,
      'cancelled', 'expired', now(), now(), now()
    FROM generate_series(1, 12000) AS n ON CONFLICT DO NOTHING`);
  await db().execute(sql`UPDATE escrow.trades SET hidden_at = now() WHERE description = 'batch q7 too'`);
  await ownerDatabase().execute(sql`ANALYZE escrow.trades`);
  const planned = async (condition: ReturnType<typeof sql>, order = sql`id DESC`) => {
    const rows = await db().execute<{ "QUERY PLAN": string }>(
      sql`EXPLAIN SELECT * FROM escrow.trades WHERE hidden_at IS NULL AND ${condition} ORDER BY ${order} LIMIT 26`,
    );
    return rows.map((row) => row["QUERY PLAN"]).join("\n");
  };
  const words = (needle: string) => sql`(escrow.search_words(code, description) LIKE ${`%${needle}%`} AND
    escrow.trigrams(escrow.search_words(code, description)) @> escrow.trigrams(${needle}))`;
  const plans = await Promise.all([
    planned(sql`true`),
    planned(sql`true`, sql`amount DESC, id DESC`),
    planned(sql`status = 'completed'`),
    planned(words(Bun.hash("x").toString(16).slice(0, 6))),
    planned(sql`(${words("c4ca42")} OR buyer_id IN (5, 7) OR seller_id IN (5, 7))`),
  ]);
  for (const plan of plans) expect(plan).not.toContain("Seq Scan");
  expect((await counts({ search: "steam account" })).found).toBe(MOST_COUNTED + 1);
  expect((await counts({ search: "steam account", status: "completed" })).found).toBe(0);
  expect(await counts({ search: "steam account", status: "cancelled" })).toEqual({
    found: MOST_COUNTED + 1,
    byStatus: null,
  });
  // 1,000 matches are still counted; one more is not.
  const exactly = await counts({ search: "batch q7" });
  expect([exactly.found, exactly.byStatus?.cancelled]).toEqual([MOST_COUNTED, MOST_COUNTED]);
  await db().execute(sql`UPDATE escrow.trades SET description = 'batch q7 too' WHERE id = ${id}`);
  expect(await counts({ search: "batch q7" })).toEqual({ found: MOST_COUNTED + 1, byStatus: null });
  expect(await counts({ search: "batch q7", status: "completed" })).toEqual({ found: 0, byStatus: null });
  const all = await counts();
  expect([all.found, all.byStatus?.cancelled]).toEqual([MOST_COUNTED + 1, MOST_COUNTED + 1]);
  expect((await counts({ status: "cancelled" })).found).toBe(MOST_COUNTED + 1);
  expect((await ids({ search: "ACCOUNT number", sort: "oldest" })).length).toBe(50);
  expect((await ids({ search: "c4ca4238a0" })).length).toBe(1);
}, 120_000);
