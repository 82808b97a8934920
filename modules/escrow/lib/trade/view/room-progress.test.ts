import { describe, expect, spyOn, test } from "bun:test";
import { sql } from "drizzle-orm";
import { db, runInTransaction } from "#db/client";
import { createDuePayout, recordPayments } from "#modules/payments";
import { ownerDatabase, useDatabase } from "../../../../../tests/support/database/test-database.ts";
import { plantRoom, plantTrade, plantUser } from "../../../../../tests/support/trades/planted-trades.ts";
import { expectAccepted, runAtTime } from "../../../../../tests/support/trades/sandbox-trades.ts";
import { explainDispute } from "../../disputes/open-dispute.ts";
import { saveBankInfo } from "../../information/bank-account.ts";
import { tradeStatuses } from "../../machine/trade-types.ts";
import { historyOf } from "./history.ts";
import { findRoomsByCode, readRoomProgress } from "./room-progress.ts";
import { readTrade } from "./trade-view.ts";

useDatabase();

const bank = {
  infoType: "seller" as const,
  bankName: "Khan Bank",
  accountName: "Bat",
  accountNumber: "5001234567",
  phoneNumber: "+97699112233",
  email: "bat@example.mn",
};

/** How often `work` queries the database. */
async function queriesOf(work: () => Promise<unknown>): Promise<number> {
  const { session } = db() as unknown as { session: { prepareQuery: () => unknown } };
  const asked = spyOn(session, "prepareQuery");
  await work();
  const count = asked.mock.calls.length;
  asked.mockRestore();
  return count;
}

describe("the progress of the trades in a room list", () => {
  test.each([...tradeStatuses])("%s: equals the trade's own page for either side", async (status) => {
    const planted = await plantTrade(status);
    for (const side of ["seller", "buyer"] as const) {
      const seen = await readTrade(planted[side], planted.id);
      if (!seen.ok) throw new Error(seen.code);
      const { turn, standing, role, grossAmount, netAmount, paidAmount, due, clocks } = seen.trade;
      const found = await readRoomProgress(planted[side], [planted.roomId]);
      expect(found.get(planted.roomId)).toMatchObject({
        transactionId: planted.id,
        code: planted.code,
        ...{ status, turn, standing, role, grossAmount, netAmount, paidAmount, due, clocks },
        own: turn.startsWith(side) && status !== "payment_processing",
        keptFor: ["completed", "cancelled"].includes(status) ? null : "TRADE_UNDER_WAY",
        over: ["completed", "cancelled"].includes(status),
      });
    }
  });

  test("the seller is asked for an account until they entered one", async () => {
    const { roomId, id, seller } = await plantTrade("exchange_completed");
    const turn = async () => (await readRoomProgress(seller, [roomId])).get(roomId)?.turn;
    expect(await turn()).toBe("seller_destination");
    await saveBankInfo(seller, id, bank);
    expect(await turn()).toBe("seller_confirm");
  });

  test("a cancelled trade's room stays while its refund waits, and its buyer is asked for an account", async () => {
    const { roomId, id, buyer, seller } = await plantTrade("cancelled");
    const at = new Date();
    await runInTransaction(async (tx) => {
      const paid = {
        providerPaymentId: crypto.randomUUID(),
        invoiceId: crypto.randomUUID(),
        amount: 110_000,
        paidAt: at,
      };
      await recordPayments(tx, { reference: id, rows: [paid], owed: 110_000, at });
      await createDuePayout(tx, {
        reference: id,
        kind: "refund",
        amount: 110_000,
        fee: 0,
        recipientId: buyer.userId,
        dueAt: at,
        at,
        by: { userId: null },
      });
    });
    const [own, theirs] = [await readRoomProgress(buyer, [roomId]), await readRoomProgress(seller, [roomId])];
    expect(own.get(roomId)).toMatchObject({
      own: true,
      turn: "buyer_refund_account",
      keptFor: "MONEY_HELD",
      standing: { money: "held" },
      due: { refund: { amount: 110_000 } },
    });
    expect(theirs.get(roomId)).toMatchObject({ own: false, keptFor: "MONEY_HELD" });
  });

  test("a dispute is the accused's turn until they have explained it or their time has passed, then the mediator's", async () => {
    const { roomId, id, buyer, seller } = await plantTrade("disputed");
    await db().execute(sql`
      INSERT INTO escrow.disputes (trade_id, opened_by, opened_from, opened_at)
      VALUES (${id}, 'buyer', 'payment_confirmed', now()) ON CONFLICT DO NOTHING`);
    await db().execute(sql`
      INSERT INTO escrow.deadlines (trade_id, kind, state, started_at, due_at)
      VALUES (${id}, 'dispute_statements', 'running', now(), now() + interval '24 hours')`);
    await expectAccepted(explainDispute(buyer, id, { reason: "It does not work" }));
    const turnOf = async (who: typeof buyer) => (await readRoomProgress(who, [roomId])).get(roomId);
    expect(await turnOf(seller)).toMatchObject({ own: true, turn: "seller_explain" });
    expect(await turnOf(buyer)).toMatchObject({ own: false, turn: "seller_explain" });
    expect((await expectAccepted(readTrade(seller, id))).trade.turn).toBe("seller_explain");
    const over = new Date(Date.now() + 24 * 3_600_000 + 1_000);
    expect(await runAtTime(over, () => turnOf(seller))).toMatchObject({ own: false, turn: "admin" });
    expect((await runAtTime(over, () => expectAccepted(readTrade(seller, id)))).trade.turn).toBe("admin");
    await expectAccepted(explainDispute(seller, id, { reason: "It does" }));
    expect(await turnOf(seller)).toMatchObject({ own: false, turn: "admin" });
    expect((await expectAccepted(readTrade(seller, id))).trade.turn).toBe("admin");
  });

  test("a payment that a person checks is nobody's turn to pay", async () => {
    const { roomId, id, buyer } = await plantTrade("payment_initiated");
    await db().execute(sql`
      INSERT INTO payments.holds (reference, reason, subject, facts, opened_at)
      VALUES (${id}, 'SUM_CONTRADICTS', 'invoice:1', '{}', now())`);
    expect((await readRoomProgress(buyer, [roomId])).get(roomId)).toMatchObject({
      ...{ own: false, turn: "buyer_pay", heldForChecking: true },
    });
  });

  test("a part payment leaves the rest for the buyer to pay", async () => {
    const { roomId, id, buyer } = await plantTrade("payment_processing");
    const part = { providerPaymentId: crypto.randomUUID(), invoiceId: crypto.randomUUID(), amount: 5_000 };
    await runInTransaction((tx) => {
      const at = new Date();
      return recordPayments(tx, { reference: id, rows: [{ ...part, paidAt: at }], owed: 110_000, at });
    });
    const found = (await readRoomProgress(buyer, [roomId])).get(roomId);
    expect(found).toMatchObject({ own: true, turn: "buyer_pay", paidAmount: 5_000 });
  });

  test("each has only the money of its own trade", async () => {
    const [one, other] = [await plantTrade("cancelled"), await plantTrade("cancelled")];
    await db().execute(sql`
      INSERT INTO payments.payouts (reference, kind, source, amount, fee, due_at, created_at)
      VALUES (${one.id}, 'refund', 'escrow', 5, 0, now(), now())`);
    const { userId } = one.buyer;
    await ownerDatabase().transaction(async (tx) => {
      await tx.execute(sql`ALTER TABLE escrow.trades DISABLE TRIGGER keep_frozen`);
      await tx.execute(sql`UPDATE escrow.trades SET buyer_id = ${userId} WHERE id = ${other.id}`);
      await tx.execute(sql`ALTER TABLE escrow.trades ENABLE TRIGGER keep_frozen`);
    });
    const found = await readRoomProgress(one.buyer, [one.roomId, other.roomId]);
    const money = ({ roomId }: { roomId: number }) => [
      found.get(roomId)?.standing.money,
      found.get(roomId)?.keptFor,
    ];
    expect([money(one), money(other)]).toEqual([
      ["held", "MONEY_HELD"],
      ["none", null],
    ]);
    const listed = await historyOf(one.buyer);
    expect(listed.ok && listed.transactions.map(({ standing }) => standing.money)).toEqual(["none", "held"]);
  });

  test("is shown only to the trade's two parties, and not for rooms without one", async () => {
    const planted = await plantTrade();
    const stranger = await plantUser();
    const bare = await plantRoom(planted.seller.userId, stranger.userId);
    expect([...(await readRoomProgress(planted.seller, [planted.roomId, bare])).keys()]).toEqual([
      planted.roomId,
    ]);
    expect((await readRoomProgress(stranger, [planted.roomId, bare])).size).toBe(0);
    expect((await readRoomProgress(planted.seller, [])).size).toBe(0);
  });

  test("takes as many queries for twenty rooms as for one", async () => {
    const planted = await Promise.all(Array.from({ length: 20 }, () => plantTrade("initiated")));
    const seller = await plantUser();
    await db().execute(sql`UPDATE escrow.trades SET seller_id = ${seller.userId} WHERE status = 'initiated'`);
    const rooms = planted.map(({ roomId }) => roomId);
    const one = await queriesOf(() => readRoomProgress(seller, rooms.slice(0, 1)));
    expect(await queriesOf(() => readRoomProgress(seller, rooms))).toBe(one);
    expect(one).toBeGreaterThan(0);
    expect(one).toBeLessThanOrEqual(6);
  });
});

test("a room is found by the beginning of its transaction code, and only by its two members", async () => {
  const { seller, buyer, code, roomId } = await plantTrade();
  expect(await findRoomsByCode(seller, code.slice(0, 7).toLowerCase())).toEqual([roomId]);
  expect(await findRoomsByCode(buyer, ` ${code} `)).toEqual([roomId]);
  expect(await findRoomsByCode(await plantUser(), code)).toEqual([]);
  for (const begun of ["", "MM", "MM%", "' OR 1=1", `${code}\0`, `\0${code}`])
    expect(await findRoomsByCode(seller, begun)).toEqual([]);
});
