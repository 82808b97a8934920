import { at, birth, otherFigures } from "./trade.fixture.ts";
import type { Command, Trade } from "./trade-types.ts";

const late = { payment_window: { dueAt: at, pausedAt: null } };

/**
 * The command of each `given` in the table. `patch` changes the trade where the plain trade of a state would not fit, mostly in its money.
 */
export const commands: Record<string, { command: Command; patch?: (trade: Trade) => Partial<Trade> }> = {
  amend: { command: { kind: "amend", figures: otherFigures, goods: "other", description: null } },
  withdraw: { command: { kind: "withdraw" } },
  issue_invoice: { command: { kind: "issue_invoice", invoiceId: "22222222-2222-4222-8222-222222222222" } },
  mark_paid: { command: { kind: "mark_paid" } },
  "checked:nothing": { command: { kind: "payment_checked", booked: 0, complete: true, failed: false } },
  "checked:unknown": { command: { kind: "payment_checked", booked: 0, complete: false, failed: true } },
  "checked:failed": { command: { kind: "payment_checked", booked: 0, complete: true, failed: true } },
  "checked:part": {
    command: { kind: "payment_checked", booked: 1_000, complete: false, failed: false },
    patch: ({ held }) => ({ held: Math.max(held, 1_000) }),
  },
  "checked:full": {
    command: { kind: "payment_checked", booked: 110_000, complete: true, failed: false },
    patch: ({ held, gross }) => ({ held: Math.max(held, gross) }),
  },
  "expire:early": { command: { kind: "expire", complete: true } },
  "expire:unknown": { command: { kind: "expire", complete: false }, patch: () => ({ deadlines: late }) },
  "expire:over": { command: { kind: "expire", complete: true }, patch: () => ({ deadlines: late }) },
  hand_over: { command: { kind: "hand_over", note: "by the vault" } },
  take_goods: { command: { kind: "take_goods" } },
  confirm: { command: { kind: "confirm" } },
  request_cancellation: { command: { kind: "request_cancellation" } },
  decline_cancellation: { command: { kind: "decline_cancellation", requestedAt: birth } },
  withdraw_cancellation: { command: { kind: "withdraw_cancellation" } },
  open_dispute: { command: { kind: "open_dispute" } },
  withdraw_dispute: { command: { kind: "withdraw_dispute" } },
  "rule:release": { command: { kind: "rule", ruling: "release" } },
  "rule:refund": { command: { kind: "rule", ruling: "refund" } },
  "rule:split": { command: { kind: "rule", ruling: "split", refundAmount: 30_000 } },
  complete: { command: { kind: "complete" } },
  pay_seller: { command: { kind: "pay_seller" } },
  cancel: { command: { kind: "cancel", ourFault: false } },
  "money_left:some": { command: { kind: "money_left" }, patch: () => ({ held: 1, moneySent: true }) },
  "money_left:all": { command: { kind: "money_left" }, patch: () => ({ held: 0, moneySent: true }) },
  hide: { command: { kind: "hide" } },
};
