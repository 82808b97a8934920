import { describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { db, transaction } from "#db/client";
import { book, createDue } from "#modules/payments";
import { useDatabase } from "../../../tests/support/database.ts";
import { plantTrade, plantUser } from "../../../tests/support/trade.ts";
import { statusesOf } from "./desk.filter.ts";
import { adminTrades } from "./desk.list.ts";
import { saveBankInfo } from "./information.bank.ts";
import { statuses } from "./machine/types.ts";
import { adminTrade } from "./views.admin.ts";
import { historyOf } from "./views.history.ts";
import { trade, tradeOfRoom } from "./views.party.ts";
import { workQueue } from "./views.queue.ts";
import { adminStats } from "./views.stats.ts";
import { steps } from "./views.steps.ts";

useDatabase();

type Planted = Awaited<ReturnType<typeof plantTrade>>;

async function viewOf(planted: Planted, side: "seller" | "buyer") {
  const seen = await trade(planted[side], planted.id);
  if (!seen.ok) throw new Error(seen.code);
  return seen.trade;
}

async function allowedTo(planted: Planted, side: "seller" | "buyer"): Promise<string[]> {
  const { can } = await viewOf(planted, side);
  return Object.entries(can)
    .filter(([, may]) => may)
    .map(([what]) => what)
    .sort();
}

describe("a trade for its parties", () => {
  test("has the specification's fields, the sums and the server's time", async () => {
    const planted = await plantTrade("initiated");
    expect(await viewOf(planted, "buyer")).toMatchObject({
      id: planted.id,
      transactionCode: planted.code,
      chatRoomId: planted.roomId,
      buyerId: planted.buyer.userId,
      sellerId: planted.seller.userId,
      amount: 100_000,
      serviceFee: 10_000,
      feePayer: "buyer",
      grossAmount: 110_000,
      netAmount: 100_000,
      status: "initiated",
      paymentMethod: "qpay",
      invoiceId: null,
      qrImageUrl: null,
      buyerConfirmedComplete: false,
      sellerConfirmedComplete: false,
      buyerConfirmedCancel: false,
      sellerConfirmedCancel: false,
      role: "buyer",
      paidAmount: 0,
      remainingAmount: 110_000,
      turn: "buyer_pay",
      hidden: false,
      buyer: { id: planted.buyer.userId, displayName: "Bat Erdene" },
    });
    expect(Date.parse((await viewOf(planted, "seller")).serverTime)).toBeGreaterThan(Date.now() - 10_000);
  });

  test("offers each side exactly what the machine would take from it", async () => {
    expect(await allowedTo(await plantTrade("initiated"), "seller")).toEqual([
      "amend",
      "invoice",
      "withdraw",
    ]);
    expect(await allowedTo(await plantTrade("initiated"), "buyer")).toEqual(["invoice"]);
    const paid = await plantTrade("payment_confirmed");
    expect(await allowedTo(paid, "seller")).toEqual(
      [
        "bankInfo",
        "confirmInfo",
        "handOver",
        "openDispute",
        "requestCancellation",
        "seal",
        "shareInfo",
      ].sort(),
    );
    expect(await allowedTo(paid, "buyer")).toEqual(
      ["bankInfo", "confirm", "confirmInfo", "openDispute", "requestCancellation", "shareInfo"].sort(),
    );
    expect(await allowedTo(await plantTrade("cancelled"), "seller")).toEqual([]);
  });

  test("the seller may not confirm without an account, and the turn says so", async () => {
    const planted = await plantTrade("exchange_completed");
    expect(await allowedTo(planted, "seller")).not.toContain("confirm");
    expect((await viewOf(planted, "buyer")).turn).toBe("seller_destination");
    await saveBankInfo(planted.seller, planted.id, {
      infoType: "seller",
      accountName: "Bat Erdene",
      bankName: "Khan Bank",
      accountNumber: "5012345678",
      ibanNumber: undefined,
      phoneNumber: "99112233",
      email: "bat@example.mn",
    });
    expect(await allowedTo(planted, "seller")).toContain("confirm");
    expect((await viewOf(planted, "buyer")).turn).toBe("seller_confirm");
  });

  test("a request to cancel is the other side's to answer and one's own to withdraw", async () => {
    const planted = await plantTrade("payment_confirmed");
    await db().execute(sql`UPDATE escrow.trades SET buyer_cancel_at = now() WHERE id = ${planted.id}`);
    expect((await viewOf(planted, "seller")).turn).toBe("seller_answer_cancel");
    expect(await allowedTo(planted, "seller")).toContain("agreeCancellation");
    expect(await allowedTo(planted, "buyer")).toContain("withdrawCancellation");
    expect(await allowedTo(planted, "buyer")).not.toContain("agreeCancellation");
  });

  test("every status can be shown to both sides", async () => {
    for (const status of statuses) {
      const planted = await plantTrade(status);
      expect((await viewOf(planted, "buyer")).status).toBe(status);
      expect((await viewOf(planted, "seller")).role).toBe("seller");
    }
  });

  test("is nothing to a third person, an administrator and a visitor", async () => {
    const planted = await plantTrade();
    for (const outsider of [await plantUser(), await plantUser({ isAdmin: true })]) {
      expect(await trade(outsider, planted.id)).toEqual({ ok: false, code: "TRANSACTION_NOT_FOUND" });
      expect(await trade(outsider, 999_999)).toEqual({ ok: false, code: "TRANSACTION_NOT_FOUND" });
      expect(await steps(outsider, planted.id)).toEqual({ ok: false, code: "TRANSACTION_NOT_FOUND" });
      expect(await tradeOfRoom(outsider, planted.roomId)).toEqual({ ok: false, code: "CHAT_ROOM_NOT_FOUND" });
      expect(await tradeOfRoom(outsider, 999_999)).toEqual({ ok: false, code: "CHAT_ROOM_NOT_FOUND" });
    }
    const visitor = { kind: "visitor", ip: "", device: "", language: "en", requestId: "" } as const;
    expect(await trade(visitor, planted.id)).toEqual({ ok: false, code: "AUTH_REQUIRED" });
    expect(await historyOf(visitor)).toEqual({ ok: false, code: "AUTH_REQUIRED" });
  });

  test("five steps in their order, those not reached without a time", async () => {
    const planted = await plantTrade();
    await db().execute(
      sql`INSERT INTO escrow.steps (trade_id, step, completed_at) VALUES (${planted.id}, 'initiated', now())`,
    );
    const read = await steps(planted.buyer, planted.id);
    expect(read.ok && read.steps.map(({ step }) => step)).toEqual([
      "initiated",
      "payment_initiated",
      "payment_processing",
      "exchange_info",
      "completed",
    ]);
    expect(read.ok && read.steps.filter(({ completedAt }) => completedAt !== null)).toHaveLength(1);
  });
});

describe("lists", () => {
  test("one's own trades on either side, newest first, in pages, without hidden ones", async () => {
    const mine = await plantTrade();
    const person = mine.seller;
    const bought = await plantTrade("initiated");
    await db().execute(sql`UPDATE escrow.trades SET buyer_id = ${person.userId} WHERE id = ${bought.id}`);
    await plantTrade();
    const all = await historyOf(person);
    if (!all.ok) throw new Error(all.code);
    const ids = all.transactions.map((row) => row.id);
    expect(ids).toEqual([bought.id, mine.id]);
    expect(all.transactions.map((row) => row.role)).toEqual(["buyer", "seller"]);
    await db().execute(sql`UPDATE escrow.trades SET hidden_at = now() WHERE id = ${mine.id}`);
    const after = await historyOf(person);
    expect(after.ok && after.transactions.map((row) => row.id)).toEqual([bought.id]);
    expect((await trade(person, mine.id)).ok).toBe(true);
  });

  test("the history pages by the id last seen", async () => {
    const { buyer } = await plantTrade("initiated");
    const made: number[] = [];
    for (let i = 0; i < 5; i++) {
      const { id } = await plantTrade("initiated");
      await db().execute(sql`UPDATE escrow.trades SET buyer_id = ${buyer.userId} WHERE id = ${id}`);
      made.push(id);
    }
    const first = await historyOf(buyer, { limit: 2 });
    expect(first.ok && first.transactions.map((row) => row.id)).toEqual([made[4] ?? 0, made[3] ?? 0]);
    const second = await historyOf(buyer, { limit: 2, before: made[3] });
    expect(second.ok && second.transactions.map((row) => row.id)).toEqual([made[2] ?? 0, made[1] ?? 0]);
  });

  test("the two filter words stand for statuses; an unknown word for none", () => {
    expect(statusesOf("pending")).toEqual(["initiated", "payment_initiated", "payment_pending"]);
    expect(statusesOf("confirmed_complete")).toEqual(["settlement_pending"]);
    expect(statusesOf("COMPLETED")).toEqual(["completed"]);
    expect(statusesOf("nonsense")).toEqual([]);
  });
});

describe("administrators", () => {
  test("nobody else reads their views", async () => {
    const user = await plantUser();
    const refused = { ok: false, code: "ADMIN_REQUIRED" } as const;
    expect(await adminTrades(user)).toEqual(refused);
    expect(await adminTrade(user, 1)).toEqual(refused);
    expect(await adminStats(user)).toEqual(refused);
    expect(await workQueue(user)).toEqual(refused);
  });

  test("search by code or description, whatever the case, with signs taken as they are", async () => {
    const admin = await plantUser({ isAdmin: true });
    const planted = await plantTrade("completed");
    await db().execute(
      sql`UPDATE escrow.trades SET description = '100% Mythic sword_x' WHERE id = ${planted.id}`,
    );
    const find = async (search: string, status?: string) => {
      const found = await adminTrades(admin, { limit: 10, search, status });
      return found.ok ? found.transactions.map((row) => row.id) : [];
    };
    expect(await find(planted.code.toLowerCase())).toEqual([planted.id]);
    expect(await find("mythic SWORD")).toEqual([planted.id]);
    expect(await find("0% mythic sword_")).toEqual([planted.id]);
    expect(await find("mythic_sword")).toEqual([]);
    expect(await find("mythic", "completed")).toEqual([planted.id]);
    expect(await find("mythic", "cancelled")).toEqual([]);
  });

  test("the detail holds both people, the money and the exchange; the queue names what waits", async () => {
    const admin = await plantUser({ isAdmin: true });
    const planted = await plantTrade("settlement_pending");
    const at = new Date();
    await transaction(async (tx) => {
      const row = {
        providerPaymentId: crypto.randomUUID(),
        invoiceId: crypto.randomUUID(),
        amount: 110_000,
        paidAt: at,
      };
      await book(tx, { reference: planted.id, rows: [row], owed: 110_000, at });
      await createDue(tx, {
        reference: planted.id,
        kind: "payout",
        amount: 100_000,
        fee: 10_000,
        recipientId: planted.seller.userId,
        dueAt: at,
        at,
        by: { userId: null },
      });
    });
    const seen = await adminTrade(admin, planted.id);
    expect(seen).toMatchObject({
      ok: true,
      detail: {
        transaction: { id: planted.id, status: "settlement_pending" },
        buyer: { id: planted.buyer.userId, email: planted.buyer.email },
        seller: { id: planted.seller.userId },
        heldAmount: 110_000,
        receivedAmount: 110_000,
        ownTrade: false,
        payouts: [{ kind: "payout", amount: 100_000, fee: 10_000, state: "due" }],
        infoExchange: { sellerInfo: null, sellerConfirmed: false },
      },
    });
    const waiting = await workQueue(admin);
    expect(
      waiting.ok && waiting.queue.payouts.find((task) => task.transactionId === planted.id),
    ).toMatchObject({
      kind: "payout",
      transactionCode: planted.code,
      recipient: { id: planted.seller.userId, displayName: "Bat Erdene" },
    });
    const stats = await adminStats(admin);
    expect(stats.ok && stats.stats.totalTransactions).toBeGreaterThan(0);
    expect(stats.ok && stats.stats.totalVolume % 100_000).toBe(0);
    expect(stats.ok && stats.stats.totalUsers).toBeGreaterThan(0);
    for (const id of [999_999, Number.NaN, 1.5, -1, 1e300]) {
      expect(await adminTrade(admin, id)).toEqual({ ok: false, code: "TRANSACTION_NOT_FOUND" });
      expect(await trade(planted.buyer, id)).toEqual({ ok: false, code: "TRANSACTION_NOT_FOUND" });
      expect(await tradeOfRoom(planted.buyer, id)).toEqual({ ok: false, code: "CHAT_ROOM_NOT_FOUND" });
    }
  });
});
