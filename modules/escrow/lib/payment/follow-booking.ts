import type { Tx } from "#db/client";
import { openHoldReasons, type Payout } from "#modules/payments";
import { applyCommand } from "../core/apply-command.ts";
import type { ChangeContext } from "../core/carry-out-effects.ts";
import type { TradeRefusal, TradeResult } from "../core/outcomes.ts";
import type { Trade, Who } from "../machine/trade-types.ts";
import { unhideTrade } from "../trade/unhide-trade.ts";
import { announceExcess, directExcess } from "./direct-excess.ts";

/** What was booked now, in tugrik: `came` in all, of it `excess` to suspense with its `refunds`, and what the trade holds after. */
type Booking = { came: number; held: number; excess: number; refunds: readonly Payout[] };
/** Whose answer brought it, whether it was complete, and whether it told of failures alone. */
type Source = { who: Who; complete: boolean; failed: boolean };

/**
 * Lets a locked trade follow what was booked for it: the excess goes where it belongs, a deleted trade that got money stands in the lists
 * again, and the room hears of the excess last, since its counter is the last lock.
 */
export async function followBooking(
  tx: Tx,
  trade: Trade,
  { came, held, excess, refunds }: Booking,
  source: Source,
  doing: ChangeContext,
): Promise<TradeResult | TradeRefusal> {
  if (excess > 0) await directExcess(tx, trade, { excess, refunds }, doing);
  const stands = { ...trade, held, holds: await openHoldReasons(tx, trade.id) };
  const seen = came > 0 ? await unhideTrade(tx, stands, doing) : stands;
  const moved = await applyCommand(
    tx,
    seen,
    { kind: "payment_checked", booked: came - excess, ...source },
    doing,
  );
  if (moved.ok && excess > 0) await announceExcess(tx, moved.trade, excess, doing.at);
  return moved;
}

/** What rows of the provider came to that became money now, in tugrik. */
export function sumOf(rows: ReadonlyArray<{ amount: number }>): number {
  return rows.reduce((total, { amount }) => total + amount, 0);
}
