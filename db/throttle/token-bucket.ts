import { config } from "#config";

type Bucket = { tokens: number; at: number };

/** From this many keys on, full buckets are removed. */
const pruneThreshold = 10_000;
/** How often `refillTokenBuckets` was called. */
let refills = 0;

/** Fills every bucket of this process; for tests, whose databases all have a user 1. */
export function refillTokenBuckets(): void {
  refills += 1;
}

/**
 * A token bucket per key, in this process: `max` tokens, refilled over `seconds`, both scaled by THROTTLE_FACTOR (at least one token). For
 * events that are too frequent for a throttle in Postgres. A client of two instances gets two buckets.
 */
export function createTokenBucket<Key extends number | string>(max: number, seconds: number) {
  const buckets = new Map<Key, Bucket>();
  let lookAt = pruneThreshold;
  let refilled = refills;
  return {
    /** Takes `cost` tokens (at most a full bucket). Returns 0, or the seconds until there are that many. */
    take(key: Key, now: Date, cost = 1): number {
      if (refilled !== refills) buckets.clear();
      refilled = refills;
      const size = Math.max(1, max * config().THROTTLE_FACTOR);
      const rate = size / seconds;
      const needed = Math.min(cost, size);
      const at = now.getTime();
      const had = buckets.get(key) ?? { tokens: size, at };
      const tokens = Math.min(size, had.tokens + Math.max(0, ((at - had.at) / 1000) * rate));
      if (buckets.size > lookAt) {
        pruneBuckets(buckets, at - seconds * 1000);
        // While all buckets are in use, scanning them on every call would cost more than it saves.
        lookAt = Math.max(pruneThreshold, buckets.size * 2);
      }
      buckets.set(key, { tokens: tokens >= needed ? tokens - needed : tokens, at });
      return tokens >= needed ? 0 : Math.ceil((needed - tokens) / rate);
    },
  };
}

/** Removes the buckets untouched since `before`, which are full again. */
function pruneBuckets<Key>(buckets: Map<Key, Bucket>, before: number): void {
  for (const [key, { at }] of buckets) if (at < before) buckets.delete(key);
}
