import { type Actor, auditAuthorOf } from "#modules/identity";
import type { PayoutStepDone } from "#modules/payments";
import type { PayoutStepRefusal } from "../core/refused-step.ts";
import { checkPayment } from "../payment/check-payment.ts";

/** Whether the provider was asked about a trade's payments before a step that may send money, and whether it answered for every invoice. */
export type ProviderCheck = { asked: boolean; answered: boolean };

/** The result for a step that does not ask the provider. */
const skippedProviderCheck: ProviderCheck = { asked: false, answered: true };

/** Thrown inside a step's transaction to roll it back: the step sends money, and the provider was not asked before it. */
class MissingProviderCheck extends Error {}

/**
 * Asks the provider about every invoice of a trade, and then takes a step that may send the trade's money: a payment may have been taken
 * back meanwhile (docs/decisions/0010-ask-the-provider-before-money-leaves.md). A payment in doubt, or no answer, puts the trade on hold,
 * and the step is refused under the trade's lock. Without an answer it is refused even if somebody dismissed that hold in between
 * (`requireProviderAnswer`). `leaves` says whether the step is expected to send money: a repetition sends none and asks nothing. If it
 * turns out under the lock to send money all the same, it is rolled back, the provider is asked, and the step starts again.
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

/** Asks the provider about every invoice of a trade, however recently it was asked, and books what it reports. */
export async function checkProviderBeforePayout(actor: Actor, tradeId: number): Promise<ProviderCheck> {
  const checked = await checkPayment(tradeId, "renewal", { force: true, by: auditAuthorOf(actor) });
  return { asked: true, answered: checked.ok && checked.answer.complete };
}

/** Call it under the trade's lock where money leaves. Makes `withProviderCheck` start again if the provider was not asked. */
export function requireProviderCheck({ asked }: ProviderCheck): void {
  if (!asked) throw new MissingProviderCheck();
}

/**
 * Returns the step's result, or TRADE_ON_HOLD if the provider was asked before it and did not answer; the caller then rolls the step back.
 */
export function requireProviderAnswer<Step extends PayoutStepDone | PayoutStepRefusal>(
  asked: ProviderCheck,
  step: Step,
): Step | PayoutStepRefusal<"TRADE_ON_HOLD"> {
  if (!step.ok || step.repeated) return step;
  requireProviderCheck(asked);
  return asked.answered ? step : { ok: false, code: "TRADE_ON_HOLD", current: step.payout };
}
