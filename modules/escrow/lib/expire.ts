import { db, type Executor } from "#db/client";
import { ask, cancelInvoices, providerProblemsOf } from "#modules/payments";
import { command } from "./apply.ts";
import { bookAnswer } from "./check-payment.ts";
import { loadTrade, lockTrade } from "./load.ts";
import { isUnpaid } from "./machine/answers.ts";
import { atomically, refused } from "./outcomes.ts";

const nobody = { userId: null };

/**
 * The payment window is over: no invoice is offered any more, the provider is asked about every one there was, and what came in
 * is booked. A trade that is paid goes on; one that is not is cancelled, and what came in goes back. False while the provider
 * has not answered for every invoice, or said something that waits for a person: then it may be paid, and the end is tried
 * again.
 */
export async function expirePayment(tradeId: number, at: Date): Promise<boolean> {
  const seen = await loadTrade(tradeId);
  if (seen === undefined || !isUnpaid(seen)) return true;
  await cancelInvoices(tradeId);
  // Money may be there that no rule can book. Until a person has looked, asking again would only repeat it.
  if (await someoneMustLook(db(), tradeId)) return false;
  const answer = await ask(tradeId, at, { force: true });
  const ended = await atomically<{ ok: true; over: boolean }>(async (tx) => {
    const trade = await lockTrade(tx, tradeId);
    if (trade === undefined) return refused("TRANSACTION_NOT_FOUND");
    const doing = { at, by: nobody };
    const checked = await bookAnswer(tx, trade, answer, "clock", doing);
    if (!checked.ok) return checked;
    if (!isUnpaid(checked.trade)) return { ok: true, over: true };
    // A refusal here (a check unknown, a window that was moved) leaves what was booked.
    const complete = answer.complete && !(await someoneMustLook(tx, tradeId));
    const over = await command(tx, checked.trade, { kind: "expire", complete, who: "clock" }, doing);
    if (!over.ok && over.code !== "CHECK_UNKNOWN" && over.code !== "WINDOW_OPEN") return over;
    return { ok: true, over: over.ok };
  });
  return ended.ok && ended.over;
}

async function someoneMustLook(exec: Executor, tradeId: number): Promise<boolean> {
  return (await providerProblemsOf(exec, tradeId)).length > 0;
}
