import { beforeAll, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { db } from "#db/client";
import { useDatabase } from "../../../tests/support/database.ts";
import { plantTrade, plantUser } from "../../../tests/support/trade.ts";
import { countTrades, MOST_COUNTED } from "./desk.counts.ts";
import type { AdminFilter } from "./desk.filter.ts";
import { adminTrades } from "./desk.list.ts";

useDatabase();

type Member = Awaited<ReturnType<typeof plantUser>>;
let admin: Member;
beforeAll(async () => {
  admin = await plantUser({ isAdmin: true });
});

async function ids(filter: Partial<AdminFilter>): Promise<number[]> {
  const found = await adminTrades(admin, { limit: 50, ...filter });
  if (!found.ok) throw new Error(found.code);
  return found.transactions.map(({ id }) => id);
}

async function counts(filter: Partial<AdminFilter> = {}) {
  const found = await countTrades(admin, filter);
  if (!found.ok) throw new Error(found.code);
  return found.counts;
}

const describeTrade = (id: number, words: string) =>
  db().execute(sql`UPDATE escrow.trades SET description = ${words} WHERE id = ${id}`);

describe("the desk's search", () => {
  test("finds Cyrillic in the midst of a word, whatever the case", async () => {
    const { id } = await plantTrade("completed");
    await describeTrade(id, "Дота хоёрын ХАЯГ, түвшин 60");
    expect(await ids({ search: "хаяг" })).toEqual([id]);
    expect(await ids({ search: "үвши" })).toEqual([id]);
    expect(await ids({ search: "хаях" })).toEqual([]);
  });

  test("two letters begin a word, and one stands alone", async () => {
    const { id } = await plantTrade("completed");
    await describeTrade(id, "qzw of rank j");
    expect(await ids({ search: "qz" })).toEqual([id]);
    expect(await ids({ search: "zw" })).toEqual([]);
    expect(await ids({ search: "J" })).toEqual([id]);
    expect(await ids({ search: "q" })).toEqual([]);
  });

  test("finds a party by the beginning of the username, with or without its sign", async () => {
    const planted = await plantTrade("completed");
    const { username } = planted.seller;
    expect(await ids({ search: username.toUpperCase() })).toEqual([planted.id]);
    expect(await ids({ search: `@${username.slice(0, -2)}` })).toEqual([planted.id]);
    expect(await ids({ search: username.slice(2) })).toEqual([]);
  });
});

describe("the desk's list", () => {
  test("goes on in its order after the row last seen, rows of equal amounts too", async () => {
    const amounts = [300_000, 100_000, 300_000, 200_000];
    const made: number[] = [];
    for (const amount of amounts) {
      const { id } = await plantTrade("initiated");
      await describeTrade(id, "ordered wares");
      const [fee, gross] = [10_000, amount + 10_000];
      await db().execute(sql`UPDATE escrow.trades SET amount = ${amount}, fee = ${fee}, fee_payer = 'buyer',
        gross = ${gross}, net = ${amount} WHERE id = ${id}`);
      made.push(id);
    }
    const [a = 0, b = 0, c = 0, d = 0] = made;
    const orders = {
      newest: [d, c, b, a],
      oldest: [a, b, c, d],
      largest: [c, a, d, b],
      smallest: [b, d, a, c],
    };
    for (const [sort, order] of Object.entries(orders) as Array<[keyof typeof orders, number[]]>) {
      const walked: number[] = [];
      for (let before: number | undefined; walked.length < 4; before = walked.at(-1)) {
        walked.push(...(await ids({ search: "ordered wares", sort, before, limit: 1 })));
      }
      expect([sort, walked]).toEqual([sort, order]);
      expect(await ids({ search: "ordered wares", sort, before: walked.at(-1) })).toEqual([]);
    }
  });

  test("of some days goes on by the moment of birth, also where that is not the order of ids", async () => {
    const made: number[] = [];
    for (const hour of [9, 7, 8]) {
      const { id } = await plantTrade("initiated");
      await db().execute(sql`
        INSERT INTO escrow.trades (code, room_id, buyer_id, seller_id, amount, fee, fee_payer, fee_policy, gross, net, description,
          status, created_at, updated_at)
        SELECT 'MM-' || translate(upper(left(md5(code), 8)), 'ILOU', '0000'), room_id + 900000, buyer_id, seller_id, amount, fee, fee_payer,
          fee_policy, gross, net, 'born by the hour', status, ${`2020-05-05T0${hour}:00:00Z`}::timestamptz, now()
        FROM escrow.trades WHERE id = ${id}`);
      const [row] = await db().execute<{ id: string }>(sql`SELECT max(id) AS id FROM escrow.trades`);
      made.push(Number(row?.id));
    }
    const [nine = 0, seven = 0, eight = 0] = made;
    const may = { from: "2020-05-05", to: "2020-05-05" };
    for (const [sort, order] of [
      ["newest", [nine, eight, seven]],
      ["oldest", [seven, eight, nine]],
    ] as const) {
      const walked: number[] = [];
      for (let before: number | undefined; walked.length < 3; before = walked.at(-1)) {
        walked.push(...(await ids({ ...may, sort, before, limit: 1 })));
      }
      expect([sort, walked]).toEqual([sort, [...order]]);
    }
  });

  test("is of days in Mongolia, the first and the last included", async () => {
    const { id } = await plantTrade("initiated");
    await describeTrade(id, "a dated thing");
    const find = (from: string, to: string) => ids({ search: "dated thing", from, to });
    const today = new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 10);
    const shifted = (days: number) =>
      new Date(Date.parse(`${today}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
    expect(await find(today, today)).toEqual([id]);
    expect(await find(shifted(-9), shifted(-1))).toEqual([]);
    expect(await find(shifted(1), shifted(9))).toEqual([]);
  });

  test("is of one state of the money, the same that its rows show", async () => {
    for (const status of ["initiated", "payment_confirmed", "settlement_pending", "completed", "cancelled"]) {
      await describeTrade((await plantTrade(status)).id, "by its money");
    }
    const seen = [];
    for (const money of ["waiting", "held", "disputed", "released", "returned", "none"] as const) {
      const found = await adminTrades(admin, { limit: 50, search: "by its money", money });
      if (!found.ok) throw new Error(found.code);
      seen.push(...found.transactions.map(({ standing }) => [money, standing.money]));
    }
    expect(seen).toEqual([
      ["waiting", "waiting"],
      ["held", "held"],
      ["held", "held"],
      ["released", "released"],
      ["none", "none"],
    ]);
  });

  test("is counted whole and by status; what is hidden is neither listed nor counted", async () => {
    const before = await counts();
    const kept = await plantTrade("completed");
    const hidden = await plantTrade("completed");
    for (const { id } of [kept, hidden]) await describeTrade(id, "to be counted");
    await db().execute(sql`UPDATE escrow.trades SET hidden_at = now() WHERE id = ${hidden.id}`);
    const after = await counts();
    expect(after.found).toBe(before.found + 1);
    expect(after.byStatus?.completed).toBe((before.byStatus?.completed ?? 0) + 1);
    const looked = await counts({ search: "to be counted", status: "cancelled" });
    expect([looked.found, looked.byStatus?.completed]).toEqual([0, 1]);
    expect(await ids({ search: "to be counted" })).toEqual([kept.id]);
  });

  test("is nobody else's", async () => {
    const user = await plantUser();
    expect(await countTrades(user, {})).toEqual({ ok: false, code: "ADMIN_REQUIRED" });
  });
});

test("among many no list, search or count reads every trade", async () => {
  const { seller, buyer } = await plantTrade("cancelled");
  await db().execute(sql`
    INSERT INTO escrow.trades (code, room_id, buyer_id, seller_id, amount, fee, fee_payer, fee_policy, gross, net,
      description, status, end_reason, ended_at, created_at, updated_at)
    SELECT 'MM-' || translate(upper(lpad(to_hex(n), 8, '0')), 'ILOU', '0000'), 1000000 + n, ${buyer.userId} + n % 900,
      ${seller.userId} + 1000 + n % 900, 1 + n * 7919 % 900000, 0, 'buyer', 'standard', 1 + n * 7919 % 900000,
      1 + n * 7919 % 900000, 'Steam account number ' || md5(n::text), 'cancelled', 'expired', now(), now(), now()
    FROM generate_series(1, 12000) AS n`);
  await db().execute(sql`ANALYZE escrow.trades`);
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
  expect((await ids({ search: "ACCOUNT number", sort: "oldest" })).length).toBe(50);
  expect((await ids({ search: "c4ca4238a0" })).length).toBe(1);
}, 120_000);
