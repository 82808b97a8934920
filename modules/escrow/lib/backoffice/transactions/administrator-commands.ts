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
 * Applies an administrator's command to a trade that is not their own. Every function here may refuse AUTH_REQUIRED, ADMIN_REQUIRED,
 * TRANSACTION_NOT_FOUND and OWN_TRADE. It also returns what `decide` refuses, with the trade's state as `current`.
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
    // Any administrator may pay out what a ruling decided, but only the mediator of the dispute may undo the ruling.
    const undoes = given.kind === "cancel" && trade.status !== "cancelled";
    if (trade.status === "disputed" || undoes) {
      const decides = await mayDecide(tx, { trade, userId: member.userId });
      if (!decides.ok) return decides;
    }
    if (undoes && exceedsFourEyes(trade.held) && (trade.status === "disputed" || (await isRuled(tx, id)))) {
      // Such a refund would be a ruling, or undo one, without the second administrator that a ruling above the limit needs.
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
 * Ends a trade for an administrator with `end`, and asks the provider about every invoice of an unpaid trade before, as every ending does.
 * The reply may put the trade on hold. If it brings money, nothing ends: the administrator decided without seeing that money. Refuses
 * TRADE_OVERTAKEN, INVOICING_BUSY and what `end` refuses.
 */
async function endAfterProviderCheck(
  actor: Actor,
  id: number,
  end: () => Promise<TradeResult | TradeRefusal>,
): Promise<TradeResult | TradeRefusal> {
  const trade = await loadTrade(id);
  if (trade === undefined || !isUnpaid(trade) || !mayEnd(actor, trade)) return end();
  return withInvoicingLease(id, async () => {
    // A code that was withdrawn can still be paid, so the reply of a minute ago is not enough to end a trade by.
    const settled = await closeEarlierInvoices(id, actor, { force: true });
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

/**
 * What the administrator's page showed of the money when they decided: that none is held, the sum that their command moves, or the digest of the
 * account that it goes to.
 */
type SeenMoney = {
  nothingHeld?: boolean;
  sum?: number | undefined;
  destinationDigest?: string | undefined;
};

/**
 * Refuses PAYOUT_CONFLICT if the seller's account was corrected since the page was drawn. Without a digest nothing is compared: the API's
 * `complete` call has no body.
 */
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
 * Refuses MONEY_HELD while a payout or refund of the trade is unfinished, money of it is in suspense, or its QR could still be paid: a hidden
 * trade appears in no list, so nobody would deal with that money. `decide` refuses where money is held in escrow.
 */
async function refuseOpenMoney(tx: Tx, trade: Trade): Promise<{ ok: true } | TradeRefusal> {
  if (trade.endedAt === null || trade.hiddenAt !== null) return { ok: true };
  const owed =
    isMoneyStillToSend(await payoutsOf(tx, trade.id)) || (await readSuspenseAmount(tx, trade.id)) > 0;
  const payable = owed || (await liveInvoice(tx, trade.id)) !== null;
  return payable ? refuseAction("MONEY_HELD", trade) : { ok: true };
}

/**
 * Refuses where money came since the page was drawn: MONEY_HELD or SUM_DIFFERS. A command that `decide` refuses, or that changes nothing,
 * passes, so that the command itself answers.
 */
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
 * Closes a trade. With nothing held no money moves. Held money is recorded as sent to the seller, with the bank reference to be entered later,
 * and needs a fresh login (REAUTH_REQUIRED). With `nothingHeld` it refuses while money is held (MONEY_HELD); with `destinationDigest` it
 * pays only the account that was shown (PAYOUT_CONFLICT). Refuses TRADE_OVERTAKEN (cancelled, or paid meanwhile), INVOICING_BUSY,
 * DESTINATION_MISSING, DESTINATION_REQUIRED, FOUR_EYES_REQUIRED, ACCOUNT_JUST_CORRECTED, APPROVAL_LAPSED, MONEY_HALTED, TRADE_ON_HOLD. To
 * anyone but the mediator of an open dispute it refuses DISPUTE_TAKEN and DISPUTE_NOT_TAKEN.
 */
export async function adminComplete(
  actor: Actor,
  id: number,
  {
    nothingHeld = false,
    destinationDigest: shown,
  }: { nothingHeld?: boolean } & Pick<SeenMoney, "destinationDigest"> = {},
): Promise<TradeResult | TradeRefusal> {
  // With money held, closing pays the seller, so the provider is asked before.
  const leaves = requireFreshAdmin(actor, currentTime()).ok && (await heldAmount(db(), id)) > 0;
  return endAfterProviderCheck(actor, id, () =>
    withProviderCheck(actor, { tradeId: id, leaves }, (asked) =>
      commandAsAdmin(actor, id, { kind: "complete" }, { nothingHeld, destinationDigest: shown }, asked),
    ),
  );
}

/**
 * Decides for the seller in a trade that the two sides have not both confirmed: a payout becomes due and leaves by its usual steps. Until then
 * either side may open a dispute. `sum` is what the seller gets, as the administrator typed it. Refuses REAUTH_REQUIRED, SUM_DIFFERS,
 * DESTINATION_MISSING, NOT_PAID_YET, TRADE_OVERTAKEN, and for a disputed trade what `adminComplete` refuses.
 */
export function adminPaySeller(
  actor: Actor,
  id: number,
  { sum }: { sum: number },
): Promise<TradeResult | TradeRefusal> {
  return commandAsAdmin(actor, id, { kind: "pay_seller" }, { sum });
}

/**
 * Cancels a trade. Held money becomes a refund, in full if `ourFault`, and needs a fresh login (REAUTH_REQUIRED). `sum` is what the buyer gets
 * back, as the administrator typed it (SUM_DIFFERS). Refuses PAYOUT_APPROVED, MONEY_ALREADY_SENT, TRADE_ON_HOLD, TRADE_OVERTAKEN (ended
 * otherwise, or paid meanwhile), INVOICING_BUSY. For a trade whose dispute is open or ruled it refuses DISPUTE_TAKEN and DISPUTE_NOT_TAKEN to
 * anyone but the mediator, and FOUR_EYES_REQUIRED above the limit: such a sum needs a ruling that a second administrator confirms, and after a
 * ruling a new dispute first.
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
 * Hides a trade that has ended from every list. Nothing is erased, and a payment that is booked later shows it again. Refuses TRADE_UNDER_WAY,
 * and MONEY_HELD while any of its money is held, owed or in suspense, or its QR could still be paid.
 */
export function deleteTransaction(actor: Actor, id: number): Promise<TradeResult | TradeRefusal> {
  return commandAsAdmin(actor, id, { kind: "hide" });
}
