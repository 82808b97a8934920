import { describe, expect, test } from "bun:test";
import { type SQL, sql } from "drizzle-orm";
import { db } from "#db/client";
import { verifyLedger } from "#modules/payments";
import { ownerDatabase, useDatabase } from "../../../../tests/support/database/test-database.ts";
import {
  assertSoundLedger,
  confirmByBoth,
  createInvoicedTrade,
  createPaidTrade,
  expectAccepted,
  type PlantedTrade,
  useSandboxProvider,
} from "../../../../tests/support/trades/sandbox-trades.ts";
import { adminCancel } from "../backoffice/transactions/administrator-commands.ts";
import { type Status, tradeStatuses } from "../machine/trade-types.ts";
import { type TradeProblem, tradeProblem } from "./prove-trades.ts";

useDatabase();
useSandboxProvider();

/** The codes of what a verification finds about a trade after these statements, which are then undone. */
async function foundAfter(deal: PlantedTrade, statements: SQL[], undo: SQL[]): Promise<string[]> {
  for (const statement of statements) await db().execute(statement);
  const verdict = await verifyLedger();
  await ownerDatabase().transaction(async (tx) => {
    await tx.execute(sql`SET LOCAL session_replication_role = replica`);
    for (const statement of undo) await tx.execute(statement);
  });
  await assertSoundLedger();
  const [{ code = "" } = {}] = await db().execute<{ code: string }>(
    sql`SELECT code FROM escrow.trades WHERE id = ${deal.id}`,
  );
  const problems = verdict.ok ? [] : verdict.problems;
  return problems
    .filter(({ examples }) => examples.some((one) => one.startsWith(code)))
    .map((one) => one.code);
}

const journal = (deal: PlantedTrade, corrects: SQL) => sql`
  INSERT INTO payments.journals (event, kind, reference, corrects, at)
  SELECT 'correction:' || id, 'correction', reference, id, now() FROM payments.journals WHERE id = ${corrects} AND reference = ${deal.id}`;
const mirror = (corrects: SQL) => sql`
  INSERT INTO payments.entries SELECT j.id, e.account, -e.amount
  FROM payments.journals j JOIN payments.entries e ON e.journal_id = j.corrects WHERE j.corrects = ${corrects}`;
const paymentOf = (deal: PlantedTrade) =>
  sql`(SELECT id FROM payments.journals WHERE kind = 'payment' AND reference = ${deal.id})`;

describe("with the application role's rights", () => {
  test("a forged correction cannot empty a paid trade's escrow: the database refuses the pair", async () => {
    const deal = await createPaidTrade();
    const forged = db().transaction(async (tx) => {
      await tx.execute(journal(deal, paymentOf(deal)));
      await tx.execute(mirror(paymentOf(deal)));
    });
    await expect(forged).rejects.toMatchObject({ constraint_name: "correction_known" });
    await assertSoundLedger();
  });

  test("a voided refund leaves a cancelled trade with money that is owed to nobody: detected and named", async () => {
    const deal = await createPaidTrade(40_000);
    await expectAccepted(adminCancel(deal.admin, deal.id));
    await assertSoundLedger();
    const ofDeal = sql`reference = ${deal.id} AND kind = 'refund'`;
    const found = await foundAfter(
      deal,
      [
        sql`UPDATE payments.payouts SET state = 'void', voided_by = 1, voided_at = now(), reason = 'x' WHERE ${ofDeal}`,
      ],
      [
        sql`UPDATE payments.payouts SET state = 'due', voided_by = NULL, voided_at = NULL, reason = NULL WHERE ${ofDeal}`,
      ],
    );
    expect(found).toEqual(["TRADE_SETTLED_HOLDS"]);
  });

  const moves: Array<
    [what: string, deal: () => Promise<PlantedTrade>, to: SQL, from: SQL, code: TradeProblem]
  > = [
    [
      "an unpaid trade called paid",
      createInvoicedTrade,
      sql`status = 'payment_confirmed', confirmed_at = now()`,
      sql`status = 'payment_pending', confirmed_at = NULL`,
      "TRADE_PAID_HOLDS",
    ],
    [
      "a paid trade called settled",
      createPaidTrade,
      sql`status = 'settlement_pending'`,
      sql`status = 'payment_confirmed'`,
      "TRADE_SETTLED_HOLDS",
    ],
  ];
  for (const [what, make, to, from, code] of moves) {
    test(`${what}: detected and named`, async () => {
      const deal = await make();
      const set = (change: SQL) => [sql`UPDATE escrow.trades SET ${change} WHERE id = ${deal.id}`];
      expect(await foundAfter(deal, set(to), set(from))).toEqual([code]);
    });
  }
});

describe("bypassing the triggers,", () => {
  test("a forged correction of a payment is detected, and the trade that it emptied", async () => {
    const deal = await createPaidTrade();
    await ownerDatabase().transaction(async (tx) => {
      await tx.execute(sql`ALTER TABLE payments.journals DISABLE TRIGGER known_correction`);
      await tx.execute(journal(deal, paymentOf(deal)));
      await tx.execute(mirror(paymentOf(deal)));
      await tx.execute(sql`SET CONSTRAINTS ALL IMMEDIATE`);
      await tx.execute(sql`ALTER TABLE payments.journals ENABLE TRIGGER known_correction`);
    });
    const verdict = await verifyLedger();
    const codes = verdict.ok ? [] : verdict.problems.map((one) => one.code);
    expect(codes).toEqual(["CORRECTION_UNKNOWN", "TRADE_ESCROW_DIFFERS"]);
    await ownerDatabase().transaction(async (tx) => {
      await tx.execute(sql`SET LOCAL session_replication_role = replica`);
      const forged = sql`(SELECT id FROM payments.journals WHERE corrects = ${paymentOf(deal)})`;
      await tx.execute(
        sql`UPDATE payments.balances SET balance = 110000 WHERE account = ${`escrow:${deal.id}`}`,
      );
      await tx.execute(sql`DELETE FROM payments.entries WHERE journal_id = ${forged}`);
      await tx.execute(sql`DELETE FROM payments.journals WHERE id = ${forged}`);
    });
    await assertSoundLedger();
  });

  test("money of a missing trade is detected", async () => {
    const deal = await createPaidTrade();
    const moved = (from: number, to: number) => [
      sql`UPDATE payments.payments SET reference = ${to} WHERE reference = ${from}`,
      sql`UPDATE payments.journals SET reference = ${to} WHERE reference = ${from}`,
      sql`UPDATE payments.entries SET account = ${`escrow:${to}`} WHERE account = ${`escrow:${from}`}`,
      sql`UPDATE payments.balances SET account = ${`escrow:${to}`} WHERE account = ${`escrow:${from}`}`,
    ];
    const behind = async (statements: SQL[]) =>
      ownerDatabase().transaction(async (tx) => {
        await tx.execute(sql`SET LOCAL session_replication_role = replica`);
        for (const statement of statements) await tx.execute(statement);
      });
    await behind(moved(deal.id, 99_999_999));
    const verdict = await verifyLedger();
    expect(verdict.ok ? [] : verdict.problems.map(({ code, examples }) => [code, ...examples])).toEqual(
      expect.arrayContaining([["ESCROW_WITHOUT_TRADE", "escrow:99999999"]]),
    );
    await behind(moved(99_999_999, deal.id));
    await assertSoundLedger();
  });
});

test("a trade passes the check at every step", async () => {
  await assertSoundLedger();
  const deal = await createPaidTrade();
  await assertSoundLedger();
  await confirmByBoth(deal);
  await assertSoundLedger();
});

describe("the status check", () => {
  const account = (received: number, sent: number, owed: number, held = received - sent, undone = 0) => ({
    ...{ received, undone, sent, owed, held },
  });
  const gross = 110;
  const sound: Record<string, [Status[], ReturnType<typeof account>]> = {
    nothing: [tradeStatuses.slice(0, 5), account(0, 0, 0)],
    "part of it": [tradeStatuses.slice(0, 5), account(109, 0, 0)],
    "all of it": [["payment_confirmed", "exchange_completed", "disputed"], account(110, 0, 0)],
    "what is left after some was taken back": [["payment_confirmed", "disputed"], account(60, 0, 0, 60, 50)],
    "all of it, paid again after some was taken back": [
      ["payment_confirmed", "disputed"],
      account(110, 0, 0, 110, 50),
    ],
    "what a ruling left": [["disputed"], account(110, 40, 0)],
    "all of it, promised": [["settlement_pending", "completed", "cancelled"], account(110, 0, 110)],
    "what is left, promised": [["settlement_pending", "completed", "cancelled"], account(110, 60, 50)],
    "nothing any more": [["settlement_pending", "completed", "cancelled"], account(110, 110, 0)],
    "nothing ever": [["completed", "cancelled"], account(0, 0, 0)],
  };
  for (const [what, [fits, money]] of Object.entries(sound)) {
    test(`holding ${what} fits ${fits.join(", ")}`, () => {
      for (const status of fits)
        expect([status, tradeProblem({ status, gross, onHold: true }, money)]).toEqual([status, null]);
    });
  }
  const broken: Array<[Status, ReturnType<typeof account>, TradeProblem]> = [
    ["payment_confirmed", account(110, 0, 0, 0), "TRADE_ESCROW_DIFFERS"],
    ["cancelled", account(110, 110, 0, 45), "TRADE_ESCROW_DIFFERS"],
    ["payment_pending", account(110, 0, 0), "TRADE_UNPAID_HOLDS"],
    ["payment_processing", account(50, 0, 50), "TRADE_UNPAID_HOLDS"],
    ["payment_processing", account(50, 10, 0), "TRADE_UNPAID_HOLDS"],
    ["payment_confirmed", account(109, 0, 0), "TRADE_PAID_HOLDS"],
    ["payment_confirmed", account(110, 40, 0), "TRADE_PAID_HOLDS"],
    ["disputed", account(110, 0, 110), "TRADE_PAID_HOLDS"],
    ["payment_confirmed", account(110, 40, 0, 70, 40), "TRADE_PAID_HOLDS"],
    ["payment_confirmed", account(59, 0, 0, 59, 50), "TRADE_PAID_HOLDS"],
    ["settlement_pending", account(110, 0, 0), "TRADE_SETTLED_HOLDS"],
    ["cancelled", account(45, 0, 0), "TRADE_SETTLED_HOLDS"],
    ["completed", account(110, 60, 40), "TRADE_SETTLED_HOLDS"],
  ];
  for (const [status, money, code] of broken) {
    test(`${status} with ${JSON.stringify(money)} is ${code}`, () => {
      expect(tradeProblem({ status, gross, onHold: true }, money)).toBe(code);
    });
  }

  test("money taken back may be missing only while the trade is on hold", () => {
    const short = account(60, 0, 0, 60, 50);
    expect(tradeProblem({ status: "payment_confirmed", gross, onHold: false }, short)).toBe(
      "TRADE_PAID_HOLDS",
    );
  });
});
