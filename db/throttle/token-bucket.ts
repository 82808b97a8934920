import { config } from "#config";

type Bucket = { tokens: number; at: number };

/** So many keys are kept before full ones are looked for. */
const pruneThreshold = 10_000;

/**
 * A token bucket for each key, in this process: `max` at once, refilled over `seconds`, both by THROTTLE_FACTOR (one at least).
 * For what comes too often for a throttle in Postgres; who asks two instances gets two buckets.
 */
export function createTokenBucket<Key extends number | string>(max: number, seconds: number) {
  const buckets = new Map<Key, Bucket>();
  let lookAt = pruneThreshold;
  return {
    /** Takes one token, or as many as something costs (all there can be at most): 0, or the seconds until there are so many. */
    take(key: Key, now: Date, cost = 1): number {
      const size = Math.max(1, max * config().THROTTLE_FACTOR);
      const rate = size / seconds;
      const needed = Math.min(cost, size);
      const at = now.getTime();
      const had = buckets.get(key) ?? { tokens: size, at };
      const tokens = Math.min(size, had.tokens + Math.max(0, ((at - had.at) / 1000) * rate));
      if (buckets.size > lookAt) {
        pruneBuckets(buckets, at - seconds * 1000);
        // While all of them are in use, looking through them with each call would cost more than it saves.
        lookAt = Math.max(pruneThreshold, buckets.size * 2);
      }
      buckets.set(key, { tokens: tokens >= needed ? tokens - needed : tokens, at });
      return tokens >= needed ? 0 : Math.ceil((needed - tokens) / rate);
    },
  };
}

/** Buckets untouched since then are full again. */
function pruneBuckets<Key>(buckets: Map<Key, Bucket>, before: number): void {
  for (const [key, { at }] of buckets) if (at < before) buckets.delete(key);
}
