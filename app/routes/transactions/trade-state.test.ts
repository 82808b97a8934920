import { expect, test } from "bun:test";
import { hasText } from "#locales";
import { tradeStatuses } from "#modules/escrow";
import { progressGroupOf } from "../../ui/trade/progress/trade-words.ts";
import { moneyStatusOf, type StateFacts, tradeStateOf } from "../../ui/trade/state/trade-state.ts";
import type { TradeShown } from "../../ui/trade/types.ts";

type Standing = TradeShown["standing"];

function trade(
  parts: Partial<Omit<StateFacts, "standing">> & { standing: Partial<Standing> },
): StateFacts & { standing: Standing } {
  const standing = { done: [], ended: false, payingOut: false, handOverSkipped: false };
  const sums = { net: 100_000, toSeller: 100_000, booked: 110_000, refund: null };
  return {
    ...{ status: "payment_confirmed", turn: "none", heldForChecking: false, tradeChecked: false },
    ...sums,
    ...parts,
    standing: { ...standing, money: "held", ...parts.standing },
  };
}

const refund = { amount: 110_000, sent: false, sentAt: null, accountGiven: true };

/** Each state that is more precise than a status, with a trade in it. */
const preciseStates: Record<string, StateFacts & { standing: Standing }> = {
  held_for_checking: trade({
    ...{ status: "payment_pending", turn: "buyer_pay", heldForChecking: true },
    standing: { money: "waiting" },
  }),
  paid_but_checked: trade({ turn: "seller_hand_over", heldForChecking: true, standing: {} }),
  trade_checked: trade({ turn: "seller_hand_over", heldForChecking: true, tradeChecked: true, standing: {} }),
  part_paid: trade({ status: "payment_processing", booked: 5_000, standing: { money: "waiting" } }),
  handed_over: trade({ turn: "buyer_confirm", standing: { done: ["handedOver"] } }),
  paying_out: trade({ status: "settlement_pending", turn: "admin", standing: { payingOut: true } }),
  paying_parts: trade({ status: "settlement_pending", toSeller: 60_000, refund, standing: {} }),
  completed_split: trade({ status: "completed", toSeller: 60_000, refund, standing: { money: "released" } }),
  paying_again: trade({ status: "completed", turn: "admin", standing: {} }),
  closed: trade({ status: "completed", standing: { money: "none", ended: true } }),
  cancelled_refunding: trade({ status: "cancelled", turn: "admin", refund, standing: { ended: true } }),
  cancelled_refunded: trade({ status: "cancelled", refund, standing: { money: "returned", ended: true } }),
  cancelled_checked: trade({
    ...{ status: "cancelled", turn: "admin", heldForChecking: true, refund },
    standing: { ended: true },
  }),
};

test.each(Object.entries(preciseStates))(
  "a trade in the state %s does not have the words of its status alone",
  (state, of) => {
    expect(tradeStateOf(of)).toBe(state);
  },
);

test("every status and every precise state has a label and a sentence", () => {
  expect(tradeStatuses.length).toBeGreaterThan(10);
  for (const state of [...tradeStatuses, ...Object.keys(preciseStates)]) {
    expect([state, hasText(`status.${state}`), hasText(`trade.banner.${state}`)]).toEqual([
      state,
      true,
      true,
    ]);
  }
});

test("every reason for which a trade is cancelled has a sentence", () => {
  for (const reason of ["withdrawn", "expired", "agreed", "admin", "ruling"])
    expect([reason, hasText(`trade.cancelled.reason.${reason}`)]).toEqual([reason, true]);
});

test("a cancelled trade never looks held: its money is refunded, was refunded, or never came", () => {
  const moneyOf = (money: Standing["money"]) =>
    moneyStatusOf(trade({ status: "cancelled", standing: { money } }));
  expect([moneyOf("held"), moneyOf("returned"), moneyOf("none")]).toEqual(["refunding", "returned", "none"]);
  expect(moneyStatusOf(trade({ standing: { money: "held" } }))).toBe("held");
});

test("a completed trade is in progress again while a transfer that did not arrive is repeated", () => {
  const groupOf = (state: string) => progressGroupOf(preciseStates[state] as never);
  expect(["paying_again", "completed_split", "cancelled_refunding", "paying_out"].map(groupOf)).toEqual([
    ...["inProgress", "completed", "cancelled", "inProgress"],
  ] as never);
});
