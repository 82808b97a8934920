import { createHash } from "node:crypto";
import { type ThrottleRefusal, takeThrottledAttempt } from "#db/throttle/throttle-attempts";
import { type Actor, networkPrefixOf } from "#modules/identity";

// Whole neighbourhoods share one mobile address. A code has 40 random bits: even all of these guesses find none.
const lookupLimits = { asked: { max: 600, seconds: 3_600 }, unknown: { max: 60, seconds: 3_600 } } as const;

/** Counts that somebody looks a transaction code up, whichever page or call does it. Refuses THROTTLED. Outside any transaction. */
export function throttleCodeLookup(actor: Actor, at: Date): Promise<{ ok: true } | ThrottleRefusal> {
  return takeThrottledAttempt(`verify:ip:${placeOf(actor)}`, lookupLimits.asked, at);
}

/** Counts a code that does not exist, of which there are fewer. Refuses THROTTLED. Outside any transaction. */
export function throttleUnknownCode(actor: Actor, at: Date): Promise<{ ok: true } | ThrottleRefusal> {
  return takeThrottledAttempt(`verify:unknown:${placeOf(actor)}`, lookupLimits.unknown, at);
}

/** The key of the addresses that count as one caller; reveals none of them. */
export function placeOf({ ip }: Actor): string {
  return createHash("sha256").update(networkPrefixOf(ip)).digest("base64url");
}
