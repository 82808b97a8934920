import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { sql } from "drizzle-orm";
import { db } from "../../../db/client.ts";
import { postAsShown } from "../../support/backoffice/post-as-shown.ts";
import { setRight } from "../../support/people/administrator-rights.ts";
import { expectStatus, makeRoomPair, registerPerson } from "../../support/people/registered-people.ts";
import type { Client } from "../../support/server/http-client.ts";
import { useSharedServer } from "../../support/server/use-shared-server.ts";
import {
  bankInfo,
  buyerContact,
  openDisputedTrade,
  openPaidTrade,
  openSettlingTrade,
  payAt,
  readDisputeTime,
  refundAccount,
  requestPayment,
  type ServerTrade,
} from "../../support/trades/server-trades.ts";

/** What the calls of one trade refuse in each of its states, as their document says. */

setDefaultTimeout(120_000);

const { server, admin } = useSharedServer();

/** One call each: who, what, its body, and the code it is refused with; without one it succeeds. */
type Step = [who: Client, method: string, path: string, body: unknown, code?: string];

async function each(deal: Pick<ServerTrade, "id" | "roomId">, steps: Step[]): Promise<void> {
  for (const [who, method, path, body, code] of steps) {
    const address = path.startsWith("/") ? path : `/api/transactions/${deal.id}/${path}`;
    const reply = await who.send(method, address.replace(/\/$/, ""), body);
    expect([method, path, reply.status < 300 ? undefined : reply.body?.code]).toEqual([method, path, code]);
  }
}

const desk = (deal: ServerTrade, path = "") => `/api/admin/transactions/${deal.id}${path}`;
const reason = { reason: "It does not work" };
const someRequest = { requestedAt: "2026-01-05T06:00:00.000Z" };
const ruling = { ruling: "release", reason: "So it is", sum: 1 };

test("an unpaid request allows only its payment", async () => {
  const deal = await requestPayment(server);
  const { seller, buyer } = deal;
  await each(deal, [
    [buyer, "POST", "amend", { amount: 50_000 }, "SELLER_ONLY"],
    [seller, "POST", "amend", { amount: 50_000 }],
    [seller, "POST", "amend", { amount: 1, feePayer: "seller" }, "NET_TOO_SMALL"],
    [seller, "PATCH", "", { amount: 1, feePayer: "seller" }, "NET_TOO_SMALL"],
    [seller, "POST", "amend", { amount: 999_999_999 }, "AMOUNT_INVALID"],
    [seller, "PATCH", "", { amount: 999_999_999 }, "AMOUNT_INVALID"],
    [buyer, "POST", "mark-paid", undefined, "PAYMENT_NOT_REQUESTED"],
    [buyer, "POST", "verify", undefined, "PAYMENT_NOT_REQUESTED"],
    [seller, "POST", "mark-paid", undefined, "BUYER_ONLY"],
    [buyer, "POST", "withdraw", undefined, "SELLER_ONLY"],
    [buyer, "POST", "withdraw-cancel", undefined, "NOT_PAID_YET"],
    [buyer, "POST", "decline-cancel", someRequest, "NOT_PAID_YET"],
    [buyer, "POST", "vault/open", undefined, "NOT_PAID_YET"],
    [buyer, "POST", "vault/check", { password: true }, "NOT_PAID_YET"],
    [buyer, "POST", "dispute", reason, "NOT_PAID_YET"],
    [buyer, "POST", "dispute/withdraw", undefined, "NOT_PAID_YET"],
    [buyer, "POST", "dispute/statement", reason, "TRADE_OVERTAKEN"],
    [buyer, "POST", "refund-destination", refundAccount, "NO_REFUND_DUE"],
    [admin, "POST", desk(deal, "/pay-seller"), { sum: 1 }, "NOT_PAID_YET"],
    [admin, "POST", desk(deal, "/rule"), ruling, "NOT_PAID_YET"],
    [admin, "POST", desk(deal, "/rule/preview"), { ruling: "release" }, "NOT_PAID_YET"],
    [admin, "POST", desk(deal, "/dispute/take"), undefined, "TRADE_OVERTAKEN"],
    [admin, "POST", desk(deal, "/dispute/give-back"), undefined, "TRADE_OVERTAKEN"],
    [admin, "POST", desk(deal, "/dispute/message"), { words: "Hello" }, "TRADE_OVERTAKEN"],
    [admin, "POST", desk(deal, "/settle"), { bankReference: "A1" }, "NOTHING_DUE"],
    [seller, "DELETE", `/api/chat/rooms/${deal.roomId}`, undefined, "TRADE_UNDER_WAY"],
    [
      buyer,
      "DELETE",
      "/api/users/me",
      { password: buyer.password, confirmation: buyer.username },
      "TRADE_UNDER_WAY",
    ],
    [admin, "DELETE", `/api/admin/users/${buyer.id}`, undefined, "TRADE_UNDER_WAY"],
    [
      seller,
      "POST",
      `/api/chat/rooms/${deal.roomId}/participants/${buyer.id}/role`,
      { role: "seller" },
      "ROLES_LOCKED",
    ],
  ]);
});

test("a part payment fixes the amounts, and a passed payment window ends paying", async () => {
  const part = await requestPayment(server);
  await payAt(part.buyer, part.invoiceId, { amount: 10_000 });
  expectStatus(await part.buyer.post(`/api/transactions/${part.id}/verify`), 200);
  await each(part, [
    [part.seller, "PATCH", "", { amount: 50_000 }, "MONEY_BOOKED"],
    [part.seller, "POST", "amend", { amount: 50_000 }, "MONEY_BOOKED"],
    [part.seller, "POST", "withdraw", undefined, "MONEY_BOOKED"],
  ]);
  const pair = await makeRoomPair(server);
  const { id } = expectStatus(
    await pair.seller.post("/api/transactions", { chatRoomId: pair.roomId, amount: 90_000 }),
    201,
  ).body;
  const over = { ...pair, id };
  await db().execute(
    sql`UPDATE escrow.deadlines SET due_at = now() - interval '1 minute' WHERE trade_id = ${over.id}`,
  );
  const invoice = { transactionId: over.id, fresh: true };
  await each(over, [
    [over.seller, "PATCH", "", { amount: 50_000 }, "WINDOW_OVER"],
    [over.seller, "POST", "amend", { amount: 50_000 }, "WINDOW_OVER"],
    [over.buyer, "POST", "payment", undefined, "WINDOW_OVER"],
    [over.buyer, "POST", "/api/qpay/invoices", invoice, "WINDOW_OVER"],
    [over.buyer, "POST", "/api/qpay/create-payment", invoice, "WINDOW_OVER"],
  ]);
});

test("a trade has thirty invoices at most, and its amounts are fixed with the last", async () => {
  const deal = await requestPayment(server);
  await db().execute(sql`
    INSERT INTO payments.invoices (id, reference, amount, description, state, created_at, expires_at, ended_at)
    SELECT gen_random_uuid(), ${deal.id}, 1000, 'MM', 'cancelled', now(), now() + interval '10 minutes', now() FROM generate_series(1, 29)`);
  const invoice = { transactionId: deal.id, fresh: true };
  await each(deal, [
    [deal.buyer, "POST", "/api/qpay/invoices", invoice, "TOO_MANY_INVOICES"],
    [deal.buyer, "POST", "/api/qpay/create-payment", invoice, "TOO_MANY_INVOICES"],
    [deal.seller, "PATCH", "", { amount: 50_000 }, "TOO_MANY_INVOICES"],
    [deal.seller, "POST", "amend", { amount: 50_000 }, "TOO_MANY_INVOICES"],
    [deal.buyer, "POST", "payment", undefined],
  ]);
  await db().execute(
    sql`UPDATE payments.invoices SET expires_at = created_at + interval '1 millisecond' WHERE reference = ${deal.id} AND state = 'open'`,
  );
  await each(deal, [[deal.buyer, "POST", "payment", undefined, "TOO_MANY_INVOICES"]]);
  await payAt(deal.buyer, deal.invoiceId);
  expectStatus(await deal.buyer.post(`/api/transactions/${deal.id}/verify`), 200);
  await each(deal, [[deal.buyer, "POST", "payment", undefined, "TRADE_OVERTAKEN"]]);
});

test("a paid trade is not requested again, and each side confirms in its turn", async () => {
  const deal = await openPaidTrade(server);
  const { seller, buyer } = deal;
  const invoice = { transactionId: deal.id, fresh: true };
  const clientId = crypto.randomUUID();
  await each(deal, [
    [seller, "PATCH", "", { amount: 50_000 }, "TRADE_OVERTAKEN"],
    [seller, "POST", "amend", { amount: 50_000 }, "TRADE_OVERTAKEN"],
    [seller, "POST", "withdraw", undefined, "TRADE_OVERTAKEN"],
    [buyer, "POST", "payment", undefined, "TRADE_OVERTAKEN"],
    [buyer, "POST", "/api/qpay/invoices", invoice, "TRADE_OVERTAKEN"],
    [buyer, "POST", "/api/qpay/create-payment", invoice, "TRADE_OVERTAKEN"],
    [buyer, "POST", `/api/chat/rooms/${deal.roomId}/leave`, undefined, "MONEY_HELD"],
    [seller, "POST", "bank-info", buyerContact, "BUYER_ONLY"],
    [buyer, "POST", "bank-info", bankInfo, "SELLER_ONLY"],
    [seller, "POST", "messages", { content: "One", clientId }],
    [seller, "POST", "messages", { content: "Two", clientId }, "CLIENT_ID_REUSED"],
    [seller, "POST", "hand-over", {}],
    [buyer, "POST", "complete", undefined],
    [seller, "POST", "complete", undefined, "DESTINATION_MISSING"],
    [seller, "POST", "vault", { login: "x" }, "VAULT_CLOSED"],
    [seller, "POST", "bank-info", bankInfo],
    [seller, "POST", "bank-info", { ...bankInfo, accountNumber: "5012345679" }],
    [seller, "POST", "bank-info", { ...bankInfo, accountNumber: "5012345670" }, "BANK_INFO_FINAL"],
    [admin, "POST", desk(deal, "/confirm-payment/lay-aside"), { proposal: 999_999, ...reason }, "NOT_FOUND"],
  ]);
  for (let said = 0; said < 50; said++)
    expectStatus(
      await seller.post(`/api/transactions/${deal.id}/info-exchange`, { info: `No. ${said}` }),
      200,
    );
  await each(deal, [[seller, "POST", "info-exchange", { info: "One more" }, "INFO_TOO_OFTEN"]]);
});

test("an ended trade stays ended", async () => {
  const called = await requestPayment(server);
  await each(called, [
    [called.seller, "POST", "withdraw", undefined],
    [called.buyer, "POST", "mark-paid", undefined, "TRADE_OVERTAKEN"],
    [called.seller, "POST", "hand-over", {}, "TRADE_OVERTAKEN"],
    [admin, "POST", desk(called, "/cancel"), undefined, "TRADE_OVERTAKEN"],
    [admin, "POST", desk(called, "/complete"), undefined, "TRADE_OVERTAKEN"],
    [called.seller, "DELETE", `/api/chat/rooms/${called.roomId}`, undefined],
    [called.seller, "POST", "messages", { content: "Hello?" }, "CHAT_ROOM_NOT_FOUND"],
  ]);
  const paid = await openSettlingTrade(server);
  expectStatus(await postAsShown(admin, desk(paid, "/settle"), { bankReference: "OVER-1" }), 200);
  await each(paid, [
    [paid.buyer, "POST", "withdraw-cancel", undefined, "TRADE_OVERTAKEN"],
    [paid.buyer, "POST", "decline-cancel", someRequest, "TRADE_OVERTAKEN"],
    [paid.buyer, "POST", "dispute", reason, "TRADE_OVERTAKEN"],
    [paid.buyer, "POST", "dispute/withdraw", undefined, "TRADE_OVERTAKEN"],
    [paid.buyer, "POST", "vault/open", undefined, "VAULT_CLOSED"],
    [paid.buyer, "POST", "vault/check", { password: true }, "VAULT_CLOSED"],
    [admin, "POST", desk(paid, "/pay-seller"), { sum: 1 }, "TRADE_OVERTAKEN"],
    [admin, "POST", desk(paid, "/rule/preview"), { ruling: "release" }, "TRADE_OVERTAKEN"],
  ]);
  const back = await openPaidTrade(server);
  expectStatus(await admin.post(desk(back, "/cancel")), 200);
  await each(back, [[back.seller, "DELETE", `/api/chat/rooms/${back.roomId}`, undefined, "MONEY_HELD"]]);
});

describe("a dispute", () => {
  test("accepts twenty statements of a side, and those of the other side all the same", async () => {
    const deal = await openDisputedTrade(server);
    const { seller, buyer } = deal;
    for (let said = 0; said < 20; said++) {
      const words = { reason: `No. ${said}` };
      expectStatus(await seller.post(`/api/transactions/${deal.id}/dispute/statement`, words), 200);
    }
    await each(deal, [
      [seller, "POST", "dispute/statement", { reason: "One more" }, "STATEMENT_TOO_OFTEN"],
      [buyer, "POST", "dispute/statement", { reason: "My side" }],
    ]);
  });

  test("is for its mediator only", async () => {
    const deal = await openDisputedTrade(server);
    const { seller, buyer } = deal;
    const other = await registerPerson(server);
    await setRight(other.id, true);
    const words = { words: "Please wait" };
    await each(deal, [
      [seller, "POST", "dispute", reason, "DISPUTE_OPEN"],
      [seller, "POST", "dispute/withdraw", undefined, "DISPUTE_NOT_YOURS"],
      [admin, "DELETE", desk(deal), undefined, "DISPUTE_NOT_TAKEN"],
      [admin, "POST", desk(deal, "/pay-seller"), { sum: 1 }, "DISPUTE_NOT_TAKEN"],
      [admin, "POST", desk(deal, "/complete"), undefined, "DISPUTE_NOT_TAKEN"],
      [admin, "POST", desk(deal, "/cancel"), undefined, "DISPUTE_NOT_TAKEN"],
      [admin, "POST", desk(deal, "/dispute/message"), words, "DISPUTE_NOT_TAKEN"],
      [
        admin,
        "POST",
        desk(deal, "/rule/preview"),
        { ruling: "split", refundAmount: 900_000 },
        "SPLIT_OUT_OF_RANGE",
      ],
      [admin, "POST", desk(deal, "/rule/preview"), { ruling: "release" }],
      [admin, "POST", desk(deal, "/rule"), ruling, "SUM_DIFFERS"],
      [
        admin,
        "POST",
        desk(deal, "/rule"),
        { ...ruling, ruling: "split", refundAmount: 900_000 },
        "SPLIT_OUT_OF_RANGE",
      ],
      [other, "POST", desk(deal, "/dispute/take"), undefined],
      [other, "POST", desk(deal, "/dispute/message"), words],
      [admin, "DELETE", desk(deal), undefined, "DISPUTE_TAKEN"],
      [admin, "POST", desk(deal, "/pay-seller"), { sum: 1 }, "DISPUTE_TAKEN"],
      [admin, "POST", desk(deal, "/complete"), undefined, "DISPUTE_TAKEN"],
      [admin, "POST", desk(deal, "/cancel"), undefined, "DISPUTE_TAKEN"],
      [admin, "POST", desk(deal, "/rule"), { ...ruling, sum: 100_000 }, "DISPUTE_TAKEN"],
      [admin, "POST", desk(deal, "/dispute/take"), undefined, "DISPUTE_TAKEN"],
      [admin, "POST", desk(deal, "/dispute/give-back"), undefined, "DISPUTE_TAKEN"],
      [admin, "POST", desk(deal, "/dispute/message"), words, "DISPUTE_TAKEN"],
      [other, "POST", desk(deal, "/dispute/give-back"), undefined],
      [admin, "POST", desk(deal, "/evidence"), undefined],
      [buyer, "POST", "dispute/withdraw", undefined, "DISPUTE_CHANGED"],
      [buyer, "POST", "dispute/withdraw", { openedAt: await readDisputeTime(deal) }],
    ]);
    await setRight(other.id, false);
  });

  test("cannot be opened while the money is being sent, or once some was sent", async () => {
    const deal = await openSettlingTrade(server);
    const payout = await lastPayout(deal);
    expectStatus(await postAsShown(admin, `/api/admin/payouts/${payout}/approve`), 200);
    expectStatus(await admin.post(`/api/admin/payouts/${payout}/claim`), 200);
    await each(deal, [
      [deal.buyer, "POST", "dispute", reason, "PAYOUT_APPROVED"],
      [admin, "POST", desk(deal, "/cancel"), undefined, "PAYOUT_APPROVED"],
    ]);
    const split = await openDisputedTrade(server);
    const shares = { ruling: "split", refundAmount: 40_000, reason: "Half", sum: 40_000 };
    expectStatus(await postAsShown(admin, desk(split, "/rule"), shares), 200);
    expectStatus(await postAsShown(admin, desk(split, "/settle"), { bankReference: "HALF-1" }), 200);
    await each(split, [[split.buyer, "POST", "dispute", reason, "MONEY_ALREADY_SENT"]]);
  });
});

async function lastPayout(deal: ServerTrade): Promise<number> {
  const { body } = expectStatus(await admin.get(desk(deal)), 200);
  return (body.payouts as Array<{ id: number }>).at(-1)?.id ?? 0;
}

describe("the provider", () => {
  const behave = (told: object) =>
    fetch(`${server.url}/sandbox/qpay/behave`, { method: "POST", body: JSON.stringify(told) });

  test("being down or refusing is reported", async () => {
    const { seller, buyer, roomId } = await makeRoomPair(server);
    const { id } = expectStatus(
      await seller.post("/api/transactions", { chatRoomId: roomId, amount: 50_000 }),
      201,
    ).body;
    const invoice = { transactionId: id, fresh: true };
    const asks: Step[] = [
      [buyer, "POST", `/api/transactions/${id}/payment`, undefined],
      [buyer, "POST", "/api/qpay/invoices", invoice],
      [buyer, "POST", "/api/qpay/create-payment", invoice],
      [admin, "POST", "/api/admin/reconciliation", { day: "2026-01-05" }],
    ];
    const all = { operation: "*", nextCalls: "all", reset: true };
    await behave({ ...all, fail: 503, error: "SYSTEM_BUSY" });
    await each(
      { id, roomId },
      asks.map(([who, method, path, body]): Step => [who, method, path, body, "PROVIDER_UNAVAILABLE"]),
    );
    await behave({ ...all, fail: 400, error: "INVOICE_CODE_INVALID" });
    await each(
      { id, roomId },
      asks.map(([who, method, path, body]): Step => [who, method, path, body, "PROVIDER_REFUSED"]),
    );
    await behave({ reset: true });
    await each({ id, roomId }, asks);
  });

  test("calls back with either method, and its QR code is at both addresses", async () => {
    const deal = await requestPayment(server);
    const [row] = await db().execute<{ url: string }>(
      sql`SELECT callback_url AS url FROM sandbox.invoices ORDER BY created_at DESC LIMIT 1`,
    );
    const { pathname } = new URL(row?.url ?? "", server.url);
    for (const method of ["GET", "POST"]) {
      const reply = await server.client().send(method, pathname);
      expect([method, reply.status, reply.text]).toEqual([method, 200, "SUCCESS"]);
    }
    expectStatus(await deal.buyer.get(`/api/qpay/invoices/${deal.invoiceId}/qr.png`), 200);
    expectStatus(await deal.buyer.get(`/qr/${deal.invoiceId}.png`), 200);
  });
});
