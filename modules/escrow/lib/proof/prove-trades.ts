import { asc, gt } from "drizzle-orm";
import type { Tx } from "#db/client";
import { type EscrowAccount, escrowAccounts, type LedgerProblem, openHoldReasonsOf } from "#modules/payments";
import { tradesTable } from "../core/schema.ts";
import { type Status, unpaidStatuses } from "../machine/trade-types.ts";

export type TradeProblem =
  | "TRADE_ESCROW_DIFFERS"
  | "TRADE_UNPAID_HOLDS"
  | "TRADE_PAID_HOLDS"
  | "TRADE_SETTLED_HOLDS"
  | "ESCROW_WITHOUT_TRADE";

const BATCH = 5_000;
const EXAMPLES = 5;
const paidStatuses: readonly Status[] = ["payment_confirmed", "exchange_completed", "disputed"];

/**
 * What is wrong between a trade's status and its escrow account; null if they agree. In every status, what is held equals what was received
 * less what was sent. Unpaid: less than the gross is held, and nothing is owed or sent. Paid, and waiting for a party's confirmation or a
 * ruling: the whole gross is held, less what an earlier ruling sent and what the provider took back while the trade is on hold, and nothing
 * is owed. Settled or ended: a live payout or refund owes everything that is held to someone.
 */
export function tradeProblem(
  trade: { status: Status; gross: number; onHold: boolean } | undefined,
  { received, undone, sent, owed, held }: Omit<EscrowAccount, "reference">,
): TradeProblem | null {
  if (trade === undefined) return received + sent + owed + held === 0 ? null : "ESCROW_WITHOUT_TRADE";
  const { status, gross, onHold } = trade;
  if (held !== received - sent) return "TRADE_ESCROW_DIFFERS";
  if (unpaidStatuses.includes(status)) {
    return held < gross && owed === 0 && sent === 0 ? null : "TRADE_UNPAID_HOLDS";
  }
  if (paidStatuses.includes(status)) {
    const ruledBefore = status === "disputed" ? sent : 0;
    // What was taken back before the trade was paid in full was paid again; what is taken back later is not replaced.
    const short = gross - ruledBefore - held;
    const mayBeShort = onHold ? undone : 0;
    const whole = short >= 0 && short <= mayBeShort && sent === ruledBefore && owed === 0;
    return whole ? null : "TRADE_PAID_HOLDS";
  }
  return held === owed ? null : "TRADE_SETTLED_HOLDS";
}

/** Checks every trade's status against its escrow account, in the snapshot of `tx`. Reads only. */
export async function proveTrades(tx: Tx): Promise<LedgerProblem[]> {
  const problems = new Map<TradeProblem, LedgerProblem>();
  const nothing = { received: 0, undone: 0, sent: 0, owed: 0, held: 0 };
  for (let after = 0; ; ) {
    const rows = await tx
      .select({
        id: tradesTable.id,
        code: tradesTable.code,
        status: tradesTable.status,
        gross: tradesTable.gross,
      })
      .from(tradesTable)
      .where(gt(tradesTable.id, after))
      .orderBy(asc(tradesTable.id))
      .limit(BATCH);
    const upTo = rows.length < BATCH ? null : (rows.at(-1)?.id ?? null);
    const accounts = await escrowAccounts(tx, { after, upTo });
    const known = new Map(accounts.map((account) => [account.reference, account]));
    const held = await openHoldReasonsOf(
      tx,
      rows.map(({ id }) => id),
    );
    for (const row of rows) {
      const trade = { ...row, onHold: held.has(row.id) };
      const account = known.get(trade.id) ?? nothing;
      known.delete(trade.id);
      noteProblem(problems, tradeProblem(trade, account), `${trade.code} (${trade.status})`);
    }
    for (const [id, account] of known)
      noteProblem(problems, tradeProblem(undefined, account), `escrow:${id}`);
    if (upTo === null) return [...problems.values()];
    after = upTo;
  }
}

function noteProblem(
  problems: Map<TradeProblem, LedgerProblem>,
  code: TradeProblem | null,
  what: string,
): void {
  if (code === null) return;
  const problem = problems.get(code) ?? { code, count: 0, examples: [] };
  problem.count += 1;
  if (problem.examples.length < EXAMPLES) problem.examples.push(what);
  problems.set(code, problem);
}
