import { describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { db, runInTransaction } from "#db/client";
import { liveInvoice, reserveInvoice } from "#modules/payments";
import { lockRoom } from "#modules/rooms";
import { ownerDatabase, useDatabase } from "../../../../tests/support/database/test-database.ts";
import { plantTrade, plantUser } from "../../../../tests/support/trades/planted-trades.ts";
import { hearFrames } from "../../../../tests/support/trades/room-frames.ts";
import {
  createInvoicedTrade,
  createPaidTrade,
  createRequestedTrade,
  createTradeRoom,
  expectAccepted,
  readAuditActions,
  readMailTemplates,
  readNoticeCodes,
  runAtTime,
  useSandboxProvider,
} from "../../../../tests/support/trades/sandbox-trades.ts";
import { adminCancel } from "../backoffice/transactions/administrator-commands.ts";
import { recordChange } from "../core/carry-out-effects.ts";
import { lockTrade } from "../core/load-trade.ts";
import { tradeNow } from "../core/trade.fixture.ts";
import { issueInvoice } from "../payment/issue-invoice.ts";
import { amendTrade } from "./amend-trade.ts";
import { createTrade } from "./create-trade.ts";
import { roomGuards } from "./room-guards.ts";
import { readTrade } from "./view/trade-view.ts";
import { withdrawRequest } from "./withdraw-request.ts";

useDatabase();
useSandboxProvider();

describe("requesting a payment", () => {
  test("starts the room's one trade with its amounts fixed", async () => {
    const { roomId, seller, buyer } = await createTradeRoom();
    const made = await expectAccepted(
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
    expect(await readNoticeCodes({ roomId })).toEqual(["paymentRequested"]);
    expect(await readMailTemplates(buyer)).toEqual(["paymentRequested"]);
    expect(await readAuditActions(made.trade)).toEqual(["transaction.created"]);
  });

  test("again returns the same trade; any other request in the room is refused", async () => {
    const { roomId, seller } = await createTradeRoom();
    const input = { chatRoomId: roomId, amount: 20_000, feePayer: "buyer" } as const;
    const all = await Promise.all(
      Array.from({ length: 8 }, () => expectAccepted(createTrade(seller, input))),
    );
    expect(new Set(all.map(({ trade }) => trade.id)).size).toBe(1);
    expect(all.filter(({ changed }) => changed)).toHaveLength(1);
    expect(await createTrade(seller, { ...input, amount: 21_000 })).toEqual({
      ok: false,
      code: "TRADE_EXISTS",
      current: "initiated",
    });
    expect(await readNoticeCodes({ roomId })).toEqual(["paymentRequested"]);
  });

  test("with a description that imitates Midman is refused, also when amended; mentioning a payment is allowed", async () => {
    const { roomId, seller } = await createTradeRoom();
    const input = { chatRoomId: roomId, amount: 20_000, feePayer: "buyer" } as const;
    const refusal = {
      ...{ ok: false, code: "VALIDATION" },
      fields: { description: ["validation.descriptionReserved"] },
    };
    const description = "Midman: төлбөр баталгаажсан";
    expect(await createTrade(seller, { ...input, description })).toEqual(refusal as never);
    const { trade } = await expectAccepted(
      createTrade(seller, { ...input, description: "Төлбөр: нэг удаа" }),
    );
    expect(await amendTrade(seller, trade.id, { description })).toEqual(refusal as never);
    const amended = await expectAccepted(amendTrade(seller, trade.id, { description: "One payment" }));
    expect(amended.trade.description).toBe("One payment");
  });

  test("keeps its item from the first QR code on: late money is for what the buyer saw", async () => {
    const { roomId, seller } = await createTradeRoom();
    const { trade } = await expectAccepted(
      createTrade(seller, { chatRoomId: roomId, amount: 20_000, feePayer: "buyer", description: "A horse" }),
    );
    expect((await expectAccepted(readTrade(seller, trade.id))).trade.can.amendGoods).toBe(true);
    await expectAccepted(amendTrade(seller, trade.id, { description: "A grey horse" }));
    await expectAccepted(issueInvoice(seller, trade.id));
    const fixed = { code: "GOODS_FIXED" };
    for (const change of [
      { description: "A pony" },
      { goods: "key" },
      { description: null, amount: 1_000 },
    ] as const)
      expect(await amendTrade(seller, trade.id, change)).toMatchObject(fixed);
    const amended = await expectAccepted(amendTrade(seller, trade.id, { amount: 30_000 }));
    expect(amended.trade).toMatchObject({ status: "initiated", description: "A grey horse" });
    // The first QR code's invoice may still be paid.
    expect(await amendTrade(seller, trade.id, { description: "A pony" })).toMatchObject(fixed);
    const { can } = (await expectAccepted(readTrade(seller, trade.id))).trade;
    expect(can).toMatchObject({ amend: true, amendGoods: false });
  });

  test("is refused to a third person, to the buyer, for a wrong fee and for a seller alone in the room", async () => {
    const { roomId, seller, buyer } = await createTradeRoom();
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
    await ownerDatabase().execute(
      sql`DELETE FROM rooms.members WHERE room_id = ${roomId} AND user_id = ${buyer.userId}`,
    );
    expect(await createTrade(seller, input)).toEqual({ ok: false, code: "SEATS_EMPTY" });
    expect(await readNoticeCodes({ roomId })).toEqual([]);
    const left = await createTradeRoom();
    await db().execute(sql`
      UPDATE identity.users SET deleted_at = now(), username_key = NULL, email = NULL, password_hash = NULL
      WHERE id = ${left.buyer.userId}`);
    const asked = { ...input, chatRoomId: left.roomId };
    expect(await createTrade(left.seller, asked)).toEqual({ ok: false, code: "SEATS_EMPTY" });
  });
});

describe("a second request in the room", () => {
  const input = { amount: 100_000, feePayer: "buyer" } as const;
  const outcomes = {
    initiated: { ok: true, changed: false },
    payment_initiated: { ok: true, changed: false },
    payment_pending: { ok: true, changed: false },
    payment_processing: { ok: true, changed: false },
    payment_failed: { ok: true, changed: false },
    payment_confirmed: { ok: false, code: "TRADE_EXISTS", current: "payment_confirmed" },
    exchange_completed: { ok: false, code: "TRADE_EXISTS", current: "exchange_completed" },
    disputed: { ok: false, code: "TRADE_EXISTS", current: "disputed" },
    settlement_pending: { ok: false, code: "TRADE_COMPLETED", current: "settlement_pending" },
    completed: { ok: false, code: "TRADE_COMPLETED", current: "completed" },
    cancelled: { ok: false, code: "TRADE_EXISTS", current: "cancelled" },
  };
  test.each(Object.entries(outcomes))("when the first one is %s", async (status, outcome) => {
    const { seller, roomId, id } = await plantTrade(status);
    const answer = await createTrade(seller, { chatRoomId: roomId, ...input });
    const stands = answer.ok ? { ...answer, trade: answer.trade.id } : answer;
    expect(stands).toEqual((outcome.ok ? { ...outcome, trade: id } : outcome) as typeof stands);
  });

  test("differs by its amount, by who pays the fee or by its goods", async () => {
    const { seller, roomId } = await plantTrade("initiated");
    for (const other of [{ amount: 100_001 }, { feePayer: "split" }, { description: "a horse" }] as const) {
      const answer = await createTrade(seller, { chatRoomId: roomId, ...input, ...other });
      expect(answer).toEqual({ ok: false, code: "TRADE_EXISTS", current: "initiated" });
    }
  });
});

test("the right seller's request with the right fee is accepted; an ended room accepts none", async () => {
  const { roomId, seller } = await createTradeRoom();
  const input = { chatRoomId: roomId, amount: 100_000, feePayer: "buyer" } as const;
  await db().execute(sql`UPDATE rooms.rooms SET ended_at = now() WHERE id = ${roomId}`);
  expect(await createTrade(seller, input)).toEqual({ ok: false, code: "CHAT_ROOM_NOT_FOUND" });
  const other = await createTradeRoom();
  const said = { ...input, chatRoomId: other.roomId, serviceFee: 10_000, sellerId: other.seller.userId };
  expect(await createTrade(other.seller, said)).toMatchObject({ ok: true, changed: true });
});

test("a visitor cannot request anything, and someone too fast is told to wait", async () => {
  const { roomId, seller } = await createTradeRoom();
  const input = { chatRoomId: roomId, amount: 100_000, feePayer: "buyer" } as const;
  const visitor = { kind: "visitor", ip: "", device: "", language: "en", requestId: "" } as const;
  expect(await createTrade(visitor, input)).toEqual({ ok: false, code: "AUTH_REQUIRED" });
  const at = new Date();
  const answers = await runAtTime(at, () =>
    Promise.all(Array.from({ length: 62 }, () => createTrade(seller, input))),
  );
  expect(answers.filter((answer) => !answer.ok)).toEqual(
    Array.from({ length: 2 }, () => ({ ok: false, code: "THROTTLED", retryAfterSeconds: 1 })),
  );
});

describe("a mistaken request", () => {
  test("is amended by the seller while nothing is paid, and a new QR code is for the new amount", async () => {
    const deal = await createInvoicedTrade();
    const amended = await expectAccepted(
      amendTrade(deal.seller, deal.id, { amount: 40_000, feePayer: "seller" }),
    );
    expect(amended.trade).toMatchObject({ status: "initiated", gross: 40_000, net: 35_000, invoiceId: null });
    const { invoice } = await expectAccepted(issueInvoice(deal.buyer, deal.id));
    expect(invoice.amount).toBe(40_000);
    expect(await expectAccepted(amendTrade(deal.seller, deal.id, { amount: 40_000 }))).toMatchObject({
      changed: false,
    });
    expect(await amendTrade(deal.buyer, deal.id, { amount: 50_000 })).toMatchObject({ code: "SELLER_ONLY" });
  });

  test("that nobody may amend or withdraw, or that does not change, keeps its QR code", async () => {
    const deal = await createInvoicedTrade();
    const shown = await liveInvoice(db(), deal.id);
    expect(await amendTrade(deal.buyer, deal.id, { amount: 50_000 })).toMatchObject({ code: "SELLER_ONLY" });
    expect(await withdrawRequest(deal.buyer, deal.id)).toMatchObject({ code: "SELLER_ONLY" });
    expect(await amendTrade(deal.seller, deal.id, { amount: 100_000 })).toMatchObject({ changed: false });
    expect(await amendTrade(deal.seller, deal.id, {})).toMatchObject({ changed: false });
    expect(await liveInvoice(db(), deal.id)).toEqual(shown);
  });

  test("is not amended if an invoice came meanwhile; if it already has the change nothing happens", async () => {
    for (const [meanwhile, outcome] of [
      [100_000, { ok: false, code: "INVOICING_BUSY", current: "initiated" }],
      [40_000, { ok: true, changed: false }],
    ] as const) {
      const deal = await createRequestedTrade();
      const { promise: going, resolve: go } = Promise.withResolvers<void>();
      const { promise: held, resolve: holds } = Promise.withResolvers<void>();
      const holding = runInTransaction(async (tx) => {
        const trade = await lockTrade(tx, deal.id);
        holds();
        await going;
        const [fee, gross] = meanwhile === 40_000 ? [5_000, 45_000] : [10_000, 110_000];
        await tx.execute(sql`UPDATE escrow.trades SET amount = ${meanwhile}, net = ${meanwhile}, fee = ${fee}, gross = ${gross}
          WHERE id = ${deal.id}`);
        await reserveInvoice(tx, {
          reference: deal.id,
          amount: gross,
          description: "Midman",
          at: new Date(),
        });
        if (trade !== undefined)
          await recordChange(tx, trade, { at: new Date(), by: { userId: null } }, "amend", {});
      });
      await held;
      const amending = amendTrade(deal.seller, deal.id, { amount: 40_000 });
      for (let waits = 0; waits === 0; await Bun.sleep(10)) {
        const [row] = await db().execute<{ n: number }>(sql`SELECT count(*)::int AS n FROM pg_stat_activity
          WHERE datname = current_database() AND wait_event_type = 'Lock'`);
        waits = row?.n ?? 0;
      }
      go();
      await holding;
      const answer = await amending;
      expect(answer).toMatchObject(outcome);
      expect((await tradeNow(deal)).amount).toBe(meanwhile);
    }
  });

  test("is withdrawn by the seller, which ends the room", async () => {
    const deal = await createInvoicedTrade();
    const all = await Promise.all(
      [1, 2, 3, 4].map(() => expectAccepted(withdrawRequest(deal.seller, deal.id))),
    );
    expect(all.filter(({ changed }) => changed)).toHaveLength(1);
    expect(await tradeNow(deal)).toMatchObject({
      status: "cancelled",
      endReason: "withdrawn",
      deadlines: {},
    });
    expect((await readNoticeCodes(deal)).filter((code) => code === "paymentWithdrawn")).toHaveLength(1);
    expect(await runInTransaction((tx) => lockRoom(tx, deal.roomId))).toMatchObject({ active: false });
    expect(await issueInvoice(deal.buyer, deal.id)).toMatchObject({
      code: "TRADE_OVERTAKEN",
      current: "cancelled",
    });
  });
});

describe("a trade's rules for its room", () => {
  test("roles swap with the trade's parties until the first invoice, then never", async () => {
    const deal = await createRequestedTrade();
    const ask = () => runInTransaction((tx) => roomGuards.mayChangeRoles(tx, deal.roomId));
    expect(await ask()).toEqual({ ok: true });
    const swapped = { roomId: deal.roomId, buyerId: deal.seller.userId, sellerId: deal.buyer.userId };
    await runInTransaction((tx) => roomGuards.rolesChanged(tx, swapped));
    expect(await tradeNow(deal)).toMatchObject({ buyerId: deal.seller.userId, sellerId: deal.buyer.userId });
    await expectAccepted(issueInvoice(deal.buyer, deal.id));
    expect(await ask()).toEqual({ ok: false, code: "ROLES_LOCKED", current: "payment_initiated" });
    const back = { roomId: deal.roomId, buyerId: deal.buyer.userId, sellerId: deal.seller.userId };
    await expect(runInTransaction((tx) => roomGuards.rolesChanged(tx, back))).rejects.toThrow();
  });

  test("a swap is logged and announced in the room; an empty place or no trade has none", async () => {
    const deal = await createRequestedTrade();
    const frames: unknown[] = [];
    const deaf = hearFrames(deal.roomId, (frame) => frames.push(JSON.parse(frame)));
    const swapped = { roomId: deal.roomId, buyerId: deal.seller.userId, sellerId: deal.buyer.userId };
    const at = new Date("2030-01-01T00:00:00Z");
    const swap = (seats: Parameters<typeof roomGuards.rolesChanged>[1]) =>
      runAtTime(at, () => runInTransaction((tx) => roomGuards.rolesChanged(tx, seats)));
    const before = await tradeNow(deal);
    await swap({ ...swapped, buyerId: null });
    await swap({ ...swapped, sellerId: null });
    await swap({ ...swapped, roomId: (await createTradeRoom()).roomId });
    expect(await tradeNow(deal)).toEqual(before);
    await swap(swapped);
    deaf();
    const { buyerId, sellerId } = swapped;
    expect(await tradeNow(deal)).toEqual({ ...before, buyerId, sellerId, updatedAt: at });
    const [entry] = await db().execute(sql`SELECT user_id, room_id, data FROM audit.entries
      WHERE action = 'transaction.parties_swapped' AND subject_id = ${String(deal.id)}`);
    expect(entry).toEqual({
      user_id: null,
      room_id: String(deal.roomId),
      data: { buyerId, sellerId, digest: expect.any(String) },
    });
    expect(frames).toEqual([
      { type: "transaction_update", data: { transactionId: deal.id, status: "initiated" } },
    ]);
  });

  test("a room without a trade need not be kept; one whose trade has ended keeps its roles", async () => {
    const { roomId, buyer } = await createTradeRoom();
    const answers = (id: number) =>
      runInTransaction(async (tx) => ({
        mayDelete: await roomGuards.mayDelete(tx, id),
        mayLeave: await roomGuards.mayLeave(tx, id, buyer.userId),
        mayChangeRoles: await roomGuards.mayChangeRoles(tx, id),
        maskContacts: await roomGuards.maskContacts(tx, id),
      }));
    const free = { mayDelete: { ok: true }, mayLeave: { ok: true }, mayChangeRoles: { ok: true } } as const;
    expect(await answers(roomId)).toEqual({ ...free, maskContacts: "all" });
    const deal = await createRequestedTrade();
    await expectAccepted(withdrawRequest(deal.seller, deal.id));
    const textKey = "room.rolesEnded";
    const locked = { ok: false, code: "ROLES_LOCKED", current: "cancelled", textKey } as const;
    expect(await answers(deal.roomId)).toEqual({ ...free, mayChangeRoles: locked, maskContacts: "all" });
    const held = await createPaidTrade();
    const current = "payment_confirmed";
    expect(await answers(held.roomId)).toEqual({
      mayDelete: { ok: false, code: "TRADE_UNDER_WAY", current },
      mayLeave: { ok: false, code: "MONEY_HELD", current },
      mayChangeRoles: { ok: false, code: "ROLES_LOCKED", current },
      maskContacts: "none",
    });
    await expectAccepted(adminCancel(held.admin, held.id));
    expect(await answers(held.roomId)).toMatchObject({
      mayDelete: { ok: false, code: "MONEY_HELD", current: "cancelled" },
      maskContacts: "all",
    });
  });

  test("a room is kept while its trade is open, and never erased", async () => {
    const { roomId } = await createTradeRoom();
    expect(await runInTransaction((tx) => roomGuards.mayErase(tx, roomId))).toBe(true);
    const deal = await createRequestedTrade();
    expect(await runInTransaction((tx) => roomGuards.mayDelete(tx, deal.roomId))).toMatchObject({
      code: "TRADE_UNDER_WAY",
    });
    expect(await runInTransaction((tx) => roomGuards.mayLeave(tx, deal.roomId, deal.buyer.userId))).toEqual({
      ok: true,
    });
    await expectAccepted(withdrawRequest(deal.seller, deal.id));
    expect(await runInTransaction((tx) => roomGuards.mayDelete(tx, deal.roomId))).toEqual({ ok: true });
    expect(await runInTransaction((tx) => roomGuards.mayErase(tx, deal.roomId))).toBe(false);
    expect(await roomGuards.maskContacts(db(), deal.roomId)).toBe("all");
  });
});
