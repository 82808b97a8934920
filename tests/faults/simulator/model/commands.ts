import type { Account, Admin, HoldOutcome, Party, Payer, RulingProposal } from "./state.ts";

/** What somebody does to a trade. Payouts are named by their place among the trade's, oldest first. */
export type Command =
  | { do: "create"; by: Party; amount: number; payer: Payer }
  | { do: "amend"; by: Party; amount: number; payer: Payer }
  | { do: "withdraw" | "verify" | "mark-paid" | "hand-over" | "complete" | "cancel"; by: Party }
  | { do: "decline-cancel" | "withdraw-cancel" | "dispute" | "withdraw-dispute" | "look"; by: Party }
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
      /** `late`: the provider's list lags behind it; `twin`: for an invoice whose creation reply was lost; `foreign`: the list names another trade's invoice for it. */
      how: "plain" | "late" | "twin" | "foreign";
    }
  /** The provider takes a payment back; its list catches up with one; it makes the next invoice and its reply is lost. */
  | { do: "reverse" | "list" | "lose" }
  | { do: "take" | "give-back" | "admin-complete" | "admin-cancel" | "hide" | "confirm-ruling"; admin: Admin }
  /** About the trade's first open hold. */
  | { do: "resolve"; admin: Admin; outcome: HoldOutcome }
  | { do: "rule"; admin: Admin; ruling: "release" | "refund" | "split"; quarter: 1 | 2 | 3; wrong: boolean }
  | { do: "pay-seller"; admin: Admin; wrong: boolean }
  | { do: "settle"; admin: Admin; reference: string }
  | { do: "by-hand"; admin: Admin; part: boolean; reference: string }
  | { do: "approve" | "done" | "unknown" | "not-sent"; admin: Admin; payout: number }
  | { do: "claim" | "withdraw-approval"; admin: Admin; payout: number; over: boolean }
  | { do: "send" | "found-sent"; admin: Admin; payout: number; reference: string }
  /** An administrator had already made the transfer when another took it over. */
  | { do: "report"; admin: Admin; payout: number; reference: string };

/** The command of this name. */
export type CommandOf<Name extends Command["do"]> = Extract<Command, { do: Name }>;

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
  /** Where the money goes that the administrator was shown (`placeOf`); null where none was named. */
  shown: string | null;
  /** How many disputes the trade had when its party looked: the last of them is the one that they withdraw or end. */
  disputes: number;
  /** The proposed ruling that the administrator was shown. */
  proposed: RulingProposal | null;
  /** The time of the other party's request to cancel that a party was shown before declining; null if none was open. */
  requestedAt: string | null;
  /** The payment that the provider takes back, or lists at last. */
  row: string | null;
  /** The hold that the administrator looked at (`keyOf`). */
  hold: string | null;
  /** The invoice of the answer. */
  invoice: string | null;
  /** The payments that had been made before the provider was asked, and those that it had taken back. */
  told: string[];
  reversed: string[];
  /** The payments that the provider took. */
  paid: Array<{ id: string; amount: number; place: number | null }>;
  /** The invoice that was paid. */
  paidFor: string | null;
};

/** Who may have given it, in a word. */
export function giverOf(command: Command): string {
  if ("admin" in command) return `admin ${command.admin + 1}`;
  return "by" in command ? command.by : "the payer's bank";
}
