import { type Actor, by } from "#modules/identity";
import type { Stepped } from "#modules/payments";
import { checkPayment } from "../check-payment.ts";
import type { NoStep } from "../refused-step.ts";

/** Whether the provider answered about every invoice of a trade when it was asked before a step by which money may leave. */
export type AskedBefore = { answered: boolean };

/** Of a step that asks nothing. */
export const notAsked: AskedBefore = { answered: true };

/**
 * Asks the provider about every invoice of a trade once more before money of it may leave (design §4 "Money taken back"). What it says of a
 * payment, or that it says nothing, puts the trade on hold; the step that follows is then refused under the trade's lock. It is refused
 * without an answer even where somebody has dismissed that hold in between: see `afterAnswer`.
 */
export async function askBeforePayout(actor: Actor, tradeId: number): Promise<AskedBefore> {
  const checked = await checkPayment(tradeId, "renewal", { force: true, by: by(actor) });
  return { answered: checked.ok && checked.answer.complete };
}

/** A step that was taken, or TRADE_ON_HOLD where the provider was asked before it and did not answer; the caller undoes it then. */
export function afterAnswer<Step extends Stepped | NoStep>(
  { answered }: AskedBefore,
  step: Step,
): Step | NoStep {
  if (answered || !step.ok || step.repeated) return step;
  return { ok: false, code: "TRADE_ON_HOLD", current: step.payout };
}
