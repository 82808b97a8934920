import type { Actor } from "../core/actor.ts";
import { isKnownPlace } from "../sessions/known-place.ts";
import { type Attempts, mayTry, type ThrottleRefusal } from "./throttles.ts";

/**
 * Counts one try at somebody's account where it is made, then wherever it is made. Refuses when the first is used up; when the second
 * is, unless the account's owner has signed in from here before: guesses made elsewhere do not keep them out. `owner` is 0 for nobody.
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
