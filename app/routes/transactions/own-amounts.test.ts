import { expect, test } from "bun:test";
import { hasText } from "#locales";
import type { RoomProgress } from "#views/escrow";
import { findOwnAmount } from "../../ui/trade/progress/progress-words.ts";

type Money = RoomProgress["standing"]["money"];

const progressIn = (money: Money, changed: Partial<RoomProgress> = {}): RoomProgress => ({
  transactionId: 1,
  code: "MM-7K2Q9XAB",
  status: "payment_confirmed",
  role: "buyer",
  standing: { money, done: [], ended: false, payingOut: false, handOverSkipped: false },
  turn: "seller_hand_over",
  own: false,
  grossAmount: 110_000,
  netAmount: 97_000,
  paidAmount: money === "waiting" || money === "none" ? 0 : 110_000,
  due: { payoutAmount: null, payoutSent: false, refund: null },
  heldForChecking: false,
  tradeChecked: false,
  clocks: [],
  over: false,
  keptFor: null,
  ...changed,
});
const refund = (sent: boolean) => ({
  status: "cancelled" as const,
  due: {
    payoutAmount: null,
    payoutSent: false,
    refund: { amount: 108_000, sent, sentAt: null, accountGiven: true },
  },
});

/** A ruling has given the buyer 37,000 of the net price, and the seller the rest. */
const split = (sent: boolean) => ({
  status: sent ? ("completed" as const) : ("settlement_pending" as const),
  due: {
    payoutAmount: 60_000,
    payoutSent: false,
    refund: { amount: 37_000, sent, sentAt: null, accountGiven: true },
  },
});

// Each row: the state of the money, what else differs, what the buyer sees, what the seller sees.
const cases: Array<[Money, Partial<RoomProgress>, string, string]> = [
  ["waiting", { status: "payment_initiated" }, "trade.sum.pay 110,000", "trade.sum.get 97,000"],
  [
    "waiting",
    { status: "payment_pending", paidAmount: 10_000 },
    "trade.rest 100,000",
    "trade.sum.get 97,000",
  ],
  ["held", {}, "trade.sum.paid 110,000", "trade.sum.get 97,000"],
  [
    "released",
    { status: "completed", due: { payoutAmount: 96_500, payoutSent: false, refund: null } },
    "trade.sum.paid 110,000",
    "trade.sum.got 96,500",
  ],
  ["held", split(false), "history.refund.buyer.due 37,000", "trade.sum.get 60,000"],
  ["released", split(true), "history.refund.buyer.sent 37,000", "trade.sum.got 60,000"],
  ["held", refund(false), "history.refund.buyer.due 108,000", "history.refund.seller.due 108,000"],
  ["returned", refund(true), "history.refund.buyer.sent 108,000", "history.refund.seller.sent 108,000"],
  ["disputed", { status: "disputed" }, "trade.sum.disputed 110,000", "trade.sum.disputed 110,000"],
  ["none", { status: "cancelled" }, "chat.outcome.buyer.none 110,000", "chat.outcome.seller.none 110,000"],
];

test.each(cases)("%s money, %j: the buyer sees %s, the seller %s", (money, changed, buyer, seller) => {
  for (const [role, wanted] of [
    ["buyer", buyer],
    ["seller", seller],
  ] as const) {
    const { label, sum, paid } = findOwnAmount(progressIn(money, { ...changed, role }));
    expect(`${label} ${sum}`).toBe(`${wanted}\u00a0₮`);
    expect(hasText(label)).toBe(true);
    expect(paid).toBe(money !== "none");
  }
});
