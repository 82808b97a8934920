import { db, type Tx } from "#db/client";
import { currentTime } from "#db/clock";
import type { Actor } from "#modules/identity";
import {
  bookHeldRow,
  type Hold,
  type HoldResolution,
  holdById,
  isPaidPaymentReason,
  type PayoutActor,
  resolveHold,
  undoHeldPayment,
} from "#modules/payments";
import {
  loadPayoutActor,
  type NoAdminGrant,
  type NotFreshAdmin,
  requireAdminForTrade,
  requireFreshAdmin,
} from "../core/authorization.ts";
import { refuseAction, runAtomically, type TradeRefusal, type TradeResult } from "../core/outcomes.ts";
import type { Trade } from "../machine/trade-types.ts";
import { followBooking, sumOf } from "../payment/follow-booking.ts";
import { checkProviderBeforePayout } from "./check-before-payout.ts";
import { endUnderfundedTrade } from "./end-underfunded-trade.ts";

export type ResolveHoldResult = TradeResult & { state: "proposed" | "closed" };
type PayoutContext = { at: Date; by: PayoutActor };
/** Why the money of a decision cannot move. */
type MoveRefusal = "MONEY_ALREADY_SENT" | "NOT_FOUND" | "PAYOUT_EXCEEDS_HELD";
type ResolveRefusal =
  | Exclude<NoAdminGrant["code"], "TRANSACTION_NOT_FOUND">
  | Extract<Awaited<ReturnType<typeof resolveHold>>, { ok: false }>["code"]
  | MoveRefusal
  | "RECORD_ALTERED";

/**
 * Records an administrator's decision about one of a trade's holds, with their name and note. A decision that moves money, or lifts a hold of a
 * trade that holds money, is a proposal until a second administrator decides the same; then it takes effect, and the money moves, in one
 * transaction. A decision that took effect is final. Refuses AUTH_REQUIRED, ADMIN_REQUIRED, REAUTH_REQUIRED, NOT_FOUND, OWN_TRADE,
 * HOLD_OUTCOME_INVALID, FOUR_EYES_RELATED, PROPOSAL_DIFFERS, MONEY_ALREADY_SENT (the money that would be taken back has left).
 */
export async function resolveTradeHold(
  actor: Actor,
  holdId: number,
  { outcome, note }: { outcome: HoldResolution; note: string },
): Promise<ResolveHoldResult | NotFreshAdmin | TradeRefusal<ResolveRefusal>> {
  const at = currentTime();
  const fresh = requireFreshAdmin(actor, at);
  if (!fresh.ok) return fresh;
  const seen = await holdById(db(), holdId);
  // If the provider calls the payment paid by now, the check marks this report as outdated: the decision then does not cover the next report.
  if (seen?.closedAt === null && isPaidPaymentReason(seen.reason))
    await checkProviderBeforePayout(actor, seen.reference);
  return runAtomically(async (tx) => {
    const found = await requireAdminForTrade(tx, actor, seen?.reference ?? 0);
    if (!found.ok)
      return found.code === "TRANSACTION_NOT_FOUND"
        ? refuseAction("NOT_FOUND")
        : { ...found, code: found.code };
    const { trade, member } = found;
    const changeContext = { at, by: await loadPayoutActor(tx, member, at) };
    const done = await resolveHold(tx, { id: holdId, outcome, note, ...changeContext });
    if (!done.ok) return refuseAction(done.code, trade);
    if (done.state === "repeated") return { ok: true, changed: false, trade, state: "closed" };
    if (done.state === "proposed") return { ok: true, changed: true, trade, state: "proposed" };
    const moved = await moveMoney(tx, trade, done.hold, changeContext);
    return moved.ok ? { ...moved, changed: true, state: "closed" } : moved;
  });
}

async function moveMoney(
  tx: Tx,
  trade: Trade,
  hold: Hold,
  changeContext: PayoutContext,
): Promise<TradeResult | TradeRefusal<MoveRefusal>> {
  const { outcome } = hold;
  if (outcome === "booked") return bookRow(tx, trade, hold, changeContext);
  if (outcome === "taken_back" || outcome === "same_payment")
    return undoBookedPayment(tx, trade, hold, outcome, changeContext);
  return endUnderfundedTrade(tx, trade, changeContext);
}

async function bookRow(
  tx: Tx,
  trade: Trade,
  hold: Hold,
  changeContext: PayoutContext,
): Promise<TradeResult | TradeRefusal<MoveRefusal>> {
  const owed = trade.endedAt === null ? trade.gross : 0;
  const { endedAt } = trade;
  const booked = await bookHeldRow(tx, hold, { owed, endedAt, ...changeContext });
  const booking = { ...booked, came: sumOf(booked.booked) };
  return followBooking(tx, trade, booking, { who: "admin", complete: false, failed: false }, changeContext);
}

async function undoBookedPayment(
  tx: Tx,
  trade: Trade,
  hold: Hold,
  outcome: "taken_back" | "same_payment",
  changeContext: PayoutContext,
): Promise<TradeResult | TradeRefusal<MoveRefusal>> {
  const undone = await undoHeldPayment(tx, hold, outcome, changeContext);
  return undone.ok ? endUnderfundedTrade(tx, trade, changeContext) : refuseAction(undone.code, trade);
}
