import { db, type Tx } from "#db/client";
import { currentTime } from "#db/clock";
import { type Actor, auditAuthorOf, requireAdmin } from "#modules/identity";
import {
  destinationDigest,
  exceedsFourEyes,
  heldAmount,
  isMoneyStillToSend,
  liveInvoice,
  payoutsOf,
  readSuspenseAmount,
} from "#modules/payments";
import { applyCommand } from "../../core/apply-command.ts";
import { requireAdminForTrade, requireFreshAdmin } from "../../core/authorization.ts";
import { loadTrade } from "../../core/load-trade.ts";
import { refuseAction, runAtomically, type TradeRefusal, type TradeResult } from "../../core/outcomes.ts";
import { sideOf } from "../../core/party-access.ts";
import { isRuled, mayDecide } from "../../disputes/mediate.ts";
import {
  type ProviderCheck,
  requireProviderCheck,
  skippedProviderCheck,
  withProviderCheck,
} from "../../holds/check-before-payout.ts";
import { sellerDestination } from "../../information/bank-account.ts";
import { decideCommand } from "../../machine/decide.ts";
import { isUnpaid } from "../../machine/decision-helpers.ts";
import { sharesOf } from "../../machine/dispute.ts";
import type { Command, Trade } from "../../machine/trade-types.ts";
import { withInvoicingLease } from "../../payment/invoicing-lease.ts";
import { closeEarlierInvoices } from "../../payment/issue-invoice.ts";
import { findClaimedPayouts } from "../payouts/claimed-payouts.ts";

/**
 * An administrator gives a command to a trade that is not their own. Every verb here may refuse AUTH_REQUIRED, ADMIN_REQUIRED,
 * TRANSACTION_NOT_FOUND and OWN_TRADE, and with `current` what its decision refuses.
 */
function commandAsAdmin(
  actor: Actor,
  id: number,
  given: Command,
  seen: SeenMoney = {},
  asked: ProviderCheck = skippedProviderCheck,
): Promise<TradeResult | TradeRefusal> {
  const at = currentTime();
  return runAtomically(async (tx) => {
    const found = await requireAdminForTrade(tx, actor, id);
    if (!found.ok) return found;
    const { trade, member } = found;
    if (given.kind !== "hide" && trade.held > 0) {
      const fresh = requireFreshAdmin(actor, at);
      if (!fresh.ok) return fresh;
    }
    // What is due by a ruling anybody may send; to undo it is its mediator's.
    const undoes = given.kind === "cancel" && trade.status !== "cancelled";
    if (trade.status === "disputed" || undoes) {
      const decides = await mayDecide(tx, { trade, userId: member.userId });
      if (!decides.ok) return decides;
    }
    if (undoes && exceedsFourEyes(trade.held) && (trade.status === "disputed" || (await isRuled(tx, id)))) {
      // A refund by this door would be a ruling, or undo one, without its second administrator.
      return refuseAction("FOUR_EYES_REQUIRED", trade);
    }
    if (undoes && (await findClaimedPayouts(tx, id)).length > 0)
      return refuseAction("PAYOUT_APPROVED", trade);
    const stands = refuseChangedMoney(trade, given, seen, at);
    if (!stands.ok) return stands;
    const shown = await refuseChangedAccount(tx, trade, seen.destinationDigest);
    if (!shown.ok) return shown;
    if (given.kind === "hide") {
      const idle = await refuseOpenMoney(tx, trade);
      if (!idle.ok) return idle;
    }
    const done = await applyCommand(tx, trade, { ...given, who: "admin" }, { at, by: auditAuthorOf(actor) });
    if (!done.ok || !done.changed) return done;
    if (given.kind === "complete" && trade.held > 0) requireProviderCheck(asked);
    return asked.answered ? done : refuseAction("TRADE_ON_HOLD", trade);
  });
}

/**
 * Ends a trade for an administrator. Asks the provider about every invoice of an unpaid trade first, as every other ending does (design §4 "A
 * trade's hold"). The answer may put the trade on hold. If money came in by it, nothing ends: the administrator decided without seeing that
 * money. Refuses TRADE_OVERTAKEN, INVOICING_BUSY and what `end` refuses.
 */
async function endAfterProviderCheck(
  actor: Actor,
  id: number,
  end: () => Promise<TradeResult | TradeRefusal>,
): Promise<TradeResult | TradeRefusal> {
  const trade = await loadTrade(id);
  if (trade === undefined || !isUnpaid(trade) || !mayEnd(actor, trade)) return end();
  return withInvoicingLease(id, async () => {
    const settled = await closeEarlierInvoices(id, actor);
    if (!settled.ok) return settled;
    const asked = await loadTrade(id);
    return asked !== undefined && asked.held > trade.held ? refuseAction("TRADE_OVERTAKEN", asked) : end();
  });
}

/** True if the actor may end the trade. The provider is not asked for anyone else: `end` refuses them. */
function mayEnd(actor: Actor, trade: Trade): boolean {
  const admin = trade.held > 0 ? requireFreshAdmin(actor, currentTime()) : requireAdmin(actor);
  return admin.ok && sideOf(trade, admin.member.userId) === undefined;
}

/** What somebody saw of a trade's money when they decided: that none is held, the sum that goes where they decide, or the account. */
type SeenMoney = {
  nothingHeld?: boolean;
  sum?: number | undefined;
  destinationDigest?: string | undefined;
};

/** The seller's account may have been corrected since the page was drawn; who names none has seen none (design §4 "Admin complete"). */
async function refuseChangedAccount(
  tx: Tx,
  trade: Trade,
  shown: string | undefined,
): Promise<{ ok: true } | TradeRefusal> {
  if (shown === undefined || trade.held === 0) return { ok: true };
  const due = (await payoutsOf(tx, trade.id)).find(
    ({ kind, state }) => kind === "payout" && (state === "due" || state === "approved"),
  );
  const destination = due === undefined ? await sellerDestination(tx, trade.id) : due.destination;
  if (shown === destinationDigest(destination)) return { ok: true };
  return { ...refuseAction("PAYOUT_CONFLICT", trade), says: "admin.payout.accountChanged" };
}

/**
 * A trade is deleted only when nothing of its money is left to see to: hidden, it would stand in nobody's list. Held money the
 * machine refuses; here are what is still owed to somebody, what lies in suspense, and a QR that could still be paid.
 */
async function refuseOpenMoney(tx: Tx, trade: Trade): Promise<{ ok: true } | TradeRefusal> {
  if (trade.endedAt === null || trade.hiddenAt !== null) return { ok: true };
  const owed =
    isMoneyStillToSend(await payoutsOf(tx, trade.id)) || (await readSuspenseAmount(tx, trade.id)) > 0;
  const payable = owed || (await liveInvoice(tx, trade.id)) !== null;
  return payable ? refuseAction("MONEY_HELD", trade) : { ok: true };
}

/** Money may have come since the page was drawn. What the command itself refuses or repeats is left to it. */
function refuseChangedMoney(
  trade: Trade,
  given: Command,
  { nothingHeld, sum }: SeenMoney,
  at: Date,
): { ok: true } | TradeRefusal {
  const decision = decideCommand(trade, { ...given, who: "admin" }, at);
  if (!decision.ok || !decision.changed) return { ok: true };
  if (nothingHeld && trade.held > 0) return refuseAction("MONEY_HELD", trade);
  const { toBuyer, toSeller } = sharesOf(decision.effects);
  const moves = given.kind === "cancel" ? toBuyer : toSeller;
  if (sum === undefined || sum === moves) return { ok: true };
  return { ok: false, code: "SUM_DIFFERS", params: { sum: moves } };
}

/**
 * Closes a trade. With nothing held no money moves; what is held is recorded as sent to the seller, its bank reference to
 * follow, and asks for a fresh login (REAUTH_REQUIRED). With `nothingHeld` it pays nobody (MONEY_HELD); with `destinationDigest` only the
 * account that was shown (PAYOUT_CONFLICT). Refuses TRADE_OVERTAKEN (cancelled, or paid meanwhile), INVOICING_BUSY, DESTINATION_MISSING, DESTINATION_REQUIRED,
 * FOUR_EYES_REQUIRED, ACCOUNT_JUST_CORRECTED, APPROVAL_LAPSED, MONEY_HALTED, TRADE_ON_HOLD; to anybody but the mediator of a dispute
 * DISPUTE_TAKEN, DISPUTE_NOT_TAKEN.
 */
export async function adminComplete(
  actor: Actor,
  id: number,
  {
    nothingHeld = false,
    destinationDigest: shown,
  }: { nothingHeld?: boolean } & Pick<SeenMoney, "destinationDigest"> = {},
): Promise<TradeResult | TradeRefusal> {
  // Money may leave by it.
  const leaves = requireFreshAdmin(actor, currentTime()).ok && (await heldAmount(db(), id)) > 0;
  return endAfterProviderCheck(actor, id, () =>
    withProviderCheck(actor, { tradeId: id, leaves }, (asked) =>
      commandAsAdmin(actor, id, { kind: "complete" }, { nothingHeld, destinationDigest: shown }, asked),
    ),
  );
}

/**
 * Lets the seller have the money of a trade that both sides did not confirm: it becomes due and leaves by the steps of its payout;
 * until then either side may open a dispute. `sum` is what the seller gets, as it was typed out. Refuses REAUTH_REQUIRED,
 * SUM_DIFFERS, DESTINATION_MISSING, NOT_PAID_YET, TRADE_OVERTAKEN; of a disputed trade what `adminComplete` does.
 */
export function adminPaySeller(
  actor: Actor,
  id: number,
  { sum }: { sum: number },
): Promise<TradeResult | TradeRefusal> {
  return commandAsAdmin(actor, id, { kind: "pay_seller" }, { sum });
}

/**
 * Calls a trade off; what is held becomes a refund, whole when the fault is ours, and asks for a fresh login (REAUTH_REQUIRED).
 * `sum` is what the buyer gets back, where it was asked (SUM_DIFFERS). Refuses PAYOUT_APPROVED, MONEY_ALREADY_SENT, TRADE_ON_HOLD,
 * TRADE_OVERTAKEN (cancelled otherwise, or paid meanwhile), INVOICING_BUSY; of an open or ruled dispute FOUR_EYES_REQUIRED (so much is ruled and confirmed instead, after a
 * ruling once a side has disputed it anew) and, to anybody but its mediator, DISPUTE_TAKEN, DISPUTE_NOT_TAKEN.
 */
export function adminCancel(
  actor: Actor,
  id: number,
  { ourFault = false, sum }: { ourFault?: boolean; sum?: number } = {},
): Promise<TradeResult | TradeRefusal> {
  return endAfterProviderCheck(actor, id, () =>
    commandAsAdmin(actor, id, { kind: "cancel", ourFault }, { sum }),
  );
}

/**
 * Hides a trade that has ended from every list; nothing is erased, and money that is booked later shows it again. Refuses
 * TRADE_UNDER_WAY, MONEY_HELD while anything is held, owed, in suspense or payable.
 */
export function deleteTransaction(actor: Actor, id: number): Promise<TradeResult | TradeRefusal> {
  return commandAsAdmin(actor, id, { kind: "hide" });
}
