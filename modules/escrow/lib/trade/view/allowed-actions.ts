import type { z } from "zod";
import type { Payout } from "#modules/payments";
import {
  hasConfirmed,
  infoVersion,
  isExchangeOpen,
  mayShareInfo,
  type SharedInformation,
} from "../../information/progress.ts";
import { decideCommand } from "../../machine/decide.ts";
import { type Command, type Party, type Trade, unpaidStatuses } from "../../machine/trade-types.ts";
import { allChecked, checkingRefused, openingRefused, sealingRefused } from "../../vault/rules.ts";
import type { VaultRecord } from "../../vault/vault-records.ts";
import type { allowedActionsSchema } from "./responses.ts";
import { otherSide } from "./transaction-view.ts";

export type AllowedActions = z.output<typeof allowedActionsSchema>;

/** The facts besides the trade that decide which actions are allowed. */
export type ActionFacts = {
  sharedInformation: Record<Party, SharedInformation>;
  payouts: readonly Payout[];
  vault: readonly VaultRecord[];
};

/** Asks the state machine what each command would do now, so that no button offers what the verb refuses. */
export function listAllowedActions(trade: Trade, side: Party, facts: ActionFacts, at: Date): AllowedActions {
  const would = (command: Command) => {
    const decision = decideCommand(trade, { ...command, who: side }, at);
    return decision.ok && decision.changed;
  };
  const cancellation = would({ kind: "request_cancellation" });
  const askedByOther = trade[otherSide(side) === "buyer" ? "buyerCancelAt" : "sellerCancelAt"];
  const sealed = facts.vault.at(-1);
  return {
    amend: would({
      kind: "amend",
      figures: { ...trade, amount: trade.amount + 1 },
      goods: trade.goods,
      description: trade.description,
    }),
    amendGoods: would({
      kind: "amend",
      figures: trade,
      goods: trade.goods === "other" ? "item" : "other",
      description: trade.description,
    }),
    withdraw: would({ kind: "withdraw" }),
    invoice: would({ kind: "issue_invoice", invoiceId: "another" }),
    markPaid: would({ kind: "mark_paid" }),
    verify: side === "buyer" && unpaidStatuses.includes(trade.status) && trade.rolesLockedAt !== null,
    handOver: would({ kind: "hand_over", note: null }),
    // A page that shows the dispute says so in its confirmation.
    confirm: would({ kind: "confirm", endsDispute: true }),
    requestCancellation: cancellation && askedByOther === null,
    agreeCancellation: cancellation && askedByOther !== null,
    declineCancellation:
      askedByOther !== null && would({ kind: "decline_cancellation", requestedAt: askedByOther }),
    withdrawCancellation: would({ kind: "withdraw_cancellation" }),
    openDispute: would({ kind: "open_dispute" }),
    withdrawDispute: would({ kind: "withdraw_dispute" }),
    bankInfo: mayGiveBankInfo(trade, side, facts),
    shareInfo: mayShareInfo(trade, side),
    confirmInfo:
      isExchangeOpen(trade.status) &&
      infoVersion(facts.sharedInformation[otherSide(side)]) > 0 &&
      !hasConfirmed(facts.sharedInformation, side),
    refundDestination:
      side === "buyer" && filterLivePayouts(facts, "refund").some((payout) => payout.state === "due"),
    seal: sealingRefused(trade, side) === null,
    openVault: openingRefused(trade, side, sealed) === null,
    checkVault: sealed !== undefined && checkingRefused(trade, side, sealed) === null && !allChecked(sealed),
  };
}

/** The form is open until it was corrected once; the seller's form also closes once the payout is approved. */
function mayGiveBankInfo(trade: Trade, side: Party, facts: ActionFacts): boolean {
  if (!isExchangeOpen(trade.status) || facts.sharedInformation[side].progress?.correctedAt != null)
    return false;
  return side === "buyer" || filterLivePayouts(facts, "payout").every((payout) => payout.state === "due");
}

function filterLivePayouts({ payouts }: ActionFacts, kind: "payout" | "refund"): Payout[] {
  return payouts.filter((payout) => payout.kind === kind && payout.state !== "void");
}
