import type { Trade } from "../machine/trade-types.ts";
import { loadTrade } from "./load-trade.ts";

/** For tests: a trade as the machine sees it now. */
export async function tradeNow(deal: { id: number }): Promise<Trade> {
  const trade = await loadTrade(deal.id);
  if (trade === undefined) throw new Error(`no trade ${deal.id}`);
  return trade;
}
