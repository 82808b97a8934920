import type { Circumstance } from "./circumstance-line.fixture.ts";
import { at, birth, figures, otherFigures } from "./trade.fixture.ts";
import type { Command } from "./trade-types.ts";

const amend: Command = { kind: "amend", figures: otherFigures, goods: "other", description: null };
const again = { kind: "amend", figures, goods: "other", description: null } as const;
const sharedFee: Command = { ...again, figures: { ...figures, feePayer: "split" } };
const withdraw: Command = { kind: "withdraw" };
const issue = (invoiceId: string): Command => ({ kind: "issue_invoice", invoiceId });
const checked = (booked = 0): Command => ({ kind: "payment_checked", booked, complete: true, failed: false });
const shown = "11111111-1111-4111-8111-111111111111";
const over = { payment_window: { dueAt: at, pausedAt: null } };

/** Requests, invoices and what was found of a payment. */
export const paymentCircumstances: Circumstance[] = [
  ["the same request again", "initiated", {}, "seller", again, "="],
  ["the same request again, invoiced", "payment_initiated", {}, "seller", again, "="],
  [
    "the same sums in other words",
    "payment_initiated",
    {},
    "seller",
    { ...again, description: "a key" },
    "GOODS_FIXED",
  ],
  [
    "the same sums, of another kind of goods",
    "payment_initiated",
    {},
    "seller",
    { ...again, goods: "key" },
    "GOODS_FIXED",
  ],
  [
    "other words, before the first QR code",
    "initiated",
    {},
    "seller",
    { ...again, description: "a key" },
    "initiated",
  ],
  [
    "another kind of goods, before the first QR code",
    "initiated",
    {},
    "seller",
    { ...again, goods: "key" },
    "initiated",
  ],
  [
    "other words, after an earlier QR code",
    "initiated",
    { rolesLockedAt: birth },
    "seller",
    { ...amend, description: "a key" },
    "GOODS_FIXED",
  ],
  ["the same sum, the fee another's", "payment_initiated", {}, "seller", sharedFee, "initiated"],
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
    "a part came before, unseen",
    "payment_pending",
    { held: 9 },
    "provider",
    checked(0),
    "payment_processing",
  ],
  ["a QR was shown before", "payment_initiated", {}, "seller", issue("x"), "BUYER_ONLY"],
  ["amended since the first QR", "initiated", { rolesLockedAt: birth }, "seller", issue("x"), "BUYER_ONLY"],
  [
    "amended since the first QR",
    "initiated",
    { rolesLockedAt: birth },
    "buyer",
    issue("x"),
    "payment_initiated",
  ],
];
