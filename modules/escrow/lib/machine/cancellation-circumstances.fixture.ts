import type { Circumstance } from "./circumstance-line.fixture.ts";
import { birth } from "./trade.fixture.ts";
import type { Command } from "./trade-types.ts";

const askCancel: Command = { kind: "request_cancellation" };
const onlyAsk: Command = { kind: "request_cancellation", agreesTo: null };
const agreeTo = (agreesTo: Date): Command => ({ kind: "request_cancellation", agreesTo });
const decline = (requestedAt: Date): Command => ({ kind: "decline_cancellation", requestedAt });
const takeBack: Command = { kind: "withdraw_cancellation" };

/** Cancelling together: a party asks, and the other agrees or declines. */
export const cancellationCircumstances: Circumstance[] = [
  ["asked before", "payment_confirmed", { buyerCancelAt: birth }, "buyer", askCancel, "="],
  ["asked before", "payment_confirmed", { buyerCancelAt: birth }, "buyer", takeBack, "payment_confirmed"],
  ["the other asked", "payment_confirmed", { buyerCancelAt: birth }, "seller", askCancel, "cancelled"],
  ["the other asked", "disputed", { sellerCancelAt: birth }, "buyer", askCancel, "cancelled"],
  ["only asked", "payment_confirmed", {}, "buyer", onlyAsk, "payment_confirmed"],
  ["only asked again", "payment_confirmed", { buyerCancelAt: birth }, "buyer", onlyAsk, "="],
  [
    "only asked, and the other asked before",
    "payment_confirmed",
    { buyerCancelAt: birth },
    "seller",
    onlyAsk,
    "CANCELLATION_CHANGED",
  ],
  [
    "agreed to this request",
    "payment_confirmed",
    { buyerCancelAt: birth },
    "seller",
    agreeTo(birth),
    "cancelled",
  ],
  [
    "agreed to this request in the dispute",
    "disputed",
    { sellerCancelAt: birth },
    "buyer",
    agreeTo(birth),
    "cancelled",
  ],
  [
    "agreed to an earlier request",
    "payment_confirmed",
    { buyerCancelAt: birth },
    "seller",
    agreeTo(new Date(birth.getTime() - 1)),
    "CANCELLATION_CHANGED",
  ],
  [
    "agreed to a request that was withdrawn",
    "payment_confirmed",
    {},
    "seller",
    agreeTo(birth),
    "CANCELLATION_CHANGED",
  ],
  [
    "agreed to a request that was withdrawn, and asked meanwhile",
    "payment_confirmed",
    { sellerCancelAt: birth },
    "seller",
    agreeTo(birth),
    "CANCELLATION_CHANGED",
  ],
  ["agreed again", "cancelled", { endReason: "agreed" }, "seller", agreeTo(birth), "="],
  ["cancelled by both", "cancelled", { endReason: "agreed" }, "buyer", askCancel, "="],
  ["cancelled by both", "cancelled", { endReason: "agreed" }, "seller", takeBack, "TRADE_OVERTAKEN"],
  ["asked before", "disputed", { sellerCancelAt: birth }, "seller", takeBack, "disputed"],
  [
    "the other asked",
    "payment_confirmed",
    { buyerCancelAt: birth },
    "seller",
    decline(birth),
    "payment_confirmed",
  ],
  [
    "the other asked in the dispute",
    "disputed",
    { sellerCancelAt: birth },
    "buyer",
    decline(birth),
    "disputed",
  ],
  [
    "declined an earlier request",
    "payment_confirmed",
    { buyerCancelAt: birth },
    "seller",
    decline(new Date(birth.getTime() - 1)),
    "CANCELLATION_CHANGED",
  ],
  ["declined or withdrawn before", "payment_confirmed", {}, "seller", decline(birth), "="],
  [
    "declined its own request",
    "payment_confirmed",
    { sellerCancelAt: birth },
    "seller",
    decline(birth),
    "CANCELLATION_CHANGED",
  ],
  ["cancelled by both", "cancelled", { endReason: "agreed" }, "seller", decline(birth), "TRADE_OVERTAKEN"],
];
