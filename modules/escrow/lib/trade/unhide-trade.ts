import { eq } from "drizzle-orm";
import type { Tx } from "#db/client";
import { type ChangeContext, recordChange } from "../core/carry-out-effects.ts";
import { tradesTable } from "../core/schema.ts";
import type { Trade } from "../machine/trade-types.ts";
import { mailAdmins } from "../notifications/mail-parties.ts";

/**
 * Shows a hidden trade in the lists again and notifies the administrators, because money was booked for it or returned to it that nobody
 * would see otherwise. A trade that is not hidden stays as it is.
 */
export async function unhideTrade(tx: Tx, trade: Trade, changeContext: ChangeContext): Promise<Trade> {
  if (trade.hiddenAt === null) return trade;
  await tx.update(tradesTable).set({ hiddenAt: null }).where(eq(tradesTable.id, trade.id));
  await recordChange(tx, trade, changeContext, "shown_again", { held: trade.held });
  await mailAdmins(tx, trade, "shownAgain");
  return { ...trade, hiddenAt: null };
}
