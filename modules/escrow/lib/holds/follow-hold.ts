import { eq } from "drizzle-orm";
import { runInTransaction, type Tx } from "#db/client";
import { currentTime } from "#db/clock";
import {
  type Hold,
  holdsOf,
  isClearedByProvider,
  markHoldsTold,
  mayPaymentBeTakenBack,
  payoutsOf,
  registerHoldChangeHandler,
} from "#modules/payments";
import { broadcastTradeUpdate } from "../core/broadcast-update.ts";
import { postTradeNotice } from "../core/carry-out-effects.ts";
import { lockTrade, mayHaveLeft } from "../core/load-trade.ts";
import { tradesTable } from "../core/schema.ts";
import type { Trade } from "../machine/trade-types.ts";
import { alertAdministrators } from "../notifications/alert-administrators.ts";
import { mailAdmins } from "../notifications/mail-parties.ts";
import { checkLater } from "../payment/check-later.ts";
import { isHeldByReport } from "../payment/payment-finding.ts";
import { endUnderfundedTrade } from "./end-underfunded-trade.ts";

registerHoldChangeHandler(followHold);

/**
 * Job that runs after a trade's holds have changed. Notifies the administrators of each new hold that waits for a person. Both parties get
 * one notice when the first such hold opens, and one when the last has ended. A repetition notifies nobody again.
 */
export async function followHold(tradeId: number): Promise<void> {
  const at = currentTime();
  await runInTransaction(async (tx) => {
    const trade = await lockTrade(tx, tradeId);
    if (trade === undefined) return;
    const open = (await holdsOf(tx, tradeId)).filter(({ closedAt }) => closedAt === null);
    const waiting = open.filter(({ reason }) => !isClearedByProvider(reason));
    await notifyWaitingHolds(tx, trade, waiting, at);
    // The daily comparison found that ledger and provider disagree. A check of the invoices now shows how.
    const differs = waiting.some(({ reason, toldAt }) => reason === "DIFFERENCE" && toldAt === null);
    if (differs) await checkLater(tx, tradeId, undefined, { force: true, quiet: true });
    await markHoldsTold(
      tx,
      waiting.map(({ id }) => id),
      at,
    );
    await announceHold(tx, trade, waiting, at);
    if (open.length === 0) await endUnderfundedTrade(tx, trade, { at, by: { userId: null } });
    // A hold that opens without a notice changes the room's advice too: without a refresh, the page could let the buyer pay again.
    broadcastTradeUpdate(tx, trade);
  });
}

async function notifyWaitingHolds(tx: Tx, trade: Trade, waiting: readonly Hold[], at: Date): Promise<void> {
  const untold = waiting.filter(({ toldAt }) => toldAt === null);
  if (untold.length === 0) return;
  const moneyLeft = (await payoutsOf(tx, trade.id)).some(mayHaveLeft);
  for (const hold of untold) {
    const detail = [hold.reason, hold.facts.providerPaymentId].filter(Boolean).join(" ");
    if (isLoss(hold, moneyLeft)) await notifyLoss(tx, trade, hold, detail);
    else await mailAdmins(tx, trade, "hold", detail, `hold:${hold.id}:${at.getTime()}`);
  }
}

/**
 * True where the provider no longer reports a booked payment of the hold's own trade as paid, and that trade's money has already left:
 * nobody can stop it, so every administrator is notified.
 */
export function isLoss(hold: Pick<Hold, "reason" | "facts">, moneyLeft: boolean): boolean {
  return moneyLeft && mayPaymentBeTakenBack(hold.reason, hold.facts) && isOfOwnPayment(hold);
}

/** False for a payment that is booked for another trade, or for none. */
function isOfOwnPayment({ reason, facts }: Pick<Hold, "reason" | "facts">): boolean {
  const isOtherSum = reason === "PAYMENT_DIFFERS" && facts.otherReference === undefined;
  return isOtherSum || facts.paymentId !== undefined;
}

async function notifyLoss(tx: Tx, { id, code }: Trade, hold: Hold, detail: string): Promise<void> {
  const url = `/admin/transactions/${id}/holds`;
  const letter = { template: "adminTask" as const, data: { task: "loss" as const, code, detail, url } };
  const occasion = { event: "paymentTakenBack" as const, params: { code } };
  await alertAdministrators(tx, letter, { once: `loss:${hold.id}`, occasion, url });
}

/**
 * Notifies the parties that a hold opened or that none is left. If the trade has ended, an opened hold is not announced: its parties have
 * nothing to do.
 */
async function announceHold(tx: Tx, trade: Trade, waiting: readonly Hold[], at: Date): Promise<void> {
  const onHold = waiting.length > 0;
  const wasOnHold = trade.onHoldSince !== null;
  if (onHold === wasOnHold || (onHold && trade.endedAt !== null) || trade.erasedAt !== null) return;
  const onHoldSince = onHold ? at : null;
  await tx.update(tradesTable).set({ onHoldSince }).where(eq(tradesTable.id, trade.id));
  const params = { transactionId: trade.id, code: trade.code };
  const opened = isHeldByReport(waiting.map(({ reason }) => reason)) ? "tradeOnHold" : "paymentOnHold";
  const code = onHold ? opened : "paymentHoldEnded";
  await postTradeNotice(tx, { ...trade, onHoldSince }, { code, params, at });
}
