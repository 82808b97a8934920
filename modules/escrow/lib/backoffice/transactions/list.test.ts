import { beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { db, runInTransaction } from "#db/client";
import {
  approvePayoutRecord,
  createDuePayout,
  markPayoutSent,
  recordPayments,
  voidLivePayouts,
} from "#modules/payments";
import { useDatabase } from "../../../../../tests/support/database/test-database.ts";
import { expectMatch } from "../../../../../tests/support/expect-match.ts";
import { plantTrade, plantUser } from "../../../../../tests/support/trades/planted-trades.ts";
import type { MoneyFilter } from "../../../forms.ts";
import { type Status, tradeStatuses } from "../../machine/trade-types.ts";
import { countTrades } from "./count-trades.ts";
import { deskOf } from "./list.fixture.ts";
import { moneyStatesOf } from "./list-query.ts";
import { adminTrades } from "./list-trades.ts";

useDatabase();

type Member = Awaited<ReturnType<typeof plantUser>>;
let admin: Member;
beforeAll(async () => {
  admin = await plantUser({ isAdmin: true });
});

// Each test begins with an empty list: hidden trades appear in none.
beforeEach(async () => {
  await db().execute(sql`UPDATE escrow.trades SET hidden_at = now() WHERE hidden_at IS NULL`);
});

const { ids, counts } = deskOf(() => admin);

const describeTrade = (id: number, words: string) =>
  db().execute(sql`UPDATE escrow.trades SET description = ${words} WHERE id = ${id}`);

describe("the back office's search", () => {
  test("finds Cyrillic inside a word, in any case", async () => {
    const { id } = await plantTrade("completed");
    await describeTrade(id, "Дота хоёрын ХАЯГ, түвшин 60");
    expect(await ids({ search: "хаяг" })).toEqual([id]);
    expect(await ids({ search: "үвши" })).toEqual([id]);
    expect(await ids({ search: "  үвш " })).toEqual([id]);
    expect(await ids({ search: "хаях" })).toEqual([]);
  });

  test("two letters match the beginning of a word, and one letter a whole word", async () => {
    const { id } = await plantTrade("completed");
    await describeTrade(id, "qzw of rank j");
    expect(await ids({ search: "qz" })).toEqual([id]);
    expect(await ids({ search: "zw" })).toEqual([]);
    expect(await ids({ search: "J" })).toEqual([id]);
    expect(await ids({ search: "q" })).toEqual([]);
  });

  test("treats %, _ and the backslash as plain characters", async () => {
    const made = new Map<number, string>();
    for (const words of ["50%off it", "50%o or 0%off", "a_bc", "a_b a-bc _bc", "c:\\games", "c:%games"]) {
      const { id } = await plantTrade("completed");
      await describeTrade(id, words);
      made.set(id, words);
    }
    const found = async (search: string) => (await ids({ search })).map((id) => made.get(id));
    expect(await found("50%off")).toEqual(["50%off it"]);
    expect(await found("a_bc")).toEqual(["a_bc"]);
    expect(await found("c:\\")).toEqual(["c:\\games"]);
  });

  test("finds a party by the beginning of the username, with or without @", async () => {
    const planted = await plantTrade("completed");
    const { username } = planted.seller;
    expect(await ids({ search: username.toUpperCase() })).toEqual([planted.id]);
    expect(await ids({ search: `@${username.slice(0, -2)}` })).toEqual([planted.id]);
    expect(await ids({ search: username.slice(2) })).toEqual([]);
    expect(await ids({ search: planted.buyer.username })).toEqual([planted.id]);
    expect(await ids({ search: `  ${username}  ` })).toEqual([planted.id]);
    expect(await ids({ search: username.slice(0, 3) })).toEqual([planted.id]);
    expect(await ids({ search: username.slice(0, 2) })).toEqual([]);
    expect(await ids({ search: username, money: "held" })).toEqual([]);
  });
});

describe("the back office's list", () => {
  test("continues after the last row seen, also among equal amounts", async () => {
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
      for (const _ of made) {
        walked.push(...(await ids({ search: "ordered wares", sort, before: walked.at(-1), limit: 1 })));
      }
      expect([sort, walked]).toEqual([sort, order]);
      expect(await ids({ search: "ordered wares", sort, before: walked.at(-1) })).toEqual([]);
      const gone = sort === "oldest" ? 0 : 999_999_999;
      expect(await ids({ search: "ordered wares", sort, before: gone })).toEqual(order);
    }
    expect(await ids({ search: "ordered wares", sort: "oldest", before: 999_999_999 })).toEqual([]);
  });

  test("limited to some days continues by creation time, even if ids are in another order", async () => {
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
      for (const _ of made) {
        walked.push(...(await ids({ ...may, sort, before: walked.at(-1), limit: 1 })));
      }
      expect([sort, walked]).toEqual([sort, [...order]]);
      expect(await ids({ ...may, sort, before: walked.at(-1) })).toEqual([]);
      expect(await ids({ ...may, sort, before: 999_999_999 })).toEqual([...order]);
    }
    expect(await ids({ ...may, sort: "largest" })).toEqual([eight, seven, nine]);
    expect(await ids({ ...may, sort: "smallest", before: seven })).toEqual([eight]);
    expect(await ids({ from: may.from, to: may.to, money: "waiting" })).toEqual([nine, eight, seven]);
    const { byStatus, ...rest } = await counts(may);
    expect([rest, byStatus?.initiated]).toEqual([{ found: 3 }, 3]);
    expect((await counts({ ...may, status: "cancelled" })).found).toBe(0);
  });

  test("uses days in Mongolia, including the first and the last", async () => {
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

  test("can be limited to one state of the money, the same that its rows show", async () => {
    const words = crypto.randomUUID();
    const planted = async (status: string) => {
      const { id } = await plantTrade(status);
      await describeTrade(id, words);
      return id;
    };
    const waiting = await planted("initiated");
    const held: number[] = [];
    for (const status of ["payment_confirmed", "exchange_completed", "settlement_pending"]) {
      held.push(await planted(status));
    }
    const [disputed, released, closed] = [
      await planted("disputed"),
      await planted("completed"),
      await planted("completed"),
    ];
    await db().execute(sql`UPDATE escrow.trades SET end_reason = 'closed' WHERE id = ${closed}`);
    const [bare, unsent, sent, voided] = [
      await planted("cancelled"),
      await planted("cancelled"),
      await planted("cancelled"),
      await planted("cancelled"),
    ];
    for (const id of [unsent, sent, voided]) {
      const [at, by] = [
        new Date(),
        { userId: admin.userId, relatedAdminIds: [admin.userId], keepsRight: async () => true },
      ];
      const ids = { providerPaymentId: crypto.randomUUID(), invoiceId: crypto.randomUUID() };
      const destination = { bankName: "Khan Bank", accountName: "Bat", accountNumber: "5012345678" };
      const refund = {
        reference: id,
        kind: "refund",
        amount: 110_000,
        fee: 0,
        recipientId: 1,
        destination,
      } as const;
      await runInTransaction(async (tx) => {
        await recordPayments(tx, {
          reference: id,
          rows: [{ ...ids, amount: 110_000, paidAt: at }],
          owed: 110_000,
          at,
        });
        const made = await createDuePayout(tx, { ...refund, dueAt: at, at, by });
        if (id === voided) await voidLivePayouts(tx, { reference: id, reason: "a test", at, by });
        if (id !== sent || !made.ok) return;
        await approvePayoutRecord(tx, { id: made.payout.id, at, by });
        await markPayoutSent(tx, { id: made.payout.id, bankReference: words, at, by });
      });
    }
    const of = async (money: MoneyFilter) => {
      const found = await adminTrades(admin, { limit: 50, search: words, money, sort: "oldest" });
      if (!found.ok) throw new Error(found.code);
      const inApi = money === "refunding" ? "held" : money;
      expect(found.transactions.every(({ standing }) => standing.money === inApi)).toBe(true);
      return found.transactions.map(({ id }) => id);
    };
    expect({
      ...{ waiting: await of("waiting"), held: await of("held"), disputed: await of("disputed") },
      ...{ released: await of("released"), refunding: await of("refunding") },
      ...{ returned: await of("returned"), none: await of("none") },
    }).toEqual({
      ...{ waiting: [waiting], held, disputed: [disputed] },
      ...{ released: [released], refunding: [unsent], returned: [sent], none: [closed, bare, voided] },
    });
    const inApi = { search: words, money: moneyStatesOf("held") };
    expect(await ids({ ...inApi, sort: "oldest" })).toEqual([...held, unsent]);
    expect((await counts(inApi)).found).toBe(held.length + 1);
  });

  test("has a total and a count per status; hidden trades are neither listed nor counted", async () => {
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
    expect((await counts({ search: "to be counted", status: "completed" })).found).toBe(1);
    expect((await counts({ status: "pending" })).found).toBe(
      ["initiated", "payment_initiated", "payment_pending"].reduce((sum, status) => {
        return sum + (after.byStatus?.[status as Status] ?? 0);
      }, 0),
    );
    const none = Object.fromEntries(tradeStatuses.map((status) => [status, 0]));
    expect(await counts({ search: "no such words" })).toEqual({
      found: 0,
      byStatus: none as typeof after.byStatus,
    });
    expect(await ids({ search: "to be counted" })).toEqual([kept.id]);
  });

  test("accepts a known status, a word for several, and pages of a hundred by default", async () => {
    const { id } = await plantTrade("payment_pending");
    await describeTrade(id, "of some status");
    const find = (status: string) => ids({ search: "of some status", status });
    expect([await find("pending"), await find("PAYMENT_PENDING")]).toEqual([[id], [id]]);
    const settling = await plantTrade("settlement_pending");
    await describeTrade(settling.id, "of some status");
    expect([await find("confirmed_complete"), await find("pending")]).toEqual([[settling.id], [id]]);
    expect([await find("nonsense"), await find("completed")]).toEqual([[], []]);
    const found = await adminTrades(admin);
    expectMatch(found.ok && found.transactions[1], { id, transactionCode: expect.any(String) });
  });

  test("is for administrators only", async () => {
    const user = await plantUser();
    expect(await countTrades(user, {})).toEqual({ ok: false, code: "ADMIN_REQUIRED" });
  });
});
