import { createHash } from "node:crypto";
import { type ThrottleRefusal, takeThrottledAttempt } from "#db/throttle/throttle-attempts";
import { type Actor, networkPrefixOf } from "#modules/identity";

// Many people share one mobile IP address. A code has 40 random bits: even this many guesses find none.
const lookupLimits = { asked: { max: 600, seconds: 3_600 }, unknown: { max: 60, seconds: 3_600 } } as const;

/** Counts a lookup of a transaction code, on any page or route. Refuses THROTTLED. Call it outside any transaction. */
export function throttleCodeLookup(actor: Actor, at: Date): Promise<{ ok: true } | ThrottleRefusal> {
  return takeThrottledAttempt(`verify:ip:${placeOf(actor)}`, lookupLimits.asked, at);
}

/** Counts a lookup of a code that does not exist, of which fewer are allowed. Refuses THROTTLED. Call it outside any transaction. */
export function throttleUnknownCode(actor: Actor, at: Date): Promise<{ ok: true } | ThrottleRefusal> {
  return takeThrottledAttempt(`verify:unknown:${placeOf(actor)}`, lookupLimits.unknown, at);
}

/** A key of the network prefix that counts as one caller; reveals none of its addresses. */
export function placeOf({ ip }: Actor): string {
  return createHash("sha256").update(networkPrefixOf(ip)).digest("base64url");
}
