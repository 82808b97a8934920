import { describe, expect, test } from "bun:test";
import { decide } from "./decide.ts";
import { at, birth, tradeIn } from "./fixture.ts";
import type { Command, Dispute, Status, Trade, Who } from "./types.ts";

// What the table of states cannot show: the same state come to in another way. One line a circumstance:
// what is special, the state, how the trade differs, who gives which command, and what becomes of it.
type Line = [string, Status, Partial<Trade>, Who, Command, string];

const figures = {
  amount: 40_000,
  fee: 5_000,
  feePayer: "buyer",
  feePolicy: "standard",
  gross: 45_000,
  net: 40_000,
} as const;
const amend: Command = { kind: "amend", figures, description: null };
const again: Command = {
  kind: "amend",
  figures: {
    amount: 100_000,
    fee: 10_000,
    feePayer: "buyer",
    feePolicy: "standard",
    gross: 110_000,
    net: 100_000,
  },
  description: null,
};
const withdraw: Command = { kind: "withdraw" };
const issue = (invoiceId: string): Command => ({ kind: "issue_invoice", invoiceId });
const checked = (booked = 0): Command => ({ kind: "payment_checked", booked, complete: true, failed: false });
const confirm: Command = { kind: "confirm" };
const askCancel: Command = { kind: "request_cancellation" };
const takeBack: Command = { kind: "withdraw_cancellation" };
const dispute: Command = { kind: "open_dispute" };
const undispute: Command = { kind: "withdraw_dispute" };
const rule = (ruling: "release" | "refund" | "split", refundAmount?: number): Command =>
  refundAmount === undefined ? { kind: "rule", ruling } : { kind: "rule", ruling, refundAmount };
const complete: Command = { kind: "complete" };
const paySeller: Command = { kind: "pay_seller" };
const cancel: Command = { kind: "cancel", ourFault: false };
const shown = "11111111-1111-4111-8111-111111111111";
const over = { payment_window: { dueAt: at, pausedAt: null } };
const by = (
  openedBy: "buyer" | "seller",
  from: Dispute["from"],
  outcome: Dispute["outcome"] = null,
): Dispute => ({
  openedBy,
  from,
  outcome,
  refundAmount: outcome === "split" ? 30_000 : null,
  earlierSplit: null,
});

const lines: Line[] = [
  ["the same request again", "initiated", {}, "seller", again, "="],
  ["the same request again, invoiced", "payment_initiated", {}, "seller", again, "="],
  ["something is booked", "payment_processing", { held: 1_000 }, "seller", amend, "MONEY_BOOKED"],
  ["something is booked", "payment_processing", { held: 1_000 }, "seller", withdraw, "MONEY_BOOKED"],
  ["the window is over", "payment_initiated", { deadlines: over }, "seller", amend, "WINDOW_OVER"],
  ["the window is over", "payment_initiated", { deadlines: over }, "buyer", issue("x"), "WINDOW_OVER"],
  [
    "the window is over, yet it is paid",
    "payment_initiated",
    { deadlines: over, held: 110_000 },
    "provider",
    checked(110_000),
    "payment_confirmed",
  ],
  ["it was withdrawn", "cancelled", { endReason: "withdrawn" }, "seller", withdraw, "="],
  [
    "it was withdrawn",
    "cancelled",
    { endReason: "withdrawn" },
    "buyer",
    { kind: "mark_paid" },
    "TRADE_OVERTAKEN",
  ],
  ["it expired", "cancelled", { endReason: "expired" }, "clock", { kind: "expire", complete: true }, "="],
  ["this invoice was shown", "payment_initiated", {}, "seller", issue(shown), "="],
  ["this invoice was shown, and looked at", "payment_pending", {}, "buyer", issue(shown), "="],
  ["something is booked", "payment_pending", { held: 1_000 }, "buyer", issue("x"), "payment_processing"],
  [
    "marked, looked at, marked again",
    "payment_pending",
    { markedPaidAt: birth },
    "buyer",
    { kind: "mark_paid" },
    "payment_processing",
  ],
  [
    "in processing by a part alone",
    "payment_processing",
    { markedPaidAt: null, held: 9 },
    "buyer",
    { kind: "mark_paid" },
    "payment_processing",
  ],
  [
    "closed without money",
    "completed",
    { confirmedAt: null, endReason: "closed", moneySent: false },
    "buyer",
    { kind: "mark_paid" },
    "TRADE_OVERTAKEN",
  ],
  ["a part came before, nothing new", "payment_processing", { held: 9 }, "provider", checked(0), "="],
  ["a second part", "payment_processing", { held: 9 }, "provider", checked(3), "payment_processing"],
  [
    "handed over before",
    "payment_confirmed",
    { handedOverAt: birth },
    "seller",
    { kind: "hand_over", note: null },
    "=",
  ],
  [
    "handed over before",
    "settlement_pending",
    { handedOverAt: birth },
    "seller",
    { kind: "hand_over", note: null },
    "=",
  ],
  [
    "handed over before, then cancelled",
    "cancelled",
    { handedOverAt: birth },
    "seller",
    { kind: "hand_over", note: null },
    "TRADE_OVERTAKEN",
  ],
  [
    "the seller asked to cancel",
    "payment_confirmed",
    { sellerCancelAt: birth },
    "seller",
    { kind: "hand_over", note: null },
    "CANCELLATION_PENDING",
  ],
  [
    "the buyer asked to cancel",
    "payment_confirmed",
    { buyerCancelAt: birth },
    "seller",
    { kind: "hand_over", note: null },
    "payment_confirmed",
  ],
  [
    "the buyer asked to cancel",
    "payment_confirmed",
    { buyerCancelAt: birth },
    "buyer",
    confirm,
    "CANCELLATION_PENDING",
  ],
  [
    "the seller asked to cancel",
    "payment_confirmed",
    { sellerCancelAt: birth },
    "buyer",
    { kind: "take_goods" },
    "payment_confirmed",
  ],
  [
    "the seller asked to cancel in the dispute",
    "disputed",
    { sellerCancelAt: birth },
    "buyer",
    { kind: "take_goods" },
    "disputed",
  ],
  [
    "the seller had asked to cancel, and it is over",
    "cancelled",
    { sellerCancelAt: birth },
    "buyer",
    { kind: "take_goods" },
    "=",
  ],
  [
    "the seller asked to cancel",
    "payment_confirmed",
    { sellerCancelAt: birth },
    "buyer",
    confirm,
    "exchange_completed",
  ],
  [
    "the seller asked to cancel",
    "payment_confirmed",
    { sellerCancelAt: birth },
    "seller",
    confirm,
    "BUYER_FIRST",
  ],
  [
    "no account given",
    "exchange_completed",
    { sellerDestination: false },
    "seller",
    confirm,
    "DESTINATION_MISSING",
  ],
  [
    "closed by an administrator before",
    "completed",
    { buyerCompletedAt: null },
    "buyer",
    confirm,
    "TRADE_OVERTAKEN",
  ],
  [
    "released: the seller never confirmed",
    "settlement_pending",
    { sellerCompletedAt: null },
    "seller",
    confirm,
    "TRADE_OVERTAKEN",
  ],
  [
    "the buyer asked to cancel in the dispute",
    "disputed",
    { buyerCancelAt: birth },
    "buyer",
    confirm,
    "CANCELLATION_PENDING",
  ],
  [
    "the seller's word before the dispute",
    "disputed",
    { sellerCompletedAt: birth, buyerCompletedAt: birth, dispute: by("buyer", "settlement_pending") },
    "seller",
    confirm,
    "TRADE_OVERTAKEN",
  ],
  ["asked before", "payment_confirmed", { buyerCancelAt: birth }, "buyer", askCancel, "="],
  ["the other asked", "payment_confirmed", { buyerCancelAt: birth }, "seller", askCancel, "cancelled"],
  ["the other asked", "disputed", { sellerCancelAt: birth }, "buyer", askCancel, "cancelled"],
  ["cancelled by both", "cancelled", { endReason: "agreed" }, "buyer", askCancel, "="],
  ["cancelled by both", "cancelled", { endReason: "agreed" }, "seller", takeBack, "TRADE_OVERTAKEN"],
  ["asked before", "disputed", { sellerCancelAt: birth }, "seller", takeBack, "disputed"],
  [
    "the payout is sent",
    "settlement_pending",
    { moneySent: true, held: 0 },
    "seller",
    dispute,
    "MONEY_ALREADY_SENT",
  ],
  [
    "half of a split is sent",
    "settlement_pending",
    { moneySent: true, held: 30_000 },
    "buyer",
    dispute,
    "MONEY_ALREADY_SENT",
  ],
  [
    "from exchange_completed",
    "disputed",
    { dispute: by("seller", "exchange_completed") },
    "seller",
    undispute,
    "exchange_completed",
  ],
  [
    "from settlement_pending",
    "disputed",
    { dispute: by("seller", "settlement_pending") },
    "seller",
    undispute,
    "settlement_pending",
  ],
  [
    "withdrawn before",
    "exchange_completed",
    { dispute: by("buyer", "exchange_completed", "withdrawn") },
    "buyer",
    undispute,
    "=",
  ],
  [
    "withdrawn before by the other",
    "exchange_completed",
    { dispute: by("buyer", "exchange_completed", "withdrawn") },
    "seller",
    undispute,
    "TRADE_OVERTAKEN",
  ],
  [
    "a second dispute",
    "exchange_completed",
    { dispute: by("buyer", "exchange_completed", "withdrawn") },
    "seller",
    dispute,
    "disputed",
  ],
  [
    "ruled so before",
    "settlement_pending",
    { dispute: by("buyer", "payment_confirmed", "release") },
    "admin",
    rule("release"),
    "=",
  ],
  [
    "ruled so before",
    "completed",
    { dispute: by("buyer", "payment_confirmed", "split") },
    "admin",
    rule("split", 30_000),
    "=",
  ],
  [
    "split otherwise before",
    "settlement_pending",
    { dispute: by("buyer", "payment_confirmed", "split") },
    "admin",
    rule("split", 1),
    "TRADE_OVERTAKEN",
  ],
  [
    "ruled so before",
    "cancelled",
    { dispute: by("buyer", "payment_confirmed", "refund") },
    "admin",
    rule("refund"),
    "=",
  ],
  [
    "ruled otherwise before",
    "cancelled",
    { dispute: by("buyer", "payment_confirmed", "refund") },
    "admin",
    rule("release"),
    "TRADE_OVERTAKEN",
  ],
  ["a split of nothing", "disputed", {}, "admin", rule("split", 0), "SPLIT_OUT_OF_RANGE"],
  ["a split without a sum", "disputed", {}, "admin", rule("split"), "SPLIT_OUT_OF_RANGE"],
  ["a split of all", "disputed", {}, "admin", rule("split", 100_000), "SPLIT_OUT_OF_RANGE"],
  ["a split of a fraction", "disputed", {}, "admin", rule("split", 0.5), "SPLIT_OUT_OF_RANGE"],
  ["a split of all but one", "disputed", {}, "admin", rule("split", 99_999), "settlement_pending"],
  [
    "no account given",
    "payment_confirmed",
    { sellerDestination: false },
    "admin",
    complete,
    "DESTINATION_MISSING",
  ],
  [
    "no account given, nothing held",
    "payment_initiated",
    { sellerDestination: false },
    "admin",
    complete,
    "completed",
  ],
  [
    "no account given",
    "exchange_completed",
    { sellerDestination: false },
    "admin",
    paySeller,
    "DESTINATION_MISSING",
  ],
  [
    "ruled as a split",
    "settlement_pending",
    { dispute: by("buyer", "payment_confirmed", "split") },
    "admin",
    paySeller,
    "TRADE_OVERTAKEN",
  ],
  ["called off before", "cancelled", { endReason: "admin" }, "admin", cancel, "="],
  [
    "closed without money",
    "completed",
    { endReason: "closed", moneySent: false, confirmedAt: null },
    "admin",
    cancel,
    "cancelled",
  ],
  [
    "half of a split is sent",
    "settlement_pending",
    { moneySent: true, held: 30_000 },
    "admin",
    cancel,
    "MONEY_ALREADY_SENT",
  ],
  ["hidden before", "completed", { hiddenAt: birth }, "admin", { kind: "hide" }, "="],
  ["nothing held any more", "cancelled", { held: 0 }, "admin", { kind: "hide" }, "cancelled"],
];

describe("the machine, by circumstance", () => {
  for (const [what, status, patch, who, command, expected] of lines) {
    test(`${what}: ${status}, ${command.kind} by ${who} → ${expected}`, () => {
      const trade = tradeIn(status, patch);
      const decision = decide(trade, { ...command, who }, at);
      const came = decision.ok ? (decision.changed ? decision.trade.status : "=") : decision.code;
      expect(came).toBe(expected);
    });
  }
});
