import type { Tx } from "#db/client";
import { openHoldReasons, type Payout } from "#modules/payments";
import { applyCommand, type CommandRefusal } from "../core/apply-command.ts";
import type { ChangeContext } from "../core/carry-out-effects.ts";
import type { TradeRefusal, TradeResult } from "../core/outcomes.ts";
import type { CommandOf, GivenBy, Trade, Who } from "../machine/trade-types.ts";
import { unhideTrade } from "../trade/unhide-trade.ts";
import { announceExcess, directExcess } from "./direct-excess.ts";

/**
 * What was booked now, in tugrik: `came` is the total, and `excess` the part that went to suspense, with its `refunds`. `held` is what the
 * trade holds afterwards.
 */
type PaymentBooking = { came: number; held: number; excess: number; refunds: readonly Payout[] };
/** Who gave the report, whether it was complete, and whether it has only failed attempts. */
type Source<Giver extends Who> = { who: Giver; complete: boolean; failed: boolean };

type PaymentChecked<Giver extends Who> = GivenBy<Giver, CommandOf<"payment_checked">>;

/** Why a booking may be refused: only to a buyer whose trade never had an invoice. */
export type BookingRefusal<Giver extends Who> = CommandRefusal<PaymentChecked<Giver>>;

/**
 * Applies what was booked to a locked trade: directs the excess to its refund, shows a hidden trade that received money in the lists again,
 * and moves the trade to its next status. The room's notice about the excess comes last, because the room's counter is the last lock.
 */
export async function followBooking<Giver extends Who>(
  tx: Tx,
  trade: Trade,
  { came, held, excess, refunds }: PaymentBooking,
  source: Source<Giver>,
  changeContext: ChangeContext,
): Promise<TradeResult | TradeRefusal<BookingRefusal<Giver>>> {
  if (excess > 0) await directExcess(tx, trade, { excess, refunds }, changeContext);
  const stands = { ...trade, held, holds: await openHoldReasons(tx, trade.id) };
  const seen = came > 0 ? await unhideTrade(tx, stands, changeContext) : stands;
  const given = { kind: "payment_checked", booked: came - excess, ...source } as PaymentChecked<Giver>;
  const moved = await applyCommand(tx, seen, given, changeContext);
  if (moved.ok && excess > 0) await announceExcess(tx, moved.trade, excess, changeContext.at);
  return moved;
}

/** The total of the rows' amounts, in tugrik. */
export function sumOf(rows: ReadonlyArray<{ amount: number }>): number {
  return rows.reduce((total, { amount }) => total + amount, 0);
}
