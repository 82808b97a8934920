import { type Actor, by } from "#modules/identity";
import { checkPayment } from "../check-payment.ts";

/**
 * Asks the provider about every invoice of a trade once more before money of it may leave (design §4 "Money taken back"). What it says of a
 * payment, or that it says nothing, puts the trade on hold; the step that follows is then refused under the trade's lock.
 */
export async function askBeforePayout(actor: Actor, tradeId: number): Promise<void> {
  await checkPayment(tradeId, "renewal", { force: true, by: by(actor) });
}
