import { db, type Executor } from "#db/client";
import { currentTime } from "#db/clock";
import { limitedRefusal, type Member } from "#modules/identity";
import { refuseAction, type TradeRefusal } from "../core/outcomes.ts";

type RestrictedParties = TradeRefusal<"ACCOUNT_LIMITED" | "PERSON_UNAVAILABLE">;

/**
 * Refuses a trade between restricted people: ACCOUNT_LIMITED if the seller, who requests the payment, is restricted, PERSON_UNAVAILABLE if the
 * buyer is. Undefined if neither is.
 */
export async function refuseRestrictedParties(
  exec: Executor,
  { sellerId, buyerId }: { sellerId: number; buyerId: number },
  at: Date,
): Promise<RestrictedParties | undefined> {
  const limited: RestrictedParties | undefined = await limitedRefusal(exec, sellerId, at);
  if (limited !== undefined) return limited;
  return (await limitedRefusal(exec, buyerId, at)) === undefined
    ? undefined
    : refuseAction("PERSON_UNAVAILABLE");
}

/** Why a seller cannot request a payment from this buyer, for a page to show instead of the form. `createTrade` checks again. */
export function requestObstacle({ userId }: Member, buyerId: number): Promise<RestrictedParties | undefined> {
  return refuseRestrictedParties(db(), { sellerId: userId, buyerId }, currentTime());
}
