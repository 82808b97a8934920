import { describe, expect, test } from "bun:test";
import { findAwaitedEvent } from "../push-offer.tsx";
import { tradeStateOf } from "../state/trade-state.ts";
import type { TradeShown } from "../types.ts";
import {
  findTurnClock,
  formatInlineMoney,
  handOverOf,
  moneyForRole,
  turnForRole,
  visibleClocks,
} from "./trade-words.ts";

function shown(parts: Partial<TradeShown>, money: TradeShown["standing"]["money"]): TradeShown {
  const sums = {
    gross: 110_000,
    net: 100_000,
    toSeller: 100_000,
    payoutSent: false,
    booked: 0,
    refund: null,
  };
  const rest = { turn: "none", handedOver: false, over: false, clocks: [] };
  const done = parts.handedOver ? ["agreed", "paid", "held", "handedOver"] : ["agreed"];
  return { ...sums, ...rest, ...parts, standing: { money, done, ended: false } } as unknown as TradeShown;
}

test("an amount in a sentence does not break before its sign", () => {
  expect(formatInlineMoney(1_234_567)).toBe("1,234,567\u00a0₮");
});

describe("the progress of a trade", () => {
  test("a part payment is shown, and the buyer is asked only for the rest", () => {
    const trade = shown({ status: "payment_processing", booked: 50_000, turn: "buyer_pay" }, "waiting");
    expect(tradeStateOf(trade)).toBe("part_paid");
    expect(turnForRole(trade, "buyer")).toMatchObject({ own: true, turn: "buyer_pay_rest" });
    expect(moneyForRole(trade, "buyer").amount).toEqual({ label: "trade.rest", sum: "60,000 ₮" });
  });

  test("while a payment is being checked nobody is asked to pay; after a failed one the buyer is", () => {
    const marked = shown({ status: "payment_processing", turn: "buyer_pay" }, "waiting");
    expect(turnForRole(marked, "buyer")).toMatchObject({ own: false, turn: "checking" });
    const failed = shown({ status: "payment_failed", turn: "buyer_pay" }, "waiting");
    expect(turnForRole(failed, "buyer")).toMatchObject({ own: true, turn: "buyer_pay_again" });
    expect(turnForRole(failed, "seller")).toMatchObject({ own: false, turn: "buyer_pay_again" });
  });

  test("the headline follows the handover, and Midman's turn is the payout", () => {
    expect(tradeStateOf(shown({ status: "payment_confirmed" }, "held"))).toBe("payment_confirmed");
    expect(tradeStateOf(shown({ status: "payment_confirmed", handedOver: true }, "held"))).toBe(
      "handed_over",
    );
    const settling = shown({ status: "settlement_pending", turn: "admin" }, "held");
    expect(tradeStateOf(settling)).toBe("paying_out");
    const { standing } = settling;
    const both = { ...standing, done: [...standing.done, "confirmed" as const] };
    expect(tradeStateOf({ ...settling, standing: both })).toBe("settlement_pending");
    expect(turnForRole(settling, "buyer")).toEqual({ own: false, turn: "admin_pays" });
    expect(turnForRole(settling, "seller")).toEqual({ own: false, turn: "admin_pays_you" });
    const clocks = ["buyer_finish", "payout"].map((kind) => ({ kind })) as never;
    expect(findTurnClock({ ...settling, clocks })?.kind).toBe("payout");
    expect(findTurnClock({ turn: "buyer_confirm", status: "payment_confirmed", clocks })?.kind).toBe(
      "buyer_finish",
    );
    expect(findTurnClock({ turn: "none", status: "completed", clocks })).toBeUndefined();
  });

  test("the countdown belongs to the side whose turn it is", () => {
    const clocks = ["payout", "seller_finish", "refund_account"].map((kind) => ({ kind })) as never;
    const clock = (turn: string, status: string) => findTurnClock({ turn, status, clocks })?.kind;
    expect(clock("seller_confirm", "exchange_completed")).toBe("seller_finish");
    expect(clock("seller_destination", "exchange_completed")).toBe("seller_finish");
    expect(clock("buyer_refund_account", "cancelled")).toBe("refund_account");
    expect(clock("buyer_refund_account", "settlement_pending")).toBe("refund_account");
  });

  test("the side that must explain a dispute sees its own deadline first, then the mediator's", () => {
    const clocks = ["dispute_statements", "dispute_ruling"].map((kind) => ({ kind })) as never;
    const accused = shown({ status: "disputed", turn: "seller_explain", clocks }, "disputed");
    expect(turnForRole(accused, "seller")).toEqual({ own: true, turn: "seller_explain" });
    expect(turnForRole(accused, "buyer")).toEqual({ own: false, turn: "seller_explain" });
    expect(findTurnClock(accused)?.kind).toBe("dispute_statements");
    const both = shown({ status: "disputed", turn: "admin", clocks }, "disputed");
    expect(turnForRole(both, "seller")).toEqual({ own: false, turn: "admin_rules" });
    expect(findTurnClock(both)?.kind).toBe("dispute_ruling");
  });

  test("while a payment is checked no transfer is promised; a dispute can still be ruled", () => {
    const clocks = [{ kind: "payout" }, { kind: "dispute_ruling" }] as never;
    const held = { turn: "admin", clocks, heldForChecking: true };
    const paying = shown({ ...held, status: "settlement_pending" }, "held");
    expect(turnForRole(paying, "seller")).toEqual({ own: false, turn: "checking" });
    expect(findTurnClock(paying)).toBeUndefined();
    expect(tradeStateOf(paying)).toBe("paid_but_checked");
    const disputed = shown({ ...held, status: "disputed" }, "disputed");
    expect(turnForRole(disputed, "seller")).toEqual({ own: false, turn: "admin_rules" });
    expect(findTurnClock(disputed)?.kind).toBe("dispute_ruling");
  });

  test("while a payment is checked nobody is asked to pay", () => {
    const odd = { status: "payment_pending", turn: "buyer_pay", heldForChecking: true };
    expect(turnForRole(shown(odd, "waiting"), "buyer")).toEqual({ own: false, turn: "checking" });
    expect(tradeStateOf(shown(odd, "waiting"))).toBe("held_for_checking");
  });

  test("while a report holds the trade, both sides read that the trade is checked, not its payment", () => {
    const reported = { heldForChecking: true, tradeChecked: true };
    const cases = [
      shown({ ...reported, status: "payment_pending", turn: "buyer_pay" }, "waiting"),
      shown({ ...reported, status: "payment_confirmed", turn: "seller_hand_over" }, "held"),
      shown({ ...reported, status: "settlement_pending", turn: "admin" }, "held"),
    ];
    for (const trade of cases) {
      expect(tradeStateOf(trade)).toBe("trade_checked");
      for (const role of ["buyer", "seller"] as const)
        expect(turnForRole(trade, role)).toEqual({ own: false, turn: "checking_trade" });
    }
  });

  test("while a confirmed payment is checked again, nobody is asked to hand over or shown a deadline for it", () => {
    const clocks = ["payment_window", "hand_over", "buyer_finish"].map((kind) => ({ kind })) as never;
    const paid = { status: "payment_confirmed", turn: "seller_hand_over", heldForChecking: true, clocks };
    expect(turnForRole(shown(paid, "held"), "seller")).toEqual({ own: false, turn: "checking" });
    expect(tradeStateOf(shown(paid, "held"))).toBe("paid_but_checked");
    expect(findTurnClock(shown(paid, "held"))).toBeUndefined();
    expect(visibleClocks(shown(paid, "held")).map(({ kind }) => kind)).toEqual([
      "payment_window",
      "buyer_finish",
    ]);
    const over = { ...paid, turn: "buyer_confirm", handedOver: true };
    expect(turnForRole(shown(over, "held"), "buyer")).toEqual({ own: true, turn: "buyer_confirm" });
    expect(tradeStateOf(shown(over, "held"))).toBe("handed_over");
    const unpaid = { status: "payment_pending", turn: "buyer_pay", heldForChecking: true, clocks };
    expect(findTurnClock(shown(unpaid, "waiting"))).toBeUndefined();
  });

  test("each side sees its own amount, and for a cancelled trade what is refunded", () => {
    const waiting = shown({ status: "initiated" }, "waiting");
    expect(moneyForRole(waiting, "buyer").amount).toEqual({ label: "trade.sum.pay", sum: "110,000 ₮" });
    expect(moneyForRole(waiting, "seller").amount).toEqual({ label: "trade.sum.get", sum: "100,000 ₮" });
    const refund = { amount: 110_000, sent: false, sentAt: null, accountGiven: false };
    const cancelled = shown({ status: "cancelled", over: true, turn: "admin", refund }, "held");
    expect(moneyForRole(cancelled, "seller").amount).toEqual({
      label: "history.refund.seller.due",
      sum: "110,000 ₮",
    });
    expect(moneyForRole(cancelled, "seller").state).toBe("refunding");
    expect(turnForRole(cancelled, "seller").turn).toBe("admin_refunds");
    const unpaid = shown({ status: "cancelled", over: true }, "none");
    expect(moneyForRole(unpaid, "seller").amount).toBeNull();
    expect(turnForRole(unpaid, "seller")).toEqual({ own: false, turn: "cancelled" });
    expect(turnForRole(shown({ status: "completed", over: true }, "released"), "seller").turn).toBe("none");
  });
});

test("beside an amount without its label, no word for the money gives it to the other side", () => {
  const refund = (sent: boolean) => ({ amount: 110_000, sent, sentAt: null, accountGiven: true });
  const wordFor = (parts: Partial<TradeShown>, money: TradeShown["standing"]["money"]) =>
    (["buyer", "seller"] as const).map((role) => moneyForRole(shown(parts, money), role).word);
  const usual = [null, null];
  expect(wordFor({ status: "payment_initiated" }, "waiting")).toEqual(usual);
  expect(wordFor({ status: "payment_confirmed" }, "held")).toEqual(usual);
  expect(wordFor({ status: "disputed" }, "disputed")).toEqual(usual);
  expect(wordFor({ status: "completed", over: true }, "released")).toEqual(["status.completed", null]);
  const cancelled = (sent: boolean) => ({ status: "cancelled", over: true, refund: refund(sent) });
  expect(wordFor(cancelled(false), "held")).toEqual([null, "trade.chip.toBuyer.refunding"]);
  expect(wordFor(cancelled(true), "returned")).toEqual([null, "trade.chip.toBuyer.returned"]);
  expect(wordFor({ status: "cancelled", over: true }, "none")).toEqual(usual);
});

describe("money that a ruling has split", () => {
  const split = (parts: Partial<TradeShown>, money: TradeShown["standing"]["money"]) =>
    shown(
      {
        toSeller: 60_000,
        refund: { amount: 40_000, sent: false, sentAt: null, accountGiven: true },
        turn: "admin",
        confirmed: { buyer: null, seller: null },
        ...parts,
      },
      money,
    );
  const due = split({ status: "settlement_pending" }, "held");

  test("is each side's own part, before it is sent and after", () => {
    expect(moneyForRole(due, "buyer")).toEqual({
      state: "refunding",
      word: null,
      amount: { label: "history.refund.buyer.due", sum: "40,000 ₮" },
    });
    expect(moneyForRole(due, "seller")).toEqual({
      state: "held",
      word: null,
      amount: { label: "trade.sum.get", sum: "60,000 ₮" },
    });
    const refund = { amount: 40_000, sent: true, sentAt: null, accountGiven: true };
    const sent = split({ status: "completed", over: true, turn: "none", refund }, "released");
    expect(moneyForRole(sent, "buyer")).toEqual({
      state: "returned",
      word: null,
      amount: { label: "history.refund.buyer.sent", sum: "40,000 ₮" },
    });
    expect(moneyForRole(sent, "seller")).toEqual({
      state: "released",
      word: null,
      amount: { label: "trade.sum.got", sum: "60,000 ₮" },
    });
    // The parts are sent one by one: the first leaves while the trade is still being settled.
    const halfSent = split({ status: "settlement_pending", payoutSent: true }, "held");
    expect(moneyForRole(halfSent, "seller")).toEqual(moneyForRole(sent, "seller"));
    expect(moneyForRole(halfSent, "buyer")).toEqual(moneyForRole(due, "buyer"));
    expect([tradeStateOf(due), tradeStateOf(sent)]).toEqual(["paying_parts", "completed_split"]);
    expect(turnForRole(due, "buyer").turn).toBe("admin_pays_parts");
  });

  test("is heard of until the reader's own part has been sent", () => {
    const sides = ["buyer", "seller"] as const;
    const awaited = (trade: TradeShown) => sides.map((side) => findAwaitedEvent(trade, side));
    expect(awaited(due)).toEqual(["refund", "payout"]);
    const refund = { amount: 40_000, sent: true, sentAt: null, accountGiven: true };
    expect(awaited(split({ status: "settlement_pending", refund }, "held"))).toEqual([null, "payout"]);
    expect(awaited(split({ status: "settlement_pending", payoutSent: true }, "held"))).toEqual([
      "refund",
      null,
    ]);
    expect(awaited(shown({ status: "exchange_completed" }, "held"))).toEqual(["completion", "turn"]);
  });

  test("is another thing than money that was paid in excess, of which the seller gets no less", () => {
    const excess = split({ status: "completed", toSeller: 100_000 }, "released");
    expect(moneyForRole(excess, "buyer")).toEqual({
      state: "released",
      word: "status.completed",
      amount: { label: "trade.sum.paid", sum: "110,000 ₮" },
    });
    expect(tradeStateOf(excess)).toBe("completed");
  });
});

test("the notice allows the handover while money is held for it, and not after the trade's end", () => {
  const of = (parts: Partial<TradeShown>) => handOverOf(shown(parts, "held"));
  expect(of({ status: "payment_confirmed" })).toBe("applies");
  expect(of({ status: "payment_confirmed", handedOver: true })).toBe("over");
  expect(of({ status: "payment_confirmed", heldForChecking: true })).toBe("checking");
  for (const status of ["exchange_completed", "settlement_pending", "completed", "initiated"]) {
    expect(of({ status })).toBe("over");
  }
  expect(of({ status: "cancelled", heldForChecking: true })).toBe("cancelled");
  expect(of({ status: "disputed" })).toBe("disputed");
  // A payout that did not arrive is held again.
  expect(handOverOf(shown({ status: "completed" }, "released"))).toBe("ended");
  expect(handOverOf(null)).toBe("over");
});
