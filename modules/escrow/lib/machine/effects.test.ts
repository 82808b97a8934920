import { describe, expect, test } from "bun:test";
import { hasText } from "#locales";
import { expectMatch } from "../../../../tests/support/expect-match.ts";
import { beginTrade } from "./begin-trade.ts";
import { decideCommand } from "./decide.ts";
import { type Shares, sharesOf, sumToType } from "./dispute.ts";
import { at, birth, figures, otherFigures, tradeIn } from "./trade.fixture.ts";
import type { Command, Effect, Status, Trade, Who } from "./trade-types.ts";
import { noticeCodes } from "./trade-types.ts";

const hour = 3_600_000;
const parties = {
  code: "MM-00000000",
  roomId: 3,
  buyerId: 1,
  sellerId: 2,
  goods: "account",
  description: "a key",
} as const;

function done(status: Status, patch: Partial<Trade>, who: Who, command: Command) {
  const decision = decideCommand(tradeIn(status, patch), { ...command, who }, at);
  if (!decision.ok || !decision.changed) throw new Error(`nothing changed: ${JSON.stringify(decision)}`);
  return decision;
}

const money = (effects: Effect[]) =>
  effects.filter(({ kind }) => ["payout_due", "refund_due", "void_due", "send_due"].includes(kind));
const notices = (effects: Effect[]) =>
  effects.flatMap((effect) => (effect.kind === "notice" ? [effect.code] : []));
const confirm: Command = { kind: "confirm" };
const settling = {
  openedBy: "buyer",
  from: "settlement_pending",
  outcome: null,
  refundAmount: null,
  earlierSplit: null,
} as const;

describe("a decision's effects on money", () => {
  const terms = { feePolicy: "terms", fee: 7_000, gross: 107_000, net: 100_000, held: 107_000 } as const;
  const lines: Array<[string, Status, Partial<Trade>, Who, Command, unknown[]]> = [
    [
      "the seller's confirmation makes the net due",
      "exchange_completed",
      {},
      "seller",
      confirm,
      [{ kind: "payout_due", amount: 100_000, fee: 10_000 }],
    ],
    [
      "the buyer's release too",
      "disputed",
      {},
      "buyer",
      { kind: "confirm", endsDispute: true },
      [{ kind: "payout_due", amount: 100_000, fee: 10_000 }],
    ],
    [
      "cancelling together returns the whole gross",
      "payment_confirmed",
      { buyerCancelAt: birth },
      "seller",
      { kind: "request_cancellation" },
      [{ kind: "refund_due", amount: 110_000, fee: 0 }],
    ],
    [
      "by the terms the fee is kept",
      "payment_confirmed",
      { ...terms, buyerCancelAt: birth },
      "seller",
      { kind: "request_cancellation" },
      [{ kind: "refund_due", amount: 100_000, fee: 7_000 }],
    ],
    [
      "by the terms, but our own fault",
      "payment_confirmed",
      terms,
      "admin",
      { kind: "cancel", ourFault: true },
      [{ kind: "refund_due", amount: 107_000, fee: 0 }],
    ],
    [
      "by the terms, called off",
      "payment_confirmed",
      terms,
      "admin",
      { kind: "cancel", ourFault: false },
      [{ kind: "refund_due", amount: 100_000, fee: 7_000 }],
    ],
    [
      "by the terms, expired with a part",
      "payment_processing",
      { ...terms, held: 6_000, deadlines: { payment_window: { dueAt: at, pausedAt: null } } },
      "clock",
      { kind: "expire", complete: true },
      [{ kind: "refund_due", amount: 6_000, fee: 0 }],
    ],
    [
      "by the terms, called off with a part",
      "payment_processing",
      { ...terms, held: 6_000 },
      "admin",
      { kind: "cancel", ourFault: false },
      [{ kind: "refund_due", amount: 6_000, fee: 0 }],
    ],
    [
      "expired with nothing",
      "payment_pending",
      { deadlines: { payment_window: { dueAt: at, pausedAt: null } } },
      "clock",
      { kind: "expire", complete: true },
      [],
    ],
    [
      "a dispute voids what is due",
      "settlement_pending",
      {},
      "buyer",
      { kind: "open_dispute" },
      [{ kind: "void_due" }],
    ],
    [
      "a dispute before that has nothing to void",
      "exchange_completed",
      {},
      "buyer",
      { kind: "open_dispute" },
      [],
    ],
    [
      "withdrawn, it is due again",
      "disputed",
      { dispute: settling },
      "buyer",
      { kind: "withdraw_dispute" },
      [{ kind: "payout_due", amount: 100_000, fee: 10_000 }],
    ],
    [
      "withdrawn after a split, the split is due again",
      "disputed",
      { dispute: { ...settling, earlierSplit: 30_000 } },
      "buyer",
      { kind: "withdraw_dispute" },
      [
        { kind: "payout_due", amount: 70_000, fee: 10_000 },
        { kind: "refund_due", amount: 30_000, fee: 0 },
      ],
    ],
    [
      "a ruling for the seller",
      "disputed",
      {},
      "admin",
      { kind: "rule", ruling: "release" },
      [{ kind: "payout_due", amount: 100_000, fee: 10_000 }],
    ],
    [
      "a ruling for the buyer",
      "disputed",
      {},
      "admin",
      { kind: "rule", ruling: "refund" },
      [{ kind: "refund_due", amount: 110_000, fee: 0 }],
    ],
    [
      "a split divides gross − fee",
      "disputed",
      {},
      "admin",
      { kind: "rule", ruling: "split", refundAmount: 30_000 },
      [
        { kind: "payout_due", amount: 70_000, fee: 10_000 },
        { kind: "refund_due", amount: 30_000, fee: 0 },
      ],
    ],
    [
      "an administrator completes with money in hand",
      "payment_confirmed",
      {},
      "admin",
      { kind: "complete" },
      [{ kind: "payout_due", amount: 100_000, fee: 10_000 }, { kind: "send_due" }],
    ],
    [
      "or only lets the seller have it",
      "payment_confirmed",
      {},
      "admin",
      { kind: "pay_seller" },
      [{ kind: "payout_due", amount: 100_000, fee: 10_000 }],
    ],
    [
      "or in a dispute after a split, which stands",
      "disputed",
      { dispute: { ...settling, earlierSplit: 30_000 } },
      "admin",
      { kind: "complete" },
      [
        { kind: "payout_due", amount: 70_000, fee: 10_000 },
        { kind: "refund_due", amount: 30_000, fee: 0 },
        { kind: "send_due" },
      ],
    ],
    [
      "or in settlement, where it is due already",
      "settlement_pending",
      {},
      "admin",
      { kind: "complete" },
      [{ kind: "send_due" }],
    ],
    [
      "or with a part: the seller before the fee",
      "payment_processing",
      { held: 103_000 },
      "admin",
      { kind: "complete" },
      [{ kind: "payout_due", amount: 100_000, fee: 3_000 }, { kind: "send_due" }],
    ],
    ["or with nothing", "payment_initiated", {}, "admin", { kind: "complete" }, []],
    [
      "called off in settlement",
      "settlement_pending",
      {},
      "admin",
      { kind: "cancel", ourFault: false },
      [{ kind: "void_due" }, { kind: "refund_due", amount: 110_000, fee: 0 }],
    ],
  ];
  for (const [what, status, patch, who, command, expected] of lines) {
    test(what, () => {
      expect(money(done(status, patch, who, command).effects)).toEqual(expected as Effect[]);
    });
  }
});

describe("a decision's effects on deadlines", () => {
  const nothing: Command = { kind: "payment_checked", booked: 110_000, complete: true, failed: false };
  const due = (trade: Trade, kind: keyof Trade["deadlines"]) => {
    const deadline = trade.deadlines[kind];
    return deadline === undefined ? null : (deadline.dueAt.getTime() - at.getTime()) / hour;
  };

  test("the first invoice starts the two hours, a new QR code does not restart them", () => {
    const first = done("initiated", {}, "buyer", { kind: "issue_invoice", invoiceId: "a" }).trade;
    expect(due(first, "payment_window")).toBe(2);
    const second = done("payment_initiated", {}, "buyer", { kind: "issue_invoice", invoiceId: "b" }).trade;
    expect(due(second, "payment_window")).toBe(1);
  });

  test("an amendment allows a day again, and the next invoice two hours", () => {
    const amend: Command = { kind: "amend", figures: otherFigures, goods: "other", description: null };
    const { trade } = done("payment_pending", {}, "seller", amend);
    expect(due(trade, "payment_window")).toBe(24);
    expectMatch(trade, {
      ...otherFigures,
      status: "initiated",
      invoiceId: null,
      rolesLockedAt: birth,
    });
    const next = decideCommand(trade, { kind: "issue_invoice", invoiceId: "b", who: "buyer" }, at);
    expect(next.ok && due(next.trade, "payment_window")).toBe(2);
  });

  test("payment, handover, completion and settlement each start their own deadline and end the one before", () => {
    const paid = done("payment_initiated", { held: 110_000 }, "provider", nothing).trade;
    expect(Object.keys(paid.deadlines)).toEqual(["hand_over"]);
    const handed = done("payment_confirmed", {}, "seller", { kind: "hand_over", note: null }).trade;
    expect([due(handed, "buyer_finish"), due(handed, "admin_review")]).toEqual([12, 24]);
    expect(Object.keys(handed.deadlines)).toHaveLength(2);
    const received = done("payment_confirmed", {}, "buyer", confirm).trade;
    expect(Object.keys(received.deadlines)).toEqual(["seller_finish"]);
    expect(due(received, "seller_finish")).toBe(12);
    const settling = done("exchange_completed", {}, "seller", confirm).trade;
    expect(Object.keys(settling.deadlines)).toEqual(["payout"]);
    expect(due(settling, "payout")).toBe(3);
  });

  test("a dispute pauses the parties' deadlines, and restores the remaining time", () => {
    const { trade } = done("payment_confirmed", {}, "buyer", { kind: "open_dispute" });
    expect(trade.deadlines.hand_over?.pausedAt).toEqual(at);
    expect([due(trade, "dispute_statements"), due(trade, "dispute_ruling")]).toEqual([24, 48]);
    const later = new Date(at.getTime() + 5 * hour);
    const back = decideCommand(trade, { kind: "withdraw_dispute", who: "buyer" }, later);
    expect(back.ok && back.trade.deadlines).toEqual({
      hand_over: { dueAt: new Date(at.getTime() + 28 * hour), pausedAt: null },
    });
  });

  test("every end of a trade ends its deadlines, except the one for a refund account", () => {
    const refund_account = { dueAt: new Date(at.getTime() + hour), pausedAt: null };
    for (const status of [
      "initiated",
      "payment_confirmed",
      "exchange_completed",
      "disputed",
      "settlement_pending",
    ] as const) {
      for (const kind of ["cancel", "complete"] as const) {
        const command: Command = kind === "cancel" ? { kind, ourFault: false } : { kind };
        expect(done(status, {}, "admin", command).trade.deadlines).toEqual({});
        const { deadlines } = tradeIn(status);
        const beside = { deadlines: { ...deadlines, refund_account } };
        expect(done(status, beside, "admin", command).trade.deadlines).toEqual({ refund_account });
      }
    }
  });
});

describe("a decision's notices", () => {
  test("have texts in the catalogues", () => {
    expect(noticeCodes.filter((code) => !hasText(`notices.${code}`))).toEqual([]);
  });

  test("confirm the payment with one notice, and marking as paid adds none", () => {
    const paid: Command = { kind: "payment_checked", booked: 110_000, complete: true, failed: false };
    expect(notices(done("payment_pending", { held: 110_000 }, "provider", paid).effects)).toEqual([
      "paymentConfirmed",
    ]);
    expect(done("payment_pending", {}, "buyer", { kind: "mark_paid" }).effects).toEqual([]);
  });

  test("show with the QR code what is left to pay", () => {
    const { effects } = done("payment_processing", { held: 4_000 }, "buyer", {
      kind: "issue_invoice",
      invoiceId: "x",
    });
    expect(effects).toContainEqual({
      kind: "notice",
      code: "paymentQr",
      type: "payment_qr",
      params: {
        transactionId: 7,
        code: "MM-00000000",
        amount: 100_000,
        serviceFee: 10_000,
        total: 106_000,
        description: "",
        by: "buyer",
      },
    });
  });

  test("the buyer's completion clears the seller's pending cancellation", () => {
    const { trade } = done("payment_confirmed", { sellerCancelAt: birth }, "buyer", confirm);
    expect(trade.sellerCancelAt).toBeNull();
  });

  test("a later step stamps skipped ones, and keeps existing ones", () => {
    const paid: Command = { kind: "payment_checked", booked: 110_000, complete: true, failed: false };
    const { trade } = done("payment_initiated", { held: 110_000 }, "provider", paid);
    expect(trade.steps).toEqual({ initiated: birth, payment_initiated: at, payment_processing: at });
    const { steps } = done("settlement_pending", { held: 0, moneySent: true }, "admin", {
      kind: "money_left",
    }).trade;
    expect(Object.keys(steps)).toEqual([
      "initiated",
      "payment_initiated",
      "payment_processing",
      "exchange_info",
      "completed",
    ]);
  });
});

describe("the amounts of a ruling before it is given", () => {
  test.each([
    ["release", { kind: "rule", ruling: "release" }, { toBuyer: 0, toSeller: 100_000, fee: 10_000 }, 100_000],
    ["refund", { kind: "rule", ruling: "refund" }, { toBuyer: 110_000, toSeller: 0, fee: 0 }, 110_000],
    [
      "split",
      { kind: "rule", ruling: "split", refundAmount: 30_000 },
      { toBuyer: 30_000, toSeller: 70_000, fee: 10_000 },
      30_000,
    ],
  ] as Array<["release" | "refund" | "split", Command, Shares, number]>)(
    "%s",
    (ruling, command, shares, sum) => {
      const found = sharesOf(done("disputed", {}, "admin", command).effects);
      expect(found).toEqual(shares);
      expect(sumToType(ruling, found)).toBe(sum);
    },
  );
});

test("a new trade has both parties, a day for its first invoice, and nothing else", () => {
  expect(beginTrade({ figures, ...parties }, birth)).toEqual({
    ...parties,
    ...figures,
    status: "initiated",
    ...{ invoiceId: null, rolesLockedAt: null, markedPaidAt: null, confirmedAt: null, handedOverAt: null },
    ...{ onHoldSince: null, holds: [] },
    ...{
      handOverNote: null,
      receivedOtherwiseAt: null,
      buyerCompletedAt: null,
      sellerCompletedAt: null,
      buyerCancelAt: null,
    },
    ...{
      sellerCancelAt: null,
      dispute: null,
      endReason: null,
      endedAt: null,
      hiddenAt: null,
      erasedAt: null,
    },
    ...{ createdAt: birth, updatedAt: birth, steps: { initiated: birth } },
    deadlines: { payment_window: { dueAt: new Date(birth.getTime() + 24 * hour), pausedAt: null } },
    ...{ held: 0, moneySent: false, sellerDestination: false },
  });
});
