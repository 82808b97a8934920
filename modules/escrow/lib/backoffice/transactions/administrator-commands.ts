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
import {
  type AdminGrant,
  type NoAdminGrant,
  requireAdminForTrade,
  requireFreshAdmin,
} from "../../core/authorization.ts";
import type { ChangeContext } from "../../core/carry-out-effects.ts";
import { loadTrade } from "../../core/load-trade.ts";
import { type RefusalCode, refuseAction, runAtomically, type TradeRefusal } from "../../core/outcomes.ts";
import { sideOf } from "../../core/party-access.ts";
import { isRuled, mayDecide } from "../../disputes/mediate.ts";
import { requireProviderCheck, withProviderCheck } from "../../holds/check-before-payout.ts";
import { sellerDestination } from "../../information/bank-account.ts";
import { decideCommand } from "../../machine/decide.ts";
import { isUnpaid } from "../../machine/decision-helpers.ts";
import { type Shares, sharesOf } from "../../machine/dispute.ts";
import type { GivenCommand, Trade } from "../../machine/trade-types.ts";
import { withInvoicingLease } from "../../payment/invoicing-lease.ts";
import { closeEarlierInvoices } from "../../payment/issue-invoice.ts";
import { vaultRefusal, vaultRefusalToPay } from "../../vault/vault-shown.ts";
import { findClaimedPayouts } from "../payouts/claimed-payouts.ts";

/**
 * Runs `work` under the locks of a trade that is not the administrator's own. Every function here may refuse AUTH_REQUIRED, ADMIN_REQUIRED,
 * TRANSACTION_NOT_FOUND and OWN_TRADE. It also returns what `decide` refuses, with the trade's state as `current`.
 */
function decideAsAdmin<const Result extends { ok: true } | { ok: false; code: RefusalCode }>(
  actor: Actor,
  id: number,
  work: (tx: Tx, found: AdminGrant, doing: ChangeContext) => Promise<Result>,
) {
  const doing = { at: currentTime(), by: auditAuthorOf(actor) };
  return runAtomically(async (tx): Promise<Result | NoAdminGrant> => {
    const found = await requireAdminForTrade(tx, actor, id);
    return found.ok ? work(tx, found, doing) : found;
  });
}

/** Refuses REAUTH_REQUIRED if money of the trade is held and the administrator's login is not fresh. */
function requireFreshForMoney(actor: Actor, trade: Trade, at: Date) {
  return trade.held > 0 ? requireFreshAdmin(actor, at) : ({ ok: true } as const);
}

/** While a dispute is open only its mediator decides. Any administrator may pay out what a ruling decided. */
function requireDecider(tx: Tx, { trade, member }: AdminGrant) {
  return trade.status === "disputed"
    ? mayDecide(tx, { trade, userId: member.userId })
    : ({ ok: true } as const);
}

/**
 * Refuses to undo with a cancellation: what another administrator must decide, and a transfer that an administrator makes. Only the mediator
 * of a dispute may undo its ruling. Above the limit such a refund would be a ruling, or undo one, without the second administrator that a
 * ruling needs.
 */
async function refuseUndoing(tx: Tx, { trade, member }: AdminGrant) {
  const decides = await mayDecide(tx, { trade, userId: member.userId });
  if (!decides.ok) return decides;
  const rules = trade.status === "disputed" || (await isRuled(tx, trade.id));
  if (exceedsFourEyes(trade.held) && rules) return refuseAction("FOUR_EYES_REQUIRED", trade);
  const claimed = (await findClaimedPayouts(tx, trade.id)).length > 0;
  return claimed ? refuseAction("PAYOUT_APPROVED", trade) : ({ ok: true } as const);
}

/**
 * Ends a trade for an administrator with `end`, and asks the provider about every invoice of an unpaid trade before, as every ending does.
 * The reply may put the trade on hold. If it brings money, nothing ends: the administrator decided without seeing that money. Refuses
 * TRADE_OVERTAKEN, INVOICING_BUSY and what `end` refuses.
 */
async function endAfterProviderCheck<Result>(actor: Actor, id: number, end: () => Promise<Result>) {
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
 * Refuses PAYOUT_CONFLICT if the seller's account was corrected since the page was drawn. Without a digest
 * nothing is compared.
 */
async function refuseChangedAccount(
  tx: Tx,
  trade: Trade,
  shown: string | undefined,
): Promise<{ ok: true } | TradeRefusal<"PAYOUT_CONFLICT">> {
  if (shown === undefined || trade.held === 0) return { ok: true };
  const due = (await payoutsOf(tx, trade.id)).find(
    ({ kind, state }) => kind === "payout" && (state === "due" || state === "approved"),
  );
  const destination = due === undefined ? await sellerDestination(tx, trade.id) : due.destination;
  if (shown === destinationDigest(destination)) return { ok: true };
  return { ...refuseAction("PAYOUT_CONFLICT", trade), textKey: "admin.payout.accountChanged" };
}

/**
 * Refuses MONEY_HELD while a payout or refund of the trade is unfinished, money of it is in suspense, or its QR could still be paid: a hidden
 * trade appears in no list, so nobody would deal with that money. `decide` refuses where money is held in escrow.
 */
async function refuseOpenMoney(tx: Tx, trade: Trade): Promise<{ ok: true } | TradeRefusal<"MONEY_HELD">> {
  if (trade.endedAt === null || trade.hiddenAt !== null) return { ok: true };
  const owed =
    isMoneyStillToSend(await payoutsOf(tx, trade.id)) || (await readSuspenseAmount(tx, trade.id)) > 0;
  const payable = owed || (await liveInvoice(tx, trade.id)) !== null;
  return payable ? refuseAction("MONEY_HELD", trade) : { ok: true };
}

/**
 * The money that a command would move; null if `decide` refuses it or nothing would change: then the command itself answers, whatever the
 * administrator's page showed.
 */
function moneyToMove(trade: Trade, command: GivenCommand, at: Date): Shares | null {
  const decision = decideCommand(trade, command, at);
  return decision.ok && decision.changed ? sharesOf(decision.effects) : null;
}

/** Refuses SUM_DIFFERS if the administrator typed another sum than the command moves (`moves`); null compares nothing. */
function refuseOtherSum(
  typed: number | undefined,
  moves: number | undefined,
): { ok: true } | TradeRefusal<"SUM_DIFFERS"> {
  if (typed === undefined || moves === undefined || typed === moves) return { ok: true };
  return { ok: false, code: "SUM_DIFFERS", params: { sum: moves } };
}

/**
 * Closes a trade. With nothing held no money moves. Held money is recorded as sent to the seller, with the bank reference to be entered later,
 * and needs a fresh login (REAUTH_REQUIRED). With `destinationDigest` it pays only the account that was shown (PAYOUT_CONFLICT). Before the
 * buyer's confirmation it pays only if the vault is as `vaultShown` says; without it, nothing in it may be unopened (VAULT_CHANGED). Refuses
 * TRADE_OVERTAKEN (cancelled, or paid meanwhile), INVOICING_BUSY, DESTINATION_MISSING, DESTINATION_REQUIRED, FOUR_EYES_REQUIRED,
 * ACCOUNT_JUST_CORRECTED, APPROVAL_LAPSED, MONEY_HALTED, TRADE_ON_HOLD. To anyone but the mediator of an open dispute it refuses
 * DISPUTE_TAKEN and DISPUTE_NOT_TAKEN.
 */
export function adminComplete(
  actor: Actor,
  id: number,
  shown: { destinationDigest?: string | undefined; vaultShown?: string | undefined } = {},
) {
  return closeTrade(actor, id, async (tx, trade) => {
    const account = await refuseChangedAccount(tx, trade, shown.destinationDigest);
    if (!account.ok || trade.held === 0) return account;
    return (await vaultRefusalToPay(tx, trade, shown.vaultShown)) ?? account;
  });
}

/** Like `adminComplete`, for a page that showed that nothing is held: refuses MONEY_HELD if money came since. */
export function adminCloseUnpaid(actor: Actor, id: number) {
  return closeTrade(actor, id, async (_, trade, at) =>
    trade.held > 0 && moneyToMove(trade, { kind: "complete", who: "admin" }, at) !== null
      ? refuseAction("MONEY_HELD", trade)
      : ({ ok: true } as const),
  );
}

async function closeTrade<Code extends RefusalCode>(
  actor: Actor,
  id: number,
  refuseStale: (tx: Tx, trade: Trade, at: Date) => Promise<{ ok: true } | TradeRefusal<Code>>,
) {
  // With money held, closing pays the seller, so the provider is asked before.
  const leaves = requireFreshAdmin(actor, currentTime()).ok && (await heldAmount(db(), id)) > 0;
  return endAfterProviderCheck(actor, id, () =>
    withProviderCheck(actor, { tradeId: id, leaves }, (asked) =>
      decideAsAdmin(actor, id, async (tx, found, doing) => {
        const { trade } = found;
        const fresh = requireFreshForMoney(actor, trade, doing.at);
        if (!fresh.ok) return fresh;
        const decides = await requireDecider(tx, found);
        if (!decides.ok) return decides;
        const stands = await refuseStale(tx, trade, doing.at);
        if (!stands.ok) return stands;
        const done = await applyCommand(tx, trade, { kind: "complete", who: "admin" }, doing);
        if (!done.ok || !done.changed) return done;
        if (trade.held > 0) requireProviderCheck(asked);
        return asked.answered ? done : refuseAction("TRADE_ON_HOLD", trade);
      }),
    ),
  );
}

/**
 * Decides for the seller in a trade that the two sides have not both confirmed: a payout becomes due and leaves by its usual steps. Until then
 * either side may open a dispute. `sum` is what the seller gets, as the administrator typed it. Refuses REAUTH_REQUIRED, SUM_DIFFERS,
 * DESTINATION_MISSING, NOT_PAID_YET, TRADE_OVERTAKEN, VAULT_CHANGED as `adminComplete` does, and for a disputed trade what that refuses.
 */
export function adminPaySeller(
  actor: Actor,
  id: number,
  { sum, vaultShown }: { sum: number; vaultShown?: string | undefined },
) {
  const command = { kind: "pay_seller", who: "admin" } as const;
  return decideAsAdmin(actor, id, async (tx, found, doing) => {
    const { trade } = found;
    const fresh = requireFreshForMoney(actor, trade, doing.at);
    if (!fresh.ok) return fresh;
    const decides = await requireDecider(tx, found);
    if (!decides.ok) return decides;
    const toSeller = moneyToMove(trade, command, doing.at)?.toSeller;
    const sumCheck = refuseOtherSum(sum, toSeller);
    if (!sumCheck.ok) return sumCheck;
    const vaultRefused = toSeller ? await vaultRefusalToPay(tx, trade, vaultShown) : null;
    return vaultRefused ?? applyCommand(tx, trade, command, doing);
  });
}

type CancelTerms = { ourFault?: boolean; vaultShown?: string | undefined };

/**
 * Cancels a trade. Held money becomes a refund, in full if `ourFault`, and needs a fresh login (REAUTH_REQUIRED). Refuses PAYOUT_APPROVED,
 * MONEY_ALREADY_SENT, TRADE_ON_HOLD, TRADE_OVERTAKEN (ended otherwise, or paid meanwhile) and INVOICING_BUSY. If money goes back, refuses
 * VAULT_CHANGED unless the vault is as `vaultShown` says; without `vaultShown`, nobody may have opened it. For a trade whose dispute is open
 * or ruled, refuses DISPUTE_TAKEN and DISPUTE_NOT_TAKEN to anyone but the mediator, and FOUR_EYES_REQUIRED above the limit: such a sum needs
 * a ruling that a second administrator confirms, and after a ruling a new dispute first.
 */
export function adminCancel(actor: Actor, id: number, terms: CancelTerms = {}) {
  return cancelTrade<never>(actor, id, terms, () => ({ ok: true }));
}

/** Like `adminCancel`, for a page: `sum` is what the buyer gets back, as the administrator typed it (SUM_DIFFERS). */
export function adminCancelForSum(
  actor: Actor,
  id: number,
  { sum, ...terms }: CancelTerms & { sum: number | undefined },
) {
  return cancelTrade(actor, id, terms, (toBuyer) => refuseOtherSum(sum, toBuyer));
}

function cancelTrade<Code extends RefusalCode>(
  actor: Actor,
  id: number,
  { ourFault = false, vaultShown }: CancelTerms,
  refuseSum: (toBuyer: number | undefined) => { ok: true } | TradeRefusal<Code>,
) {
  const command = { kind: "cancel", who: "admin", ourFault } as const;
  return endAfterProviderCheck(actor, id, () =>
    decideAsAdmin(actor, id, async (tx, found, doing) => {
      const { trade } = found;
      const fresh = requireFreshForMoney(actor, trade, doing.at);
      if (!fresh.ok) return fresh;
      const undoes = trade.status === "cancelled" ? ({ ok: true } as const) : await refuseUndoing(tx, found);
      if (!undoes.ok) return undoes;
      const toBuyer = moneyToMove(trade, command, doing.at)?.toBuyer;
      const sumCheck = refuseSum(toBuyer);
      if (!sumCheck.ok) return sumCheck;
      // A buyer who opens the vault after the administrator has looked would get the item and the money.
      const vaultRefused = toBuyer ? await vaultRefusal(tx, trade, vaultShown) : null;
      return vaultRefused ?? applyCommand(tx, trade, command, doing);
    }),
  );
}

/**
 * Hides a trade that has ended from every list. Nothing is erased, and a payment that is booked later shows it again. Refuses TRADE_UNDER_WAY,
 * and MONEY_HELD while any of its money is held, owed or in suspense, or its QR could still be paid.
 */
export function deleteTransaction(actor: Actor, id: number) {
  return decideAsAdmin(actor, id, async (tx, found, doing) => {
    const { trade } = found;
    const decides = await requireDecider(tx, found);
    if (!decides.ok) return decides;
    const idle = await refuseOpenMoney(tx, trade);
    return idle.ok ? applyCommand(tx, trade, { kind: "hide", who: "admin" }, doing) : idle;
  });
}
