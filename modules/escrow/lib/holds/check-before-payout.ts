import { type Actor, auditAuthorOf } from "#modules/identity";
import type { PayoutRecordResult } from "#modules/payments";
import type { PayoutStepRefusal } from "../core/refused-step.ts";
import { checkPayment } from "../payment/check-payment.ts";

/** Whether the provider was asked about a trade's payments before a step by which money may leave, and answered about every invoice. */
export type ProviderCheck = { asked: boolean; answered: boolean };

/** Of a step that asks nothing. */
export const skippedProviderCheck: ProviderCheck = { asked: false, answered: true };

/** Inside a step's transaction: money leaves by it, and the provider was not asked before. */
class MissingProviderCheck extends Error {}

/**
 * Takes a step by which money of a trade may leave, once the provider was asked about every invoice of it (design §4 "Money taken back"). What
 * it says of a payment, or that it says nothing, puts the trade on hold; the step is then refused under the trade's lock. It is refused
 * without an answer even where somebody has dismissed that hold in between: see `afterAnswer`. `leaves` says whether money seems to leave by
 * the step, so that a repeat asks nothing; where that became so only while the step waited for the lock, it is undone and begins again with the question.
 */
export async function withProviderCheck<T>(
  actor: Actor,
  { tradeId, leaves }: { tradeId: number; leaves: boolean },
  step: (asked: ProviderCheck) => Promise<T>,
): Promise<T> {
  if (!leaves) {
    try {
      return await step(skippedProviderCheck);
    } catch (error) {
      if (!(error instanceof MissingProviderCheck)) throw error;
    }
  }
  return step(await checkProviderBeforePayout(actor, tradeId));
}

/** Asks the provider about every invoice of a trade once more, and books what it says. */
export async function checkProviderBeforePayout(actor: Actor, tradeId: number): Promise<ProviderCheck> {
  const checked = await checkPayment(tradeId, "renewal", { force: true, by: auditAuthorOf(actor) });
  return { asked: true, answered: checked.ok && checked.answer.complete };
}

/** To be called under the trade's lock where money leaves: has `askingBefore` begin again where the provider was not asked. */
export function requireProviderCheck({ asked }: ProviderCheck): void {
  if (!asked) throw new MissingProviderCheck();
}

/** A step that was taken, or TRADE_ON_HOLD where the provider was asked before it and did not answer; the caller undoes it then. */
export function requireProviderAnswer<Step extends PayoutRecordResult | PayoutStepRefusal>(
  asked: ProviderCheck,
  step: Step,
): Step | PayoutStepRefusal {
  if (!step.ok || step.repeated) return step;
  requireProviderCheck(asked);
  return asked.answered ? step : { ok: false, code: "TRADE_ON_HOLD", current: step.payout };
}
