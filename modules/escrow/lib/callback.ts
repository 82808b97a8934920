import { transaction } from "#db/client";
import { now } from "#db/clock";
import { throttle } from "#db/throttle";
import { checkCallback } from "#modules/payments";
import { checkLater, checkLaterWith, type Later } from "./check-later.ts";
import { checkPayment } from "./check-payment.ts";
import { type Refused, refused } from "./outcomes.ts";

/** A payment that a callback names is asked about at once, and then no more than once a minute. */
const pace = { max: 1, seconds: 60 };
const minute = 60_000;
const attempts = 8;

/**
 * The provider says something may have been paid: commits a job that asks, and moves nothing itself, for a callback proves
 * nothing. Repeated within the minute it is delayed, never dropped. Refuses INVOICE_NOT_FOUND: no such invoice, or a forged secret.
 */
export async function onProviderCallback(
  invoiceId: string,
  secret: string,
  paymentId: string | null = null,
): Promise<{ ok: true } | Refused> {
  const tradeId = await checkCallback(invoiceId, secret, paymentId);
  if (tradeId === null) return refused("INVOICE_NOT_FOUND");
  const at = now();
  const named = paymentId !== null && /^[\w.:-]{1,64}$/.test(paymentId) ? paymentId : "-";
  const turn = await throttle(`escrow.callback:${tradeId}:${named}`, pace, at);
  const when = turn.ok ? undefined : new Date(at.getTime() + turn.retryAfterSeconds * 1000);
  await transaction((tx) => checkLater(tx, tradeId, when, { force: turn.ok }));
  return { ok: true };
}

/** The job of a callback or of a check that was put off. While the provider does not answer it comes again, ever later. */
export async function checkNow({ tradeId, force, attempt, quiet = false }: Later): Promise<void> {
  const checked = await checkPayment(tradeId, quiet ? "renewal" : "callback", { force });
  if (!checked.ok || checked.answer.complete || checked.answer.retryAt !== null || attempt >= attempts)
    return;
  const when = new Date(now().getTime() + minute * 2 ** attempt);
  await transaction((tx) => checkLater(tx, tradeId, when, { force: true, attempt: attempt + 1, quiet }));
}

checkLaterWith(checkNow);
