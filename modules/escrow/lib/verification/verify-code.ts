import { eq } from "drizzle-orm";
import { db } from "#db/client";
import { currentTime } from "#db/clock";
import type { ThrottleRefusal } from "#db/throttle/throttle-attempts";
import type { Actor } from "#modules/identity";
import { heldAmount, openHoldReasons, type Payout, payoutsOf } from "#modules/payments";
import { type Goods, readTransactionCode } from "../../forms.ts";
import { sideOf } from "../core/party-access.ts";
import { tradesTable } from "../core/schema.ts";
import { type Trade, unpaidStatuses } from "../machine/trade-types.ts";
import { isHeldForChecking } from "../payment/payment-finding.ts";
import { type MoneyState, tradeProgressOf } from "../trade/view/trade-progress.ts";
import { throttleCodeLookup, throttleUnknownCode } from "./throttle-lookups.ts";

/** What Midman tells anyone about a trade; the texts are `verify.state.<state>`. */
type PublicState =
  | "waiting"
  | "checking"
  | "confirmed"
  | "handedOver"
  | "buyerConfirmed"
  | "paying"
  | "paidOut"
  | "closed"
  | "disputed"
  | "cancelled"
  | "refunding"
  | "refunded";

/**
 * Where the money is, as anyone may know it; the texts are `verify.held.<money>`. `part`: some of the price has arrived, and Midman holds
 * it; `checking`: Midman is checking the trade, so nobody may rely on any of the others.
 */
type PublicMoney = MoneyState | "refunding" | "part" | "checking";

/**
 * A trade as anyone may see it: the kind of its goods, and nothing of its people, its room, its amounts or their texts. Times are ISO 8601.
 */
export type PublicTrade = {
  code: string;
  /** The kind of goods, as the payer reads it at the bank. */
  goods: Goods;
  state: PublicState;
  /** The only answer to where the money is: everything that the page says of it comes from here. */
  money: PublicMoney;
  changedAt: string;
  askedAt: string;
  /** Only for a signed-in party: their room, and what the buyer pays. */
  own: { roomId: number; gross: number } | null;
};

/**
 * What Midman says now about the trade with a code, however the code was typed. A signed-in party also learns that the trade is theirs.
 * Refuses TRANSACTION_NOT_FOUND for an unknown code, and THROTTLED, earlier for unknown codes.
 */
export async function verifyCode(
  actor: Actor,
  given: string,
): Promise<
  { ok: true; trade: PublicTrade } | { ok: false; code: "TRANSACTION_NOT_FOUND" } | ThrottleRefusal
> {
  const at = currentTime();
  const passed = await throttleCodeLookup(actor, at);
  if (!passed.ok) return passed;
  const code = readTransactionCode(given);
  const [row] =
    code === undefined ? [] : await db().select().from(tradesTable).where(eq(tradesTable.code, code));
  if (row === undefined) {
    const guessed = await throttleUnknownCode(actor, at);
    return guessed.ok ? { ok: false, code: "TRANSACTION_NOT_FOUND" } : guessed;
  }
  const payouts = await payoutsOf(db(), row.id);
  const { money } = tradeProgressOf(row, payouts);
  const checking = isHeldForChecking(await openHoldReasons(db(), row.id));
  // For a trade on hold, a stranger must not act on any other state.
  const state = checking && (row.endedAt === null || money === "held") ? "checking" : stateOf(row, money);
  const partHeld = money === "waiting" && (await heldAmount(db(), row.id)) > 0;
  const side = actor.kind === "user" ? sideOf(row, actor.userId) : undefined;
  return {
    ok: true,
    trade: {
      code: row.code,
      goods: row.goods,
      state,
      money: publicMoneyOf(state, money, partHeld),
      changedAt: lastChange(row.updatedAt, payouts).toISOString(),
      askedAt: at.toISOString(),
      own: side === undefined ? null : { roomId: row.roomId, gross: row.gross },
    },
  };
}

type Row = Pick<Trade, "status" | "handedOverAt" | "endReason">;

function stateOf({ status, handedOverAt, endReason }: Row, money: MoneyState): PublicState {
  if (unpaidStatuses.includes(status)) return "waiting";
  if (status === "payment_confirmed") return handedOverAt === null ? "confirmed" : "handedOver";
  if (status === "exchange_completed") return "buyerConfirmed";
  if (status === "settlement_pending") return "paying";
  if (status === "disputed") return "disputed";
  if (status === "completed") {
    if (endReason === "closed") return "closed";
    return money === "held" ? "paying" : "paidOut";
  }
  if (money === "held") return "refunding";
  return money === "returned" ? "refunded" : "cancelled";
}

function publicMoneyOf(state: PublicState, money: MoneyState, partHeld: boolean): PublicMoney {
  if (state === "checking" || state === "refunding") return state;
  return partHeld ? "part" : money;
}

/** A refund that leaves changes the state of the money but not the trade's row, so the payouts count too. */
function lastChange(updatedAt: Date, payouts: readonly Payout[]): Date {
  const sent = payouts.flatMap(({ sentAt }) => (sentAt === null ? [] : [sentAt.getTime()]));
  return new Date(Math.max(updatedAt.getTime(), ...sent));
}
