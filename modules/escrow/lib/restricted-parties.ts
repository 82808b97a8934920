import { db, type Executor } from "#db/client";
import { now } from "#db/clock";
import { limitedRefusal, type Member } from "#modules/identity";
import { type Refused, refused } from "./outcomes.ts";

/**
 * Why these two may not begin a trade: ACCOUNT_LIMITED where an administrator has restricted the seller, who asks for the payment,
 * PERSON_UNAVAILABLE where it is the buyer; undefined where nobody is restricted.
 */
export async function restrictedParties(
  exec: Executor,
  { sellerId, buyerId }: { sellerId: number; buyerId: number },
  at: Date,
): Promise<Refused | undefined> {
  const limited: Refused | undefined = await limitedRefusal(exec, sellerId, at);
  if (limited !== undefined) return limited;
  return (await limitedRefusal(exec, buyerId, at)) === undefined ? undefined : refused("PERSON_UNAVAILABLE");
}

/** The same for a page, before its seller fills in the request; the verb decides again. */
export function requestObstacle({ userId }: Member, buyerId: number): Promise<Refused | undefined> {
  return restrictedParties(db(), { sellerId: userId, buyerId }, now());
}
