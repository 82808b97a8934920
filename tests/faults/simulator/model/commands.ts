import type { Account, Admin, Party, Payer } from "./state.ts";

/** What somebody does to a trade. Payouts are named by their place among the trade's, oldest first. */
export type Command =
  | { do: "create"; by: Party; amount: number; payer: Payer }
  | { do: "amend"; by: Party; amount: number; payer: Payer }
  | { do: "withdraw" | "verify" | "mark-paid" | "hand-over" | "complete" | "cancel"; by: Party }
  | { do: "withdraw-cancel" | "dispute" | "withdraw-dispute" | "look"; by: Party }
  | { do: "invoice"; by: Party; fresh: boolean }
  | { do: "bank-info" | "refund-destination"; by: Party; account: Account }
  /** The payer's bank: so much, so often, and the provider's callbacks for each. */
  | {
      do: "pay";
      sum: "all" | "part" | "rest" | "over";
      times: number;
      failed: boolean;
      callbacks: number;
      old: boolean;
    }
  | { do: "take" | "give-back" | "admin-complete" | "admin-cancel" | "hide"; admin: Admin }
  | { do: "rule"; admin: Admin; ruling: "release" | "refund" | "split"; quarter: 1 | 2 | 3; wrong: boolean }
  | { do: "pay-seller"; admin: Admin; wrong: boolean }
  | { do: "settle"; admin: Admin; reference: string }
  | { do: "by-hand"; admin: Admin; part: boolean; reference: string }
  | { do: "approve" | "done" | "unknown" | "not-sent"; admin: Admin; payout: number }
  | { do: "claim" | "withdraw-approval"; admin: Admin; payout: number; over: boolean }
  | { do: "send" | "found-sent"; admin: Admin; payout: number; reference: string };

/** What is known of a command beside itself: when it was given, and what its answer told that nobody can foresee. */
export type Circumstances = {
  /** Whether the administrator's login was fresh. */
  fresh: boolean;
  /** How the switch that halts money stood meanwhile. */
  halted: boolean[];
  /** The sums as they were sent: of an amendment, a payment by hand, a ruling. */
  sum: number;
  /** The buyer's part of a split, as it was sent. */
  part: number;
  /** The invoice of the answer. */
  invoice: string | null;
  /** The payments that had been made before the provider was asked. */
  told: string[];
  /** The payments that the provider took. */
  paid: Array<{ id: string; amount: number; place: number | null }>;
};

/** Who may have given it, in a word. */
export function giverOf(command: Command): string {
  if ("admin" in command) return `admin ${command.admin + 1}`;
  return "by" in command ? command.by : "the payer's bank";
}
