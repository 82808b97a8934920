import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { connectDatabase, disconnectDatabase } from "../../db/client.ts";
import { postAsShown } from "../support/backoffice/post-as-shown.ts";
import { expectStatus, makeRoomPair, signInAdministrator } from "../support/people/registered-people.ts";
import type { Client } from "../support/server/http-client.ts";
import { type Server, startServer } from "../support/server/midman-server.ts";
import {
  bankInfo,
  openPaidTrade,
  payAt,
  refundAccount,
  requestPayment,
  untilStatus,
} from "../support/trades/server-trades.ts";
import { findBookFaults, noticesOf, readTradeBalances } from "../support/trades/trade-books.ts";

/** The other ways a trade may end, over the API, with the books on the way. */

let server: Server;
let admin: Client;

beforeAll(async () => {
  server = await startServer();
  connectDatabase(server.databaseUrl);
  admin = await signInAdministrator(server);
}, 240_000);

afterAll(async () => {
  await disconnectDatabase();
  await server?.stop();
});

const refusal = ({ status, body }: { status: number; body: { code: string; current?: unknown } }) => [
  status,
  body.code,
  body.current,
];

describe("before any money", () => {
  test("the seller corrects the amount, and the new invoice is for the new amount", async () => {
    const deal = await requestPayment(server);
    const at = `/api/transactions/${deal.id}`;
    expect(refusal(await deal.buyer.patch(at, { amount: 40_000 }))).toEqual([
      403,
      "SELLER_ONLY",
      "payment_initiated",
    ]);
    const amended = expectStatus(
      await deal.seller.patch(at, { amount: 40_000, feePayer: "seller" }),
      200,
    ).body;
    expect(amended).toMatchObject({ success: true, amount: 40_000, serviceFee: 5_000, grossAmount: 40_000 });
    expect(amended.netAmount).toBe(35_000);
    expect(refusal(await deal.seller.post(`${at}/amend`, {}))).toEqual([422, "VALIDATION", undefined]);
    const fresh = expectStatus(await deal.buyer.post(`${at}/payment`), 200).body;
    expect(fresh.invoiceId).not.toBe(deal.invoiceId);
    expect(fresh.amount).toBe(40_000);
    expect(expectStatus(await deal.buyer.get(`/api/qpay/status/${deal.invoiceId}`), 200).body.status).toBe(
      "CANCELLED",
    );
    await payAt(deal.buyer, fresh.invoiceId);
    await untilStatus(deal, "payment_confirmed");
    expect(await readTradeBalances(deal.id)).toEqual({
      "provider:qpay": -40_000,
      [`escrow:${deal.id}`]: 40_000,
    });
  });

  test("the seller withdraws; money that arrives anyway waits for its refund and revives nothing", async () => {
    const deal = await requestPayment(server);
    const at = `/api/transactions/${deal.id}`;
    expect(expectStatus(await deal.seller.post(`${at}/withdraw`), 200).body.success).toBe(true);
    expectStatus(await deal.seller.post(`${at}/withdraw`), 200);
    expect(refusal(await deal.buyer.post(`${at}/payment`))).toEqual([409, "TRADE_OVERTAKEN", "cancelled"]);
    await payAt(deal.buyer, deal.invoiceId);
    for (let i = 0; i < 100 && Object.keys(await readTradeBalances(deal.id)).length === 0; i++)
      await Bun.sleep(100);
    const held = await readTradeBalances(deal.id);
    expect(held["provider:qpay"]).toBe(-110_000);
    expect(Object.keys(held).filter((account) => account.startsWith("suspense:"))).toHaveLength(1);
    expect(expectStatus(await deal.buyer.get(at), 200).body).toMatchObject({
      status: "cancelled",
      turn: "buyer_refund_account",
    });
  });

  test("a part payment waits for the rest, and an excess goes to suspense with a refund due", async () => {
    const deal = await requestPayment(server);
    const at = `/api/transactions/${deal.id}`;
    await payAt(deal.buyer, deal.invoiceId, { amount: 30_000 });
    await untilStatus(deal, "payment_processing");
    expect(expectStatus(await deal.seller.get(at), 200).body).toMatchObject({
      paidAmount: 30_000,
      remainingAmount: 80_000,
    });
    expect(refusal(await deal.seller.post(`${at}/withdraw`))).toEqual([
      409,
      "MONEY_BOOKED",
      "payment_processing",
    ]);
    const verified = expectStatus(await deal.buyer.post(`${at}/verify`), 200).body;
    expect(verified.success).toBe(false);
    expect(verified.message).toContain("80,000 ₮");
    const rest = expectStatus(await deal.buyer.post(`${at}/payment`), 200).body;
    expect(rest.amount).toBe(80_000);
    await payAt(deal.buyer, rest.invoiceId, { amount: 85_000 });
    await untilStatus(deal, "payment_confirmed");
    const now = await readTradeBalances(deal.id);
    expect(now[`escrow:${deal.id}`]).toBe(110_000);
    expect(Object.values(now).sort((a, b) => a - b)).toEqual([-115_000, 5_000, 110_000]);
    expect(expectStatus(await deal.buyer.get(at), 200).body.can).toMatchObject({ refundDestination: true });
  });
});

describe("after the payment", () => {
  test("both cancel: the first waits, the second ends it, the buyer enters an account, the refund is sent", async () => {
    const deal = await openPaidTrade(server);
    const at = `/api/transactions/${deal.id}`;
    const first = expectStatus(await deal.buyer.post(`${at}/cancel`), 200).body;
    expect(first.message).toContain("waiting for other party to confirm");
    expect(refusal(await deal.buyer.post(`${at}/complete`))).toEqual([
      409,
      "CANCELLATION_PENDING",
      "payment_confirmed",
    ]);
    expectStatus(await deal.buyer.post(`${at}/withdraw-cancel`), 200);
    expect(expectStatus(await deal.buyer.get(at), 200).body.buyerConfirmedCancel).toBe(false);
    expectStatus(await deal.seller.post(`${at}/cancel`), 200);
    // Goods that are handed over now would be the buyer's for nothing once they agree.
    for (const [call, body] of [
      ["hand-over", {}],
      ["vault", { login: "x" }],
    ] as const) {
      const refused = refusal(await deal.seller.post(`${at}/${call}`, body));
      expect(refused).toEqual([409, "CANCELLATION_PENDING", "payment_confirmed"]);
    }
    const second = expectStatus(await deal.buyer.post(`${at}/cancel`), 200).body;
    expect(second.message.toLowerCase()).toContain("both");
    expect(expectStatus(await deal.buyer.get(at), 200).body).toMatchObject({
      status: "cancelled",
      turn: "buyer_refund_account",
    });
    const settle = `/api/admin/transactions/${deal.id}/settle`;
    expect((await postAsShown(admin, settle, { bankReference: `R-${deal.id}` })).body.code).toBe(
      "DESTINATION_REQUIRED",
    );
    expect((await deal.seller.post(`${at}/refund-destination`, refundAccount)).status).toBe(403);
    expectStatus(await deal.buyer.post(`${at}/refund-destination`, refundAccount), 200);
    expectStatus(await postAsShown(admin, settle, { bankReference: `R-${deal.id}` }), 200);
    expect(await readTradeBalances(deal.id)).toEqual({ "provider:qpay": -110_000, bank: 110_000 });
    expect(
      (await deal.buyer.post(`${at}/refund-destination`, { ...refundAccount, bankName: "Khan" })).status,
    ).toBe(409);
    expect(expectStatus(await deal.buyer.get(at), 200).body.turn).toBe("none");
  });

  test("a dispute holds the money; an administrator's split pays both", async () => {
    const deal = await openPaidTrade(server);
    const at = `/api/transactions/${deal.id}`;
    expectStatus(await deal.seller.post(`${at}/bank-info`, bankInfo), 200);
    expect((await deal.buyer.post(`${at}/dispute`, { reason: " " })).body.fields.reason).toEqual([
      "Please tell us what happened",
    ]);
    expectStatus(await deal.buyer.post(`${at}/dispute`, { reason: "The level is wrong" }), 200);
    expectStatus(
      await deal.seller.post(`${at}/dispute/statement`, { reason: "It was right when I gave it" }),
      200,
    );
    expect(refusal(await deal.seller.post(`${at}/dispute/withdraw`))).toEqual([
      403,
      "DISPUTE_NOT_YOURS",
      "disputed",
    ]);
    expect(refusal(await deal.seller.post(`${at}/complete`))).toEqual([409, "TRADE_OVERTAKEN", "disputed"]);
    const rule = `/api/admin/transactions/${deal.id}/rule`;
    const split = { ruling: "split", refundAmount: 40_000, sum: 40_000, reason: "Half of it was right" };
    expect((await postAsShown(deal.seller, rule, split)).status).toBe(403);
    expect((await postAsShown(admin, rule, { ...split, refundAmount: 100_000 })).status).toBe(422);
    expectStatus(await postAsShown(admin, rule, split), 200);
    expectStatus(await deal.buyer.post(`${at}/refund-destination`, refundAccount), 200);
    const { payouts } = expectStatus(await admin.get(`/api/admin/transactions/${deal.id}`), 200)
      .body as unknown as {
      payouts: Array<{ id: number; kind: string; amount: number }>;
    };
    expect(payouts.map(({ kind, amount }) => [kind, amount]).sort()).toEqual([
      ["payout", 60_000],
      ["refund", 40_000],
    ]);
    for (const { id, kind } of payouts) {
      expectStatus(await postAsShown(admin, `/api/admin/payouts/${id}/approve`), 200);
      expect((await postAsShown(admin, `/api/admin/payouts/${id}/send`, {})).status).toBe(422);
      expectStatus(
        await postAsShown(admin, `/api/admin/payouts/${id}/send`, { bankReference: `${kind}-${deal.id}` }),
        200,
      );
      expectStatus(
        await postAsShown(admin, `/api/admin/payouts/${id}/send`, { bankReference: `${kind}-${deal.id}` }),
        200,
      );
    }
    expect(await readTradeBalances(deal.id)).toEqual({
      "provider:qpay": -110_000,
      bank: 100_000,
      fees: 10_000,
    });
    expect(expectStatus(await deal.buyer.get(at), 200).body.status).toBe("completed");
  });

  test("the administrators' complete without a body pays the seller and asks for the missing reference", async () => {
    const deal = await openPaidTrade(server);
    const at = `/api/admin/transactions/${deal.id}`;
    expect(refusal(await admin.post(`${at}/complete`))).toEqual([
      409,
      "DESTINATION_MISSING",
      "payment_confirmed",
    ]);
    expect(refusal(await admin.delete(at))).toEqual([409, "TRADE_UNDER_WAY", "payment_confirmed"]);
    expectStatus(await deal.seller.post(`/api/transactions/${deal.id}/bank-info`, bankInfo), 200);
    expect(expectStatus(await admin.post(`${at}/complete`), 200).body).toMatchObject({
      success: true,
      message: "Transaction completed",
    });
    expectStatus(await admin.post(`${at}/complete`), 200);
    expect(await readTradeBalances(deal.id)).toEqual({
      "provider:qpay": -110_000,
      bank: 100_000,
      fees: 10_000,
    });
    expect(refusal(await admin.post(`${at}/cancel`))).toEqual([409, "MONEY_ALREADY_SENT", "completed"]);
    expectStatus(await postAsShown(admin, `${at}/settle`, { bankReference: `LATE-${deal.id}` }), 200);
    const { payouts } = expectStatus(await admin.get(at), 200).body as unknown as {
      payouts: Array<{ bankReference: string | null; referenceMissing: boolean }>;
    };
    expect(payouts[0]).toMatchObject({ bankReference: `LATE-${deal.id}`, referenceMissing: false });
  });

  test("the administrators' cancel refunds what is held", async () => {
    const deal = await openPaidTrade(server);
    const at = `/api/admin/transactions/${deal.id}`;
    expect(expectStatus(await admin.post(`${at}/cancel`), 200).body.message).toBe("Transaction cancelled");
    expectStatus(await admin.post(`${at}/cancel`), 200);
    expect(refusal(await admin.post(`${at}/complete`))).toEqual([409, "TRADE_OVERTAKEN", "cancelled"]);
    expect(await readTradeBalances(deal.id)).toEqual({
      "provider:qpay": -110_000,
      [`escrow:${deal.id}`]: 110_000,
    });
    expect((await noticesOf(deal.roomId)).filter((code) => code === "adminCancelled")).toHaveLength(1);
  });
});

describe("concurrent requests", () => {
  test("50 parallel callbacks, Verify and mark-paid: one credit, one notice, one step", async () => {
    const deal = await requestPayment(server);
    const at = `/api/transactions/${deal.id}`;
    const replies = await Promise.all([
      payAt(deal.buyer, deal.invoiceId, { callback: 50 }),
      ...Array.from({ length: 25 }, () => deal.buyer.post(`${at}/verify`)),
      ...Array.from({ length: 25 }, () => deal.buyer.post(`${at}/mark-paid`)),
    ]);
    // On a busy machine some are shed: 503.
    for (const reply of replies.slice(1)) expect([200, 429, 503]).toContain(reply.status as number);
    await untilStatus(deal, "payment_confirmed");
    expect(await readTradeBalances(deal.id)).toEqual({
      "provider:qpay": -110_000,
      [`escrow:${deal.id}`]: 110_000,
    });
    expect((await noticesOf(deal.roomId)).filter((code) => code === "paymentConfirmed")).toHaveLength(1);
  });

  test("50 parallel confirmations by each side and an administrator's cancel end in one state", async () => {
    const deal = await openPaidTrade(server);
    const at = `/api/transactions/${deal.id}`;
    expectStatus(await deal.seller.post(`${at}/bank-info`, bankInfo), 200);
    const replies = await Promise.all([
      ...Array.from({ length: 50 }, () => deal.buyer.post(`${at}/complete`)),
      ...Array.from({ length: 50 }, () => deal.seller.post(`${at}/complete`)),
      admin.post(`/api/admin/transactions/${deal.id}/cancel`),
    ]);
    for (const { status, body } of replies) {
      expect([200, 409, 503]).toContain(status);
      if (status === 409) expect(body.current).toBeString();
    }
    const { body } = expectStatus(await deal.buyer.get(at), 200);
    expect(["settlement_pending", "cancelled"]).toContain(body.status);
    const due = expectStatus(await admin.get(`/api/admin/transactions/${deal.id}`), 200).body as unknown as {
      payouts: Array<{ state: string }>;
    };
    expect(due.payouts.filter(({ state }) => state === "due")).toHaveLength(1);
    expect(await readTradeBalances(deal.id)).toEqual({
      "provider:qpay": -110_000,
      [`escrow:${deal.id}`]: 110_000,
    });
  });

  test("two sellers' rooms are two trades; one room has one, however many request at once", async () => {
    const { seller, roomId } = await makeRoomPair(server);
    const asked = { chatRoomId: roomId, amount: 60_000 };
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => seller.post("/api/transactions", asked)),
    );
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(new Set(replies.map(({ body }) => body.id)).size).toBe(1);
    expect((await noticesOf(roomId)).filter((code) => code === "paymentRequested")).toHaveLength(1);
  });

  test("the ledger balances and the audit chain is intact", async () => {
    expect(await findBookFaults()).toEqual([]);
  });
});
