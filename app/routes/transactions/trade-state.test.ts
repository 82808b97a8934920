import { expect, test } from "bun:test";
import { hasText, translateText } from "#locales";
import { tradeStatuses } from "#modules/escrow";
import { progressGroupOf } from "../../ui/trade/progress/trade-words.ts";
import { bannerOf, moneyStatusOf, type StateFacts, tradeStateOf } from "../../ui/trade/state/trade-state.ts";
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

/** The turns of each side. */
const partyTurns = {
  buyer: ["buyer_pay", "buyer_confirm", "buyer_answer_cancel", "buyer_explain", "buyer_refund_account"],
  seller: [
    "seller_hand_over",
    "seller_confirm",
    "seller_answer_cancel",
    "seller_explain",
    "seller_destination",
  ],
};

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
  cancel_asked: trade({ turn: "seller_answer_cancel", standing: { done: ["handedOver"] } }),
  cancel_asked_checked: trade({ turn: "seller_answer_cancel", heldForChecking: true, standing: {} }),
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

const sides = ["buyer", "seller"] as const;
const languages = ["en", "mn"] as const;
const otherSide = { buyer: "seller", seller: "buyer" } as const;
/** What a text must not call its reader. */
const thirdPerson = {
  en: { buyer: /\bthe buyer\b/i, seller: /\bthe seller\b/i },
  mn: { buyer: /худалдан авагч/i, seller: /худалдагч/i },
};

/** Other texts that only one side reads, of itself. */
const ownTexts = {
  buyer: [
    ...["admin_review", "buyer_finish", "dispute_statements", "payment_window", "refund_account"].map(
      (kind) => `clock.own.${kind}`,
    ),
    ...["trade.cancelAsk.buyer", "trade.confirmAsk.buyer", "trade.yourTurn.buyer_pay_rest"],
    ...["trade.yourTurn.buyer_pay_again", "trade.yourTurn.buyer_pay_pending"],
  ],
  seller: [
    ...["dispute_statements", "hand_over", "payout", "seller_finish"].map((kind) => `clock.own.${kind}`),
    ...["trade.confirmAsk.seller", "trade.turn.admin_pays_you"],
  ],
};

/** A trade in each status alone, and in each state that is more precise. */
const statesOfTrade: Array<[state: string, of: StateFacts]> = [
  ...tradeStatuses.map((status): [string, StateFacts] => [status, trade({ status, standing: {} })]),
  ...Object.entries(preciseStates),
];

test("every status and every precise state has a label, and a sentence unless the head says the same", () => {
  expect(tradeStatuses.length).toBeGreaterThan(10);
  const silent = new Set<string>();
  for (const [state, of] of statesOfTrade) {
    expect([state, hasText(`status.${tradeStateOf(of)}`)]).toEqual([state, true]);
    for (const side of sides) {
      const banner = bannerOf(of, side);
      if (banner === null) silent.add(state);
      else expect([banner, hasText(banner)]).toEqual([banner, true]);
    }
  }
  expect([...silent].sort()).toEqual(["payment_initiated", "payment_processing"]);
});

test("no sentence about a trade speaks of its reader as of another person", () => {
  for (const language of languages) {
    for (const side of sides) {
      const told = (key: string) => expect([key, translateText(language, key)]);
      for (const [, of] of statesOfTrade) {
        const banner = bannerOf(of, side);
        if (banner !== null)
          told(banner).not.toEqual([banner, expect.stringMatching(thirdPerson[language][side])]);
      }
      for (const turn of partyTurns[side]) {
        const [own, others] = [`trade.yourTurn.${turn}`, `trade.turn.${turn}`];
        told(own).not.toEqual([own, expect.stringMatching(thirdPerson[language][side])]);
        const reader = otherSide[side];
        told(others).not.toEqual([others, expect.stringMatching(thirdPerson[language][reader])]);
      }
      for (const key of ownTexts[side]) {
        expect([key, hasText(key)]).toEqual([key, true]);
        told(key).not.toEqual([key, expect.stringMatching(thirdPerson[language][side])]);
      }
    }
  }
});

test("every reason for which a trade is cancelled has a sentence", () => {
  for (const reason of [
    "withdrawn",
    "withdrawnByYou",
    "expired",
    "agreed",
    "admin",
    "ruling",
    "rulingForYou",
  ])
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
