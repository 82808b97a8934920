import type { TradeStatement } from "../../../ui/trade/statements.tsx";

/** One dispute of a trade, as the back office shows it. */
export interface CaseShown {
  openedBy: "buyer" | "seller";
  openedAt: string;
  outcome: string | null;
  refundAmount: number | null;
  endedAt: string | null;
  mediator: { id: number; displayName: string; since: string } | null;
  statements: TradeStatement[];
}

/** A ruling whose amounts are shown before it is given. */
export interface RulingDraft {
  ruling: "release" | "refund" | "split";
  refundAmount: number | null;
  toBuyer: number;
  toSeller: number;
  fee: number;
  sum: number;
  /** Warnings that the mediator must confirm first. */
  warnings: Array<"statements_open" | "not_taken">;
  /** True if another administrator must confirm the ruling because of its amount. */
  secondNeeded: boolean;
}
