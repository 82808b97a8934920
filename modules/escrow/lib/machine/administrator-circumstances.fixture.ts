import { type Circumstance, disputeBy } from "./circumstance-line.fixture.ts";
import { birth } from "./trade.fixture.ts";
import type { Command } from "./trade-types.ts";

const complete: Command = { kind: "complete" };
const paySeller: Command = { kind: "pay_seller" };
const cancel: Command = { kind: "cancel", ourFault: false };

/** An administrator's decisions about a whole trade. */
export const administratorCircumstances: Circumstance[] = [
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
    { dispute: disputeBy("buyer", "payment_confirmed", "split") },
    "admin",
    paySeller,
    "TRADE_OVERTAKEN",
  ],
  [
    "a transfer of it was found not to have happened",
    "completed",
    { moneySent: false, held: 110_000 },
    "admin",
    cancel,
    "cancelled",
  ],
  [
    "a dispute was withdrawn before",
    "payment_confirmed",
    { dispute: disputeBy("buyer", "payment_confirmed", "withdrawn") },
    "admin",
    cancel,
    "cancelled",
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
