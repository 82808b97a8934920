import { describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { db, transaction } from "#db/client";
import { lockRoom } from "#modules/rooms";
import { useDatabase } from "../../../tests/support/database.ts";
import {
  audited,
  invoiced,
  mails,
  must,
  notices,
  requested,
  seated,
  useMarket,
} from "../../../tests/support/market.ts";
import { plantUser } from "../../../tests/support/trade.ts";
import { roomGuards } from "./guards.ts";
import { issueInvoice } from "./issue-invoice.ts";
import { tradeNow } from "./trade.fixture.ts";
import { amendTrade } from "./trades.amend.ts";
import { createTrade } from "./trades.create.ts";
import { withdrawRequest } from "./trades.withdraw.ts";

useDatabase();
useMarket();

describe("asking for a payment", () => {
  test("begins the room's one trade with its sums frozen", async () => {
    const { roomId, seller, buyer } = await seated();
    const made = await must(
      createTrade(seller, {
        chatRoomId: roomId,
        amount: 60_001,
        feePayer: "split",
        description: "A game account",
      }),
    );
    expect(made.trade).toMatchObject({
      status: "initiated",
      buyerId: buyer.userId,
      sellerId: seller.userId,
      amount: 60_001,
      fee: 8_000,
      gross: 64_001,
      net: 56_001,
      feePayer: "split",
      feePolicy: "standard",
      description: "A game account",
    });
    expect(made.trade.code).toMatch(/^MM-[0-9A-HJKMNP-TV-Z]{8}$/);
    expect(await tradeNow(made.trade)).toEqual(made.trade);
    expect(await notices({ roomId })).toEqual(["paymentRequested"]);
    expect(await mails(buyer)).toEqual(["paymentRequested"]);
    expect(await audited(made.trade)).toEqual(["transaction.created"]);
  });

  test("repeated answers with the trade it made; anything else in the room is refused", async () => {
    const { roomId, seller } = await seated();
    const input = { chatRoomId: roomId, amount: 20_000, feePayer: "buyer" } as const;
    const all = await Promise.all(Array.from({ length: 8 }, () => must(createTrade(seller, input))));
    expect(new Set(all.map(({ trade }) => trade.id)).size).toBe(1);
    expect(all.filter(({ changed }) => changed)).toHaveLength(1);
    expect(await createTrade(seller, { ...input, amount: 21_000 })).toEqual({
      ok: false,
      code: "TRADE_EXISTS",
      current: "initiated",
    });
    expect(await notices({ roomId })).toEqual(["paymentRequested"]);
  });

  test("is refused to a third person, the buyer, a wrong fee and a lonely seller", async () => {
    const { roomId, seller, buyer } = await seated();
    const input = { chatRoomId: roomId, amount: 100_000, feePayer: "buyer" } as const;
    expect(await createTrade(await plantUser(), input)).toEqual({ ok: false, code: "CHAT_ROOM_NOT_FOUND" });
    expect(await createTrade(seller, { ...input, chatRoomId: 999_999 })).toEqual({
      ok: false,
      code: "CHAT_ROOM_NOT_FOUND",
    });
    expect(await createTrade(buyer, input)).toMatchObject({ code: "SELLERS_CREATE" });
    expect(await createTrade(seller, { ...input, sellerId: buyer.userId })).toMatchObject({
      code: "SELLER_MISMATCH",
    });
    expect(await createTrade(seller, { ...input, serviceFee: 7_000 })).toEqual({
      ok: false,
      code: "FEE_MISMATCH",
      params: { fee: 10_000 },
    });
    expect(await createTrade(seller, { ...input, amount: 5_000, feePayer: "seller" })).toEqual({
      ok: false,
      code: "NET_TOO_SMALL",
    });
    await db().execute(
      sql`DELETE FROM rooms.members WHERE room_id = ${roomId} AND user_id = ${buyer.userId}`,
    );
    expect(await createTrade(seller, input)).toEqual({ ok: false, code: "SEATS_EMPTY" });
    expect(await notices({ roomId })).toEqual([]);
  });
});

describe("a wrong request", () => {
  test("is amended by the seller while nothing is paid, and a new QR is for the new sum", async () => {
    const deal = await invoiced();
    const amended = await must(amendTrade(deal.seller, deal.id, { amount: 40_000, feePayer: "seller" }));
    expect(amended.trade).toMatchObject({ status: "initiated", gross: 40_000, net: 35_000, invoiceId: null });
    const { invoice } = await must(issueInvoice(deal.buyer, deal.id));
    expect(invoice.amount).toBe(40_000);
    expect(await must(amendTrade(deal.seller, deal.id, { amount: 40_000 }))).toMatchObject({
      changed: false,
    });
    expect(await amendTrade(deal.buyer, deal.id, { amount: 50_000 })).toMatchObject({ code: "SELLER_ONLY" });
  });

  test("is withdrawn by the seller; the room ends with it", async () => {
    const deal = await invoiced();
    const all = await Promise.all([1, 2, 3, 4].map(() => must(withdrawRequest(deal.seller, deal.id))));
    expect(all.filter(({ changed }) => changed)).toHaveLength(1);
    expect(await tradeNow(deal)).toMatchObject({
      status: "cancelled",
      endReason: "withdrawn",
      deadlines: {},
    });
    expect((await notices(deal)).filter((code) => code === "paymentWithdrawn")).toHaveLength(1);
    expect(await transaction((tx) => lockRoom(tx, deal.roomId))).toMatchObject({ active: false });
    expect(await issueInvoice(deal.buyer, deal.id)).toMatchObject({
      code: "TRADE_OVERTAKEN",
      current: "cancelled",
    });
  });
});

describe("what the trade says about its room", () => {
  test("roles swap with the trade's parties until the first invoice, then never", async () => {
    const deal = await requested();
    const ask = () => transaction((tx) => roomGuards.mayChangeRoles(tx, deal.roomId));
    expect(await ask()).toEqual({ ok: true });
    const swapped = { roomId: deal.roomId, buyerId: deal.seller.userId, sellerId: deal.buyer.userId };
    await transaction((tx) => roomGuards.rolesChanged(tx, swapped));
    expect(await tradeNow(deal)).toMatchObject({ buyerId: deal.seller.userId, sellerId: deal.buyer.userId });
    await must(issueInvoice(deal.buyer, deal.id));
    expect(await ask()).toEqual({ ok: false, code: "ROLES_LOCKED", current: "payment_initiated" });
    const back = { roomId: deal.roomId, buyerId: deal.buyer.userId, sellerId: deal.seller.userId };
    await expect(transaction((tx) => roomGuards.rolesChanged(tx, back))).rejects.toThrow();
  });

  test("a room is kept while its trade goes on, and never erased", async () => {
    const { roomId } = await seated();
    expect(await transaction((tx) => roomGuards.mayErase(tx, roomId))).toBe(true);
    const deal = await requested();
    expect(await transaction((tx) => roomGuards.mayDelete(tx, deal.roomId))).toMatchObject({
      code: "TRADE_UNDER_WAY",
    });
    expect(await transaction((tx) => roomGuards.mayLeave(tx, deal.roomId, deal.buyer.userId))).toEqual({
      ok: true,
    });
    await must(withdrawRequest(deal.seller, deal.id));
    expect(await transaction((tx) => roomGuards.mayDelete(tx, deal.roomId))).toEqual({ ok: true });
    expect(await transaction((tx) => roomGuards.mayErase(tx, deal.roomId))).toBe(false);
    expect(await roomGuards.maskContacts(db(), deal.roomId)).toBe(true);
  });
});
