import { expect, test } from "bun:test";
import { circumstances } from "./circumstances.fixture.ts";
import { commands } from "./commands.fixture.ts";
import { commandGivers, decideCommand, type RejectionOf } from "./decide.ts";
import { at, tradeIn } from "./trade.fixture.ts";
import type { Command, CommandOf, GivenBy, GivenCommand, Party, Trade, Who } from "./trade-types.ts";
import { tradeStatuses } from "./trade-types.ts";

// The verbs document the rejections that RejectionOf names. The compiler holds this table to the type, and the test holds it to what the
// machine rejects in every state and circumstance, free and on hold.

const codes = <Given extends GivenCommand>(all: Record<RejectionOf<Given>, true>): string[] =>
  Object.keys(all).sort();

const rejections: Record<string, string[]> = {
  amend: codes<GivenBy<"seller", CommandOf<"amend">>>({
    TRADE_OVERTAKEN: true,
    GOODS_FIXED: true,
    MONEY_BOOKED: true,
    WINDOW_OVER: true,
    TRADE_ON_HOLD: true,
  }),
  withdraw: codes<GivenBy<"seller", CommandOf<"withdraw">>>({
    TRADE_OVERTAKEN: true,
    MONEY_BOOKED: true,
    TRADE_ON_HOLD: true,
  }),
  issue_invoice: codes<GivenBy<Party, CommandOf<"issue_invoice">>>({
    TRADE_OVERTAKEN: true,
    BUYER_ONLY: true,
    WINDOW_OVER: true,
    TRADE_ON_HOLD: true,
  }),
  mark_paid: codes<GivenBy<"buyer", CommandOf<"mark_paid">>>({
    TRADE_OVERTAKEN: true,
    PAYMENT_NOT_REQUESTED: true,
  }),
  "payment_checked by buyer": codes<GivenBy<"buyer", CommandOf<"payment_checked">>>({
    PAYMENT_NOT_REQUESTED: true,
  }),
  payment_checked: codes<GivenBy<"provider" | "clock" | "admin", CommandOf<"payment_checked">>>({}),
  expire: codes<GivenBy<"clock", CommandOf<"expire">>>({
    TRADE_OVERTAKEN: true,
    WINDOW_OPEN: true,
    CHECK_UNKNOWN: true,
    TRADE_ON_HOLD: true,
  }),
  hand_over: codes<GivenBy<"seller", CommandOf<"hand_over">>>({
    NOT_PAID_YET: true,
    TRADE_OVERTAKEN: true,
    CANCELLATION_PENDING: true,
  }),
  take_goods: codes<GivenBy<"buyer", CommandOf<"take_goods">>>({}),
  confirm: codes<GivenBy<Party, { kind: "confirm" }>>({
    NOT_PAID_YET: true,
    TRADE_OVERTAKEN: true,
    CANCELLATION_PENDING: true,
    BUYER_FIRST: true,
    DESTINATION_MISSING: true,
    DISPUTE_OPEN: true,
  }),
  "confirm with receipt": codes<GivenBy<Party, CommandOf<"confirm">>>({
    NOT_PAID_YET: true,
    TRADE_OVERTAKEN: true,
    CANCELLATION_PENDING: true,
    NOT_HANDED_OVER: true,
    BUYER_FIRST: true,
    DESTINATION_MISSING: true,
    DISPUTE_OPEN: true,
  }),
  request_cancellation: codes<GivenBy<Party, CommandOf<"request_cancellation">>>({
    NOT_PAID_YET: true,
    TRADE_OVERTAKEN: true,
    CANCELLATION_CHANGED: true,
    TRADE_ON_HOLD: true,
  }),
  decline_cancellation: codes<GivenBy<Party, CommandOf<"decline_cancellation">>>({
    NOT_PAID_YET: true,
    TRADE_OVERTAKEN: true,
    CANCELLATION_CHANGED: true,
  }),
  withdraw_cancellation: codes<GivenBy<Party, CommandOf<"withdraw_cancellation">>>({
    NOT_PAID_YET: true,
    TRADE_OVERTAKEN: true,
  }),
  open_dispute: codes<GivenBy<Party, CommandOf<"open_dispute">>>({
    NOT_PAID_YET: true,
    TRADE_OVERTAKEN: true,
    DISPUTE_OPEN: true,
    MONEY_ALREADY_SENT: true,
  }),
  withdraw_dispute: codes<GivenBy<Party, CommandOf<"withdraw_dispute">>>({
    NOT_PAID_YET: true,
    TRADE_OVERTAKEN: true,
    DISPUTE_NOT_YOURS: true,
  }),
  rule: codes<GivenBy<"admin", CommandOf<"rule">>>({
    NOT_PAID_YET: true,
    TRADE_OVERTAKEN: true,
    SPLIT_OUT_OF_RANGE: true,
    TRADE_ON_HOLD: true,
  }),
  complete: codes<GivenBy<"admin", CommandOf<"complete">>>({
    TRADE_OVERTAKEN: true,
    DESTINATION_MISSING: true,
    TRADE_ON_HOLD: true,
  }),
  pay_seller: codes<GivenBy<"admin", CommandOf<"pay_seller">>>({
    NOT_PAID_YET: true,
    TRADE_OVERTAKEN: true,
    DESTINATION_MISSING: true,
  }),
  cancel: codes<GivenBy<"admin", CommandOf<"cancel">>>({
    TRADE_OVERTAKEN: true,
    MONEY_ALREADY_SENT: true,
    TRADE_ON_HOLD: true,
  }),
  money_left: codes<GivenBy<"admin", CommandOf<"money_left">>>({}),
  hide: codes<GivenBy<"admin", CommandOf<"hide">>>({ TRADE_UNDER_WAY: true, MONEY_HELD: true }),
};

function rowOf(command: Command, who: Who): string {
  if (command.kind === "confirm" && command.receipt !== undefined) return "confirm with receipt";
  return command.kind === "payment_checked" && who === "buyer" ? "payment_checked by buyer" : command.kind;
}

type Given = { trade: Trade; command: Command; who: Who };
const everyState: Given[] = Object.values(commands).flatMap(({ command, patch }) =>
  commandGivers[command.kind].may.flatMap((who) =>
    tradeStatuses.map((status) => {
      const plain = tradeIn(status);
      return { trade: { ...plain, ...patch?.(plain) }, command, who };
    }),
  ),
);
const everyCircumstance: Given[] = circumstances
  .filter(([, , , who, command]) => commandGivers[command.kind].may.includes(who))
  .map(([, status, patch, who, command]) => ({ trade: tradeIn(status, patch), command, who }));

/** A confirmation also as one that was asked how the goods came. */
function withReceipts(given: Given): Given[] {
  return given.command.kind === "confirm"
    ? [given, { ...given, command: { kind: "confirm", receipt: "handed_over" } }]
    : [given];
}

test("each command is rejected for the reasons that its type names, and for no other", () => {
  const seen = new Map(Object.keys(rejections).map((row) => [row, new Set<string>()]));
  for (const { trade, command, who } of [...everyState, ...everyCircumstance].flatMap(withReceipts)) {
    for (const holds of [[], ["ODD_ROW"]] satisfies Array<Trade["holds"]>) {
      const decision = decideCommand({ ...trade, holds }, { ...command, who }, at);
      if (!decision.ok) seen.get(rowOf(command, who))?.add(decision.code);
    }
  }
  const found = Object.fromEntries([...seen].map(([row, all]) => [row, [...all].sort()]));
  expect(found).toEqual(rejections);
});
