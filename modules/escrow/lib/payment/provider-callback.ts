import { db, runInTransaction } from "#db/client";
import { currentTime } from "#db/clock";
import { takeThrottledAttempt } from "#db/throttle/throttle-attempts";
import {
  checkCallback,
  holdUnlessPaymentKnown,
  isClearedByProvider,
  openHoldReasons,
} from "#modules/payments";
import { refuseAction, type TradeRefusal } from "../core/outcomes.ts";
import { checkLater, checkLaterWith, type LaterCheck, nextRepeatAt } from "./check-later.ts";
import { checkPayment } from "./check-payment.ts";

/** A payment that a callback names is checked at once, and then at most once a minute. */
const callbackLimit = { max: 1, seconds: 60 };

/**
 * The provider says that something may have been paid. Commits a job that asks the provider, and moves nothing itself, because a callback
 * proves nothing. A repetition within the minute is delayed, never dropped. Refuses INVOICE_NOT_FOUND for an unknown invoice or a forged
 * secret.
 */
export async function onProviderCallback(
  invoiceId: string,
  secret: string,
  paymentId: string | null = null,
): Promise<{ ok: true } | TradeRefusal<"INVOICE_NOT_FOUND">> {
  const tradeId = await checkCallback(invoiceId, secret, paymentId);
  if (tradeId === null) return refuseAction("INVOICE_NOT_FOUND");
  const at = currentTime();
  const named = paymentId !== null && /^[\w.:-]{1,64}$/.test(paymentId) ? paymentId : undefined;
  const turn = await takeThrottledAttempt(`escrow.callback:${tradeId}:${named ?? "-"}`, callbackLimit, at);
  const when = turn.ok ? undefined : new Date(at.getTime() + turn.retryAfterSeconds * 1000);
  await runInTransaction((tx) => checkLater(tx, tradeId, when, { force: turn.ok, announced: named }));
  return { ok: true };
}

/** Most repetitions of one check: those of the first hour, then one per hour for two days. */
const MOST_REPEATS = 53;

/**
 * The job of a callback or of a postponed check. While the provider does not answer, or does not list the payment that its callback named,
 * the trade is on hold and the check is repeated.
 */
export async function checkNow({
  tradeId,
  force,
  attempt,
  quiet = false,
  announced,
}: LaterCheck): Promise<void> {
  const checked = await checkPayment(tradeId, quiet ? "renewal" : "callback", { force, repeats: false });
  if (!checked.ok) return;
  const { answer } = checked;
  const at = currentTime();
  const known = announced === undefined || (await holdUnlessPaymentKnown(tradeId, announced, answer, at));
  if (answer.retryAt !== null && known) return;
  const waiting = (await openHoldReasons(db(), tradeId)).some(isClearedByProvider);
  if ((answer.complete && known && !waiting) || attempt >= MOST_REPEATS) return;
  await runInTransaction((tx) =>
    checkLater(tx, tradeId, nextRepeatAt(at, attempt), {
      force: true,
      attempt: attempt + 1,
      quiet,
      announced,
    }),
  );
}

checkLaterWith(checkNow);
