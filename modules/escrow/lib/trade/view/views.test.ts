import { describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { overrideConfig } from "#config";
import { db, runInTransaction } from "#db/client";
import { setClock } from "#db/clock";
import { createDuePayout, recordPayments } from "#modules/payments";
import { useDatabase } from "../../../../../tests/support/database/test-database.ts";
import { expectMatch } from "../../../../../tests/support/expect-match.ts";
import { plantRoom, plantTrade, plantUser } from "../../../../../tests/support/trades/planted-trades.ts";
import { sellerAccount } from "../../../../../tests/support/trades/sandbox-trades.ts";
import { statusesOf } from "../../backoffice/transactions/list-filter.ts";
import { adminTrade } from "../../backoffice/transactions/transaction-view.ts";
import { saveBankInfo } from "../../information/bank-account.ts";
import { tradeStatuses } from "../../machine/trade-types.ts";
import { historyOf } from "./history.ts";
import { readTradeSteps } from "./step-views.ts";
import { readTrade, tradeOfRoom } from "./trade-view.ts";

useDatabase();

type Planted = Awaited<ReturnType<typeof plantTrade>>;

async function viewOf(planted: Planted, side: "seller" | "buyer") {
  const seen = await readTrade(planted[side], planted.id);
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
  test("has the documented fields, the amounts and the server's time", async () => {
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

  test("offers each side exactly what the state machine accepts from it", async () => {
    expect(await allowedTo(await plantTrade("initiated"), "seller")).toEqual([
      "amend",
      "amendGoods",
      "invoice",
      "withdraw",
    ]);
    expect(await allowedTo(await plantTrade("initiated"), "buyer")).toEqual(["invoice"]);
    const paid = await plantTrade("payment_confirmed");
    expect(await allowedTo(paid, "seller")).toEqual(
      ["bankInfo", "handOver", "openDispute", "requestCancellation", "seal", "shareInfo"].sort(),
    );
    expect(await allowedTo(paid, "buyer")).toEqual(
      ["bankInfo", "confirm", "openDispute", "requestCancellation", "shareInfo"].sort(),
    );
    expect(await allowedTo(await plantTrade("cancelled"), "seller")).toEqual([]);
  });

  test("does not let the seller confirm without an account, and the turn says so", async () => {
    const planted = await plantTrade("exchange_completed");
    expect(await allowedTo(planted, "seller")).not.toContain("confirm");
    expect((await viewOf(planted, "buyer")).turn).toBe("seller_destination");
    await saveBankInfo(planted.seller, planted.id, sellerAccount);
    expect(await allowedTo(planted, "seller")).toContain("confirm");
    expect((await viewOf(planted, "buyer")).turn).toBe("seller_confirm");
  });

  test("lets the other side answer a request to cancel and the requester withdraw it", async () => {
    const planted = await plantTrade("payment_confirmed");
    await db().execute(sql`UPDATE escrow.trades SET buyer_cancel_at = now() WHERE id = ${planted.id}`);
    expect((await viewOf(planted, "seller")).turn).toBe("seller_answer_cancel");
    expect(await allowedTo(planted, "seller")).toContain("agreeCancellation");
    expect(await allowedTo(planted, "seller")).toContain("declineCancellation");
    expect(await allowedTo(planted, "buyer")).not.toContain("declineCancellation");
    expect(await allowedTo(planted, "buyer")).toContain("withdrawCancellation");
    expect(await allowedTo(planted, "buyer")).not.toContain("agreeCancellation");
  });

  test("can be shown to both sides in every status", async () => {
    for (const status of tradeStatuses) {
      const planted = await plantTrade(status);
      expect((await viewOf(planted, "buyer")).status).toBe(status);
      expect((await viewOf(planted, "seller")).role).toBe("seller");
    }
  });

  test("is hidden from a third person, an administrator and a visitor", async () => {
    const planted = await plantTrade();
    for (const outsider of [await plantUser(), await plantUser({ isAdmin: true })]) {
      expect(await readTrade(outsider, planted.id)).toEqual({ ok: false, code: "TRANSACTION_NOT_FOUND" });
      expect(await readTrade(outsider, 999_999)).toEqual({ ok: false, code: "TRANSACTION_NOT_FOUND" });
      expect(await readTradeSteps(outsider, planted.id)).toEqual({
        ok: false,
        code: "TRANSACTION_NOT_FOUND",
      });
      expect(await tradeOfRoom(outsider, planted.roomId)).toEqual({ ok: false, code: "CHAT_ROOM_NOT_FOUND" });
      expect(await tradeOfRoom(outsider, 999_999)).toEqual({ ok: false, code: "CHAT_ROOM_NOT_FOUND" });
    }
    const visitor = { kind: "visitor", ip: "", device: "", language: "en", requestId: "" } as const;
    expect(await readTrade(visitor, planted.id)).toEqual({ ok: false, code: "AUTH_REQUIRED" });
    expect(await historyOf(visitor)).toEqual({ ok: false, code: "AUTH_REQUIRED" });
  });

  test("has five steps in order, those not reached without a time", async () => {
    const planted = await plantTrade();
    await db().execute(
      sql`INSERT INTO escrow.steps (trade_id, step, completed_at) VALUES (${planted.id}, 'initiated', now())`,
    );
    const read = await readTradeSteps(planted.buyer, planted.id);
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

describe("the full response", () => {
  const at = new Date("2026-11-21T09:00:00.000Z");
  const iso = (minutes: number) => new Date(at.getTime() + minutes * 60_000).toISOString();
  const when = (minutes: number) => sql`${iso(minutes)}::timestamptz`;
  const invoiceId = () => crypto.randomUUID();

  async function shown(planted: Planted, side: "seller" | "buyer") {
    const restore = setClock(() => at);
    try {
      return await viewOf(planted, side);
    } finally {
      restore();
    }
  }

  /** Gives a trade an invoice as the provider has answered it. */
  async function invoiced(planted: Planted, state: "open" | "cancelled" | "reserved") {
    const id = invoiceId();
    await db().execute(sql`
      INSERT INTO payments.invoices (id, reference, amount, description, state, provider_id, qr_text, short_url, created_at,
        expires_at, opened_at, ended_at)
      VALUES (${id}, ${planted.id}, 110000, 'x', ${state}, ${id}, 'qr', 'https://qpay.mn/x', ${when(-9)}, ${when(1)}, ${when(-9)},
        ${state === "cancelled" ? when(-1) : null})`);
    await db().execute(sql`UPDATE escrow.trades SET invoice_id = ${id} WHERE id = ${planted.id}`);
    return id;
  }

  test("for a payer has the invoice, what arrived and what is left to pay", async () => {
    const planted = await plantTrade("payment_processing");
    const id = await invoiced(planted, "open");
    await runInTransaction(async (tx) => {
      const row = { providerPaymentId: crypto.randomUUID(), invoiceId: id, amount: 60_000, paidAt: at };
      await recordPayments(tx, { reference: planted.id, rows: [row], owed: 110_000, at });
    });
    await db().execute(sql`
      INSERT INTO escrow.deadlines (trade_id, kind, state, started_at, due_at, extended_ms)
      VALUES (${planted.id}, 'payment_window', 'running', ${when(-9)}, ${when(9)}, 120000)`);
    await db().execute(sql`
      INSERT INTO escrow.steps (trade_id, step, completed_at) VALUES (${planted.id}, 'initiated', ${when(-9)})`);
    const view = await shown(planted, "buyer");
    const { can: _, infoExchange: __, ...rest } = view;
    const person = ({ userId, username }: { userId: number; username: string }) => {
      return { id: userId, username, displayName: "Bat Erdene", avatarInitials: "BE" };
    };
    const step = (name: string, completedAt: string | null = null) => ({ step: name, completedAt });
    expect(rest).toEqual({
      ...{ id: planted.id, transactionCode: planted.code, chatRoomId: planted.roomId },
      ...{
        buyerId: planted.buyer.userId,
        sellerId: planted.seller.userId,
        amount: 100_000,
        serviceFee: 10_000,
      },
      ...{ feePayer: "buyer", grossAmount: 110_000, netAmount: 100_000, status: "payment_processing" },
      ...{
        paymentMethod: "qpay",
        goods: "other",
        description: null,
        createdAt: view.createdAt,
        updatedAt: view.updatedAt,
      },
      ...{ invoiceId: id, qrImageUrl: `/qr/${id}.png` },
      ...{ buyerConfirmedComplete: false, sellerConfirmedComplete: false },
      ...{ buyerConfirmedCancel: false, sellerConfirmedCancel: false },
      ...{
        handedOverAt: null,
        handOverNote: null,
        receivedOtherwiseAt: null,
        endReason: null,
        endedAt: null,
        role: "buyer",
      },
      ...{ buyer: person(planted.buyer), seller: person(planted.seller) },
      ...{ paidAmount: 60_000, remainingAmount: 50_000, heldAmount: 60_000, refundAmount: 60_000 },
      cancellationRequests: { buyer: null, seller: null },
      confirmations: { payment: null, buyer: null, seller: null },
      ...{
        due: { payoutAmount: null, payoutSent: false, refund: null },
        refundAccount: null,
        turn: "buyer_pay",
      },
      standing: {
        money: "waiting",
        done: ["agreed"],
        ended: false,
        payingOut: false,
        handOverSkipped: false,
      },
      clocks: [{ kind: "payment_window", dueAt: iso(9), overdue: false, paused: false, extendedMinutes: 2 }],
      serverTime: iso(0),
      invoice: {
        ...{ invoiceId: id, amount: 110_000, qrImageUrl: `/qr/${id}.png`, shortUrl: "https://qpay.mn/x" },
        ...{ bankLinks: [], expiresAt: iso(1), expired: false },
      },
      paymentCheckedAt: null,
      steps: [
        step("initiated", iso(-9)),
        ...["payment_initiated", "payment_processing", "exchange_info", "completed"].map((name) =>
          step(name),
        ),
      ],
      vault: {
        ...{
          state: "none",
          revision: "none",
          sealedAt: null,
          openedAt: null,
          openedCount: 0,
          checkBy: null,
          overdue: false,
        },
        ...{
          checked: { password: false, secondFactor: false, recovery: false },
          destroyedAt: null,
          earlier: [],
        },
      },
      unavailable: [],
      ...{ dispute: null, onHold: false, heldForChecking: false, tradeChecked: false, hidden: false },
    } as never);
    await runInTransaction(async (tx) => {
      const row = { providerPaymentId: crypto.randomUUID(), invoiceId: id, amount: 60_000, paidAt: at };
      await recordPayments(tx, { reference: planted.id, rows: [row], owed: 110_000, at });
    });
    expect(await shown(planted, "buyer")).toMatchObject({ paidAmount: 110_000, remainingAmount: 0 });
  });

  test("has only an open, payable invoice, and no paused deadline after the end", async () => {
    for (const [status, state] of [
      ["payment_initiated", "cancelled"],
      ["payment_initiated", "reserved"],
      ["cancelled", "open"],
    ] as const) {
      const planted = await plantTrade(status);
      const id = await invoiced(planted, state);
      expect(await shown(planted, "seller")).toMatchObject({ invoiceId: id, invoice: null });
    }
    const planted = await plantTrade("payment_initiated");
    await db().execute(sql`UPDATE escrow.trades SET invoice_id = ${invoiceId()} WHERE id = ${planted.id}`);
    await db().execute(sql`
      INSERT INTO escrow.deadlines (trade_id, kind, state, started_at, due_at, extended_ms, closed_at) VALUES
      (${planted.id}, 'payment_window', 'closed', ${when(-9)}, ${when(9)}, 120000, ${when(0)}),
      (${planted.id}, 'payment_window', 'running', ${when(-9)}, ${when(0)}, 0, NULL)`);
    expect(await shown(planted, "seller")).toMatchObject({
      ...{ invoice: null, remainingAmount: 110_000 },
      clocks: [{ kind: "payment_window", overdue: true, extendedMinutes: 0 }],
    });
  });

  test("has when each side confirmed, the latest dispute, and what is due to whom", async () => {
    const planted = await plantTrade("settlement_pending");
    const { id, seller, buyer } = planted;
    await db().execute(sql`
      INSERT INTO escrow.disputes (trade_id, opened_by, opened_from, opened_at, outcome, ended_at)
      VALUES (${id}, 'buyer', 'payment_confirmed', ${when(1)}, 'withdrawn', ${when(2)})`);
    await runInTransaction(async (tx) => {
      const row = {
        providerPaymentId: crypto.randomUUID(),
        invoiceId: invoiceId(),
        amount: 110_000,
        paidAt: at,
      };
      await recordPayments(tx, { reference: id, rows: [row], owed: 110_000, at });
      const due = { reference: id, fee: 0, dueAt: at, at, by: { userId: null } };
      await createDuePayout(tx, { ...due, kind: "payout", amount: 70_000, recipientId: seller.userId });
      await createDuePayout(tx, { ...due, kind: "refund", amount: 40_000, recipientId: buyer.userId });
    });
    await db().execute(sql`
      UPDATE escrow.trades SET buyer_completed_at = ${when(3)}, seller_completed_at = ${when(4)}, hidden_at = ${when(5)} WHERE id = ${id}`);
    const view = await shown(planted, "seller");
    expectMatch(view, {
      ...{
        role: "seller",
        turn: "buyer_refund_account",
        heldAmount: 110_000,
        remainingAmount: 0,
        hidden: true,
      },
      confirmations: { payment: expect.any(String), buyer: iso(3), seller: iso(4) },
      due: {
        payoutAmount: 70_000,
        payoutSent: false,
        refund: { amount: 40_000, sent: false, sentAt: null, accountGiven: false },
      },
      dispute: { openedBy: "buyer", outcome: "withdrawn", openedAt: iso(1), endedAt: iso(2) },
    });
    expect(view.confirmations.payment).not.toBe(iso(3));
    const room = await tradeOfRoom(buyer, planted.roomId);
    expect(room).toMatchObject({ ok: true, trade: { id, role: "buyer" } });
    expect(await tradeOfRoom(buyer, await plantRoom(seller.userId, buyer.userId))).toEqual({
      ok: true,
      trade: null,
    });
  });

  test("for an administrator has both people with contacts, the money and the possible decisions", async () => {
    const admin = await plantUser({ isAdmin: true, displayName: "Desk" });
    const planted = await plantTrade("payment_confirmed");
    const { id, code, seller, buyer } = planted;
    const invoice = await invoiced(planted, "cancelled");
    await saveBankInfo(seller, id, sellerAccount);
    await db().execute(sql`
      UPDATE identity.users SET phone_number = '+97699112233', bank_account = '5012' WHERE id = ${buyer.userId}`);
    const paid = { providerPaymentId: crypto.randomUUID(), invoiceId: invoice, amount: 115_000, paidAt: at };
    await runInTransaction((tx) =>
      recordPayments(tx, { reference: id, rows: [{ ...paid, payerBank: "050000" }], owed: 110_000, at }),
    );
    await db().execute(sql`
      INSERT INTO escrow.deadlines (trade_id, kind, state, started_at, due_at) VALUES (${id}, 'hand_over', 'running', ${when(-9)}, ${when(0)})`);
    await db().execute(sql`
      INSERT INTO escrow.disputes (trade_id, opened_by, opened_from, opened_at, outcome, ended_at)
      VALUES (${id}, 'buyer', 'payment_confirmed', ${when(1)}, 'withdrawn', ${when(2)})`);
    await db().execute(sql`
      INSERT INTO escrow.hand_confirmations (trade_id, amount, bank_reference, proposed_by, proposed_at)
      VALUES (${id}, 5, ${invoice}, ${admin.userId}, ${when(0)})`);
    await db().execute(
      sql`INSERT INTO escrow.steps (trade_id, step, completed_at) VALUES (${id}, 'initiated', ${when(-9)})`,
    );
    const read = async (who: typeof admin) => {
      const restore = setClock(() => at);
      const found = await adminTrade(who, id).finally(restore);
      if (!found.ok) throw new Error(found.code);
      return found.detail;
    };
    const detail = await read(admin);
    const { transaction: listed, infoExchange, vault, payouts, invoices, ...rest } = detail;
    const person = (of: typeof admin, more: object) => {
      const { userId, username, email } = of;
      return { id: userId, username, displayName: "Bat Erdene", avatarInitials: "BE", email, ...more };
    };
    const sums = { toBuyer: 0, toSeller: 0, fee: 0 };
    expect(rest).toEqual({
      buyer: person(buyer, { phoneNumber: "+97699112233", bankAccount: "5012" }),
      seller: person(seller, { phoneNumber: null, bankAccount: null }),
      steps: ["initiated", "payment_initiated", "payment_processing", "exchange_info", "completed"].map(
        (step, at) => {
          return { step, completedAt: at === 0 ? iso(-9) : null };
        },
      ),
      ...{ heldAmount: 110_000, receivedAmount: 110_000 },
      clocks: [{ kind: "hand_over", dueAt: iso(0), overdue: true, paused: false, extendedMinutes: 0 }],
      disputes: [
        {
          ...{ openedBy: "buyer", openedFrom: "payment_confirmed", openedAt: iso(1), outcome: "withdrawn" },
          ...{ refundAmount: null, endedAt: iso(2), mediator: null, statements: [] },
        },
      ],
      byHand: { open: { id: expect.any(Number), by: "Desk", own: true, obstacle: null }, laidAside: [] },
      decisions: {
        complete: { ...sums, toSeller: 100_000, fee: 10_000 },
        cancel: { ...sums, toBuyer: 110_000 },
        cancelledBy: null,
      },
      ...{ holds: [], hiddenAt: null, erasedAt: null, ownTrade: false, serverTime: iso(0) },
    } as never);
    expect(listed).toMatchObject({ id, transactionCode: code, standing: { money: "held" } });
    expect([infoExchange.transactionId, vault.state]).toEqual([id, "none"]);
    expect(invoices).toMatchObject([{ id: invoice, state: "cancelled" }]);
    expect(payouts).toMatchObject([
      ...[{ kind: "refund", amount: 5_000, fourEyes: false, payerBanks: ["050000"], destinationDigest: "" }],
    ]);
    overrideConfig({ PAYOUT_FOUR_EYES_ABOVE: 4_999 });
    const own = await read({ ...buyer, isAdmin: true });
    overrideConfig({ PAYOUT_FOUR_EYES_ABOVE: undefined });
    expect(own).toMatchObject({
      ownTrade: true,
      byHand: { open: null, laidAside: [] },
      payouts: [{ fourEyes: true }],
    });
    await db().execute(sql`UPDATE escrow.trades SET hidden_at = ${when(6)} WHERE id = ${id}`);
    expect(await read(admin)).toMatchObject({ hiddenAt: iso(6), erasedAt: null });
  });
});

describe("lists", () => {
  test("have one's own trades on either side, newest first, in pages, without hidden ones", async () => {
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
    expect((await readTrade(person, mine.id)).ok).toBe(true);
  });

  test("page by the last id seen", async () => {
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

  test("accept two filter words for several statuses; an unknown word matches nothing", () => {
    expect(statusesOf("pending")).toEqual(["initiated", "payment_initiated", "payment_pending"]);
    expect(statusesOf("confirmed_complete")).toEqual(["settlement_pending"]);
    expect(statusesOf("COMPLETED")).toEqual(["completed"]);
    expect(statusesOf("nonsense")).toEqual([]);
  });
});
