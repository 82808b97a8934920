import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import jsQR from "jsqr";
import { PNG } from "pngjs";
import { paths } from "../../app/paths.ts";
import { connectDatabase, disconnectDatabase } from "../../db/client.ts";
import { postAsShown } from "../support/backoffice/post-as-shown.ts";
import { expectMatch } from "../support/expect-match.ts";
import {
  expectStatus,
  type Person,
  registerPerson,
  signInAdministrator,
} from "../support/people/registered-people.ts";
import type { Client } from "../support/server/http-client.ts";
import { type Server, startServer } from "../support/server/midman-server.ts";
import {
  bankInfo,
  buyerContact,
  payAt,
  type ServerTrade,
  untilStatus,
} from "../support/trades/server-trades.ts";
import { findBookFaults, noticesOf, readTradeBalances } from "../support/trades/trade-books.ts";

/** One whole trade over the API alone: each status, message and ledger balance on the way. */

let server: Server;
let admin: Client;
let seller: Person;
let buyer: Person;
let deal: ServerTrade;
let roomId = 0;

const trade = (path = "") => `/api/transactions/${deal.id}${path}`;
const dated = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);

beforeAll(async () => {
  server = await startServer();
  connectDatabase(server.databaseUrl);
  admin = await signInAdministrator(server);
}, 240_000);

afterAll(async () => {
  await disconnectDatabase();
  await server?.stop();
});

describe("one whole trade over the API", () => {
  test("two people register and an administrator signs in", async () => {
    seller = await registerPerson(server, "Seller One");
    buyer = await registerPerson(server, "Buyer Two");
    const session = await buyer.get("/api/auth/session");
    expect(session.body).toMatchObject({
      isAuthenticated: true,
      user: { id: buyer.id, avatarInitials: "BT" },
    });
    expect((await admin.get("/api/auth/is-admin")).body).toMatchObject({ isAdmin: true });
    expect((await buyer.get("/api/auth/is-admin")).body).toMatchObject({ isAdmin: false });
  });

  test("the seller opens a room, invites, and the buyer joins by the code", async () => {
    const made = await seller.post("/api/chat/rooms", { name: "Game account", description: "Level 60" });
    roomId = expectStatus(made, 201).body.id;
    const invite = expectStatus(await seller.post(`/api/chat/rooms/${roomId}/invite`), 200).body;
    expect(invite.inviteLink).toContain(invite.inviteCode);
    const joined = expectStatus(await buyer.post("/api/chat/join", { code: invite.inviteCode }), 200);
    expect(joined.body.chatRoom.id).toBe(roomId);
    const { list } = expectStatus(await seller.get(`/api/chat/rooms/${roomId}/participants`), 200);
    expect(list.map(({ id, role }) => [id, role]).sort()).toEqual(
      [
        [seller.id, "seller"],
        [buyer.id, "buyer"],
      ].sort(),
    );
    expect(expectStatus(await buyer.get(`/api/chat/rooms/${roomId}/transactions`), 200).list).toEqual([]);
  });

  test("only the seller may request a payment, and only with the right fee", async () => {
    const asked = { chatRoomId: roomId, amount: 100_000, serviceFee: 10_000, description: "Level 60" };
    const byBuyer = await buyer.post("/api/transactions", asked);
    expect(byBuyer.status).toBe(403);
    expect(byBuyer.body.message).toBe("Only sellers can create payment requests");
    const cheap = await seller.post("/api/transactions", { ...asked, serviceFee: 1 });
    expect(cheap.status).toBe(422);
    expectMatch(cheap.body, { code: "FEE_MISMATCH", message: expect.stringContaining("10,000 ₮") });
    const zero = await seller.post("/api/transactions", { ...asked, amount: 0 });
    expect(zero.status).toBe(422);
    expect(zero.body.fields.amount).toEqual([
      "Please enter a valid payment amount: whole tugrik, for example 150,000",
    ]);
    const created = expectStatus(
      await seller.post("/api/transactions", { ...asked, sellerId: seller.id }),
      201,
    );
    deal = { seller, buyer, roomId, id: created.body.id, invoiceId: "" };
    const again = expectStatus(
      await seller.post("/api/transactions", { ...asked, sellerId: seller.id }),
      200,
    );
    expect(again.body.id).toBe(deal.id);
    const other = await seller.post("/api/transactions", { ...asked, amount: 90_000, serviceFee: undefined });
    expect(other.status).toBe(409);
    expect(other.body).toMatchObject({ code: "TRADE_EXISTS", current: "initiated" });
  });

  test("both parties see it, with the amounts of the fee policy", async () => {
    for (const person of [seller, buyer]) {
      const { body } = expectStatus(await person.get(trade()), 200);
      expect(body).toMatchObject({
        id: deal.id,
        chatRoomId: roomId,
        buyerId: buyer.id,
        sellerId: seller.id,
        amount: 100_000,
        serviceFee: 10_000,
        feePayer: "buyer",
        grossAmount: 110_000,
        netAmount: 100_000,
        status: "initiated",
        paymentMethod: "qpay",
        description: "Level 60",
        createdAt: dated,
        updatedAt: dated,
        buyerConfirmedComplete: false,
        sellerConfirmedComplete: false,
        buyerConfirmedCancel: false,
        sellerConfirmedCancel: false,
      });
      expect(expectStatus(await person.get("/api/transactions"), 200).list.map(({ id }) => id)).toEqual([
        deal.id,
      ]);
      const ofRoom = expectStatus(await person.get(`/api/chat/rooms/${roomId}/transactions`), 200);
      expect(ofRoom.list.map(({ id }) => id)).toEqual([deal.id]);
    }
    const { list } = expectStatus(await buyer.get(trade("/steps")), 200);
    expect(list.map(({ step }) => String(step))).toEqual([
      "initiated",
      "payment_initiated",
      "payment_processing",
      "exchange_info",
      "completed",
    ]);
    expect(list.map(({ completedAt }) => completedAt !== null)).toEqual([true, false, false, false, false]);
  });

  test("nothing can be verified, exchanged or confirmed before its time", async () => {
    const early = await buyer.post(trade("/verify"));
    expect([early.status, early.body.code]).toEqual([409, "PAYMENT_NOT_REQUESTED"]);
    for (const [person, path, body] of [
      [seller, "/info-exchange", { info: "Look here" }],
      [seller, "/bank-info", bankInfo],
      [buyer, "/info-exchange/confirm", {}],
    ] as const) {
      const reply = await person.post(trade(path), body);
      expect([reply.status, reply.body.code, reply.body.current]).toEqual([
        409,
        "INFO_NOT_AVAILABLE",
        "initiated",
      ]);
    }
    for (const path of ["/complete", "/cancel", "/hand-over"]) {
      const reply = await seller.post(trade(path));
      expect([reply.status, reply.body.code, reply.body.current]).toEqual([409, "NOT_PAID_YET", "initiated"]);
    }
    expect(await readTradeBalances(deal.id)).toEqual({});
  });

  test("the invoice's QR code is a PNG that decodes to valid EMVCo text", async () => {
    const made = expectStatus(await buyer.post("/api/qpay/invoices", { transactionId: deal.id }), 200);
    expect(Object.keys(made.body).sort()).toEqual(["invoiceId", "qrImageUrl", "success"]);
    expect(made.body.success).toBe(true);
    deal.invoiceId = made.body.invoiceId;
    const again = expectStatus(
      await seller.post("/api/qpay/create-payment", { transactionId: deal.id }),
      200,
    );
    expect(again.body.qrImageUrl).toBe(made.body.qrImageUrl);
    const payment = expectStatus(await buyer.post(trade("/payment")), 200);
    expect(payment.body.invoiceId).toBe(deal.invoiceId);
    for (const path of [made.body.qrImageUrl, `/api/qpay/invoices/${deal.invoiceId}/qr.png`]) {
      const picture = await fetch(`${server.url}${path}`, { headers: { Cookie: buyer.cookies() } });
      expect(picture.status).toBe(200);
      expect(picture.headers.get("content-type")).toBe("image/png");
      expect(picture.headers.get("cache-control")).toContain("private");
      expect(picture.headers.get("vary")).toContain("Cookie");
      const { data, width, height } = PNG.sync.read(Buffer.from(await picture.arrayBuffer()));
      expect(jsQR(new Uint8ClampedArray(data), width, height)?.data).toMatch(
        /^000201.*5303496.*6304[0-9A-F]{4}$/,
      );
    }
    const seen = expectStatus(await seller.get(trade()), 200).body;
    expect(seen.status).toBe("payment_initiated");
    expect((seen.invoice as { bankLinks: unknown[] }).bankLinks.length).toBeGreaterThan(5);
  });

  test("the status reads the database, and Verify does not treat an unpaid invoice as paid", async () => {
    expect(expectStatus(await buyer.get(`/api/qpay/status/${deal.invoiceId}`), 200).body.status).toBe(
      "PENDING",
    );
    const bySeller = await seller.post(trade("/verify"));
    expect([bySeller.status, bySeller.body.code]).toEqual([403, "BUYER_ONLY"]);
    const verified = expectStatus(await buyer.post(trade("/verify")), 200);
    expect(verified.body).toMatchObject({ success: false, status: "payment_pending" });
    expect(verified.body.message).toContain("QPay could not verify your payment");
    const marked = expectStatus(await buyer.post(trade("/mark-paid")), 200);
    expectMatch(marked.body, {
      success: true,
      message: expect.stringContaining("isn't confirmed yet"),
    });
    expect(await readTradeBalances(deal.id)).toEqual({});
  });

  test("a forged callback gets the reply of an unknown invoice and moves nothing", async () => {
    const forged = await server
      .client()
      .get(`/api/qpay/callback/${deal.invoiceId}/${"a".repeat(43)}?qpay_payment_id=1`);
    const unknown = await server.client().get(`/api/qpay/callback/${crypto.randomUUID()}/${"a".repeat(43)}`);
    expect(forged.status).toBe(404);
    expect([forged.status, forged.text]).toEqual([unknown.status, unknown.text]);
    expect(await readTradeBalances(deal.id)).toEqual({});
  });

  test("paid at the provider: the callback books it once, and the room is notified", async () => {
    const paid = await payAt(buyer, deal.invoiceId, { callback: 3 });
    expect(paid.callbacks).toEqual(["SUCCESS", "SUCCESS", "SUCCESS"]);
    await untilStatus(deal, "payment_confirmed");
    expect(expectStatus(await buyer.get(`/api/qpay/status/${deal.invoiceId}`), 200).body.status).toBe("PAID");
    expect(await readTradeBalances(deal.id)).toEqual({
      "provider:qpay": -110_000,
      [`escrow:${deal.id}`]: 110_000,
    });
    const notices = await noticesOf(roomId);
    expect(notices.filter((code) => code === "paymentConfirmed")).toHaveLength(1);
    const repeated = expectStatus(await buyer.post(trade("/verify")), 200);
    expect(repeated.body).toMatchObject({
      success: true,
      message: "Payment confirmed",
      status: "payment_confirmed",
    });
    expect(await noticesOf(roomId)).toEqual(notices);
    expect(expectStatus(await seller.get(trade()), 200).body).toMatchObject({
      paidAmount: 110_000,
      qrImageUrl: null,
    });
  });

  test("the seller hands over; the buyer cannot", async () => {
    expect((await buyer.post(trade("/hand-over"))).status).toBe(403);
    const handed = expectStatus(await seller.post(trade("/hand-over"), { note: "In the vault" }), 200);
    expect(handed.body.success).toBe(true);
    expectStatus(await seller.post(trade("/hand-over")), 200);
    const seen = expectStatus(await buyer.get(trade()), 200).body;
    expect(seen).toMatchObject({ handedOverAt: dated, handOverNote: "In the vault", turn: "buyer_confirm" });
    for (const side of [buyer, seller]) {
      expect(expectStatus(await side.get(paths.room(roomId)), 200).text).toContain("In the vault");
    }
  });

  test("each side enters its information, reads the other's, and both confirm", async () => {
    const empty = expectStatus(await buyer.get(trade("/info-exchange")), 200).body;
    expect(empty).toMatchObject({
      transactionId: deal.id,
      sellerInfo: null,
      buyerInfo: null,
      sellerConfirmed: false,
      buyerConfirmed: false,
    });
    expect((await buyer.post(trade("/bank-info"), bankInfo)).status).toBe(403);
    const bad = await seller.post(trade("/bank-info"), {
      ...bankInfo,
      accountNumber: "12",
      phoneNumber: "1",
    });
    expect(bad.status).toBe(422);
    expect(bad.body.fields).toEqual({
      accountNumber: ["Account number must be at least 4 digits."],
      phoneNumber: ["This phone number isn't valid. A Mongolian number has 8 digits."],
    });
    expectStatus(await seller.post(trade("/bank-info"), bankInfo), 200);
    expectStatus(await buyer.post(trade("/bank-info"), buyerContact), 200);
    const blank = await seller.post(trade("/info-exchange"), { info: "   " });
    expect(blank.body.fields.info).toEqual(["Please provide information to share"]);
    expectStatus(await seller.post(trade("/info-exchange"), { info: "The password is in the vault" }), 200);
    expect(expectStatus(await buyer.get(trade("/info-exchange")), 200).body).toMatchObject({
      sellerInfo: {
        bankName: "Khan Bank",
        accountNumber: "5012345678",
        notes: "The password is in the vault",
      },
      buyerInfo: { name: "Dorj", phoneNumber: "88112233" },
    });
    const first = expectStatus(await buyer.post(trade("/info-exchange/confirm"), {}), 200);
    expect(first.body.message).toContain("waiting for other party to confirm");
    const second = expectStatus(await seller.post(trade("/info-exchange/confirm"), {}), 200);
    expect(second.body.message).toContain("Both");
    const { list } = expectStatus(await buyer.get(trade("/steps")), 200);
    expect(list.find(({ step }) => step === "exchange_info")?.completedAt).toEqual(dated);
  });

  test("the conversation works through the trade too, and only the server writes notices", async () => {
    const said = expectStatus(await buyer.post(trade("/messages"), { content: "Thank you" }), 201);
    expect(said.body).toMatchObject({ content: "Thank you", type: "text", senderId: buyer.id });
    const { list } = expectStatus(await seller.get(trade("/messages")), 200);
    expect(list.at(-1)).toMatchObject({ content: "Thank you", senderId: buyer.id });
    expect(list.some(({ type, senderId }) => type === "system" && senderId === null)).toBe(true);
  });

  test("the buyer confirms before the seller; repeats change nothing", async () => {
    const early = await seller.post(trade("/complete"));
    expect([early.status, early.body.code, early.body.current]).toEqual([
      409,
      "BUYER_FIRST",
      "payment_confirmed",
    ]);
    const first = expectStatus(await buyer.post(trade("/complete")), 200);
    expect(first.body).toMatchObject({ success: true });
    expect(first.body.message).toContain("waiting for other party to confirm");
    expect(first.body.message.toLowerCase()).not.toContain("both");
    expectStatus(await buyer.post(trade("/complete")), 200);
    expect(expectStatus(await buyer.get(trade()), 200).body.status).toBe("exchange_completed");
    const second = expectStatus(await seller.post(trade("/complete")), 200);
    expect(second.body.message.toLowerCase()).toContain("both");
    const again = expectStatus(await seller.post(trade("/complete")), 200);
    expect(again.body.message).toBe(second.body.message);
    expect(expectStatus(await seller.get(trade()), 200).body).toMatchObject({
      status: "settlement_pending",
      buyerConfirmedComplete: true,
      sellerConfirmedComplete: true,
      turn: "admin",
    });
    expect(await readTradeBalances(deal.id)).toEqual({
      "provider:qpay": -110_000,
      [`escrow:${deal.id}`]: 110_000,
    });
    const late = await buyer.post(trade("/cancel"));
    expect([late.status, late.body.code, late.body.current]).toEqual([
      409,
      "TRADE_OVERTAKEN",
      "settlement_pending",
    ]);
  });

  test("the administrator sees waiting work, and settles once with the bank reference", async () => {
    const settle = `/api/admin/transactions/${deal.id}/settle`;
    const byBuyer = await postAsShown(buyer, settle, { bankReference: "FT-1" });
    expect([byBuyer.status, byBuyer.body.code]).toEqual([403, "ADMIN_REQUIRED"]);
    expect((await server.client().post(settle, { bankReference: "FT-1" })).status).toBe(401);
    const detail = expectStatus(await admin.get(`/api/admin/transactions/${deal.id}`), 200).body;
    expect(detail).toMatchObject({
      transaction: { id: deal.id, status: "settlement_pending" },
      buyer: { id: buyer.id },
      seller: { id: seller.id },
      infoExchange: { sellerInfo: { accountNumber: "••••5678" }, sellerConfirmed: true },
      heldAmount: 110_000,
    });
    const { payouts } = expectStatus(await admin.get("/api/admin/queue"), 200).body as unknown as {
      payouts: Array<Record<string, unknown>>;
    };
    expect(payouts.find(({ transactionId }) => transactionId === deal.id)).toMatchObject({
      kind: "payout",
      amount: 100_000,
      fee: 10_000,
      state: "due",
    });
    expect((await postAsShown(admin, settle, {})).status).toBe(422);
    const settled = expectStatus(await postAsShown(admin, settle, { bankReference: "FT-2026-1" }), 200);
    expect(settled.body.success).toBe(true);
    expectStatus(await postAsShown(admin, settle, { bankReference: "FT-2026-1" }), 200);
    const second = await postAsShown(admin, settle, { bankReference: "FT-2026-2" });
    expect([second.status, second.body.code]).toEqual([409, "PAYOUT_CONFLICT"]);
    expect(await readTradeBalances(deal.id)).toEqual({
      "provider:qpay": -110_000,
      bank: 100_000,
      fees: 10_000,
    });
  });

  test("the trade is complete, its five steps stamped, each notice sent once", async () => {
    expect(expectStatus(await buyer.get(trade()), 200).body).toMatchObject({
      status: "completed",
      turn: "none",
    });
    const { list } = expectStatus(await buyer.get(trade("/steps")), 200);
    expect(list.every(({ completedAt }) => completedAt !== null)).toBe(true);
    const notices = await noticesOf(roomId);
    const once = [
      "paymentRequested",
      "paymentConfirmed",
      "handedOver",
      "buyerConfirmed",
      "sellerConfirmed",
      "settled",
    ];
    for (const code of once) expect(notices.filter((notice) => notice === code)).toEqual([code]);
    const more = await seller.post("/api/transactions", { chatRoomId: roomId, amount: 5_000 });
    expect(more.status).toBe(409);
    expect(more.body.message).toContain("This chat room already has a completed transaction");
    expect(expectStatus(await buyer.get(`/api/chat/rooms/${roomId}`), 200).body.status).toBe("inactive");
  });

  test("the administrators' figures count it; a deleted transaction leaves the lists and stays in the ledger", async () => {
    const stats = expectStatus(await admin.get("/api/admin/stats"), 200).body;
    expect(stats).toMatchObject({ totalUsers: 3, totalTransactions: 1, totalVolume: 100_000 });
    const listed = expectStatus(await admin.get("/api/admin/transactions?status=completed"), 200);
    expect(listed.list.map(({ id }) => id)).toEqual([deal.id]);
    expectStatus(await admin.post(`/api/admin/transactions/${deal.id}/notify`), 200);
    const gone = expectStatus(await admin.delete(`/api/admin/transactions/${deal.id}`), 200);
    expect(gone.body).toMatchObject({ success: true, message: "Transaction deleted" });
    expect(expectStatus(await admin.get("/api/admin/transactions"), 200).list).toEqual([]);
    expect(expectStatus(await buyer.get("/api/transactions"), 200).list).toEqual([]);
    expect(await readTradeBalances(deal.id)).toEqual({
      "provider:qpay": -110_000,
      bank: 100_000,
      fees: 10_000,
    });
  });

  test("the ledger balances and the audit chain is intact", async () => {
    expect(await findBookFaults()).toEqual([]);
  });
});
