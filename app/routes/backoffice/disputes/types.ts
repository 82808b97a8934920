import type { TradeStatement } from "../../../ui/trade/statements.tsx";

/** One dispute of a trade, as the desk shows it. */
export interface CaseShown {
  openedBy: "buyer" | "seller";
  openedAt: string;
  outcome: string | null;
  refundAmount: number | null;
  endedAt: string | null;
  mediator: { id: number; displayName: string; since: string } | null;
  statements: TradeStatement[];
}

/** A ruling whose sums are shown before it is given. */
export interface RulingDraft {
  ruling: "release" | "refund" | "split";
  refundAmount: number | null;
  toBuyer: number;
  toSeller: number;
  fee: number;
  sum: number;
  /** What has to be confirmed first. */
  warnings: Array<"statements_open" | "not_taken">;
  /** So much is proposed, and another administrator confirms it. */
  secondNeeded: boolean;
}
