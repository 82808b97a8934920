import type { Actor } from "../core/actor.ts";
import { isKnownPlace } from "../sessions/known-place.ts";
import { type Attempts, mayTry, type ThrottleRefusal } from "./throttles.ts";

/**
 * Counts one attempt on an account by the place it comes from, then for all places together. Refuses if the first limit is used up; also if
 * the second is, unless the account's owner has signed in from this place before: guesses made elsewhere do not lock the owner out. `owner`
 * returns 0 for nobody.
 */
export async function mayTryHere(
  actor: Actor,
  counts: { here: Attempts; anywhere: Attempts; owner: () => Promise<number> },
  at: Date,
): Promise<{ ok: true } | ThrottleRefusal> {
  const here = await mayTry(counts.here, at);
  if (!here.ok) return here;
  const anywhere = await mayTry(counts.anywhere, at);
  return !anywhere.ok && (await isKnownPlace(await counts.owner(), actor, at)) ? { ok: true } : anywhere;
}
