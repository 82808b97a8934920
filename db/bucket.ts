import { config } from "#config";

type Bucket = { tokens: number; at: number };

/**
 * A token bucket for each key, in this process: `max` at once, refilled over `seconds`, both by THROTTLE_FACTOR.
 * For what comes too often for a throttle in Postgres; a member on two instances gets two buckets.
 */
export function bucket(max: number, seconds: number) {
  const buckets = new Map<number, Bucket>();
  return {
    /** Takes one token: 0, or the seconds until there is one. */
    take(key: number, now: Date): number {
      const size = max * config().THROTTLE_FACTOR;
      const rate = size / seconds;
      const at = now.getTime();
      const had = buckets.get(key) ?? { tokens: size, at };
      const tokens = Math.min(size, had.tokens + Math.max(0, ((at - had.at) / 1000) * rate));
      if (buckets.size > 10_000) forget(buckets, at - seconds * 1000);
      buckets.set(key, { tokens: tokens >= 1 ? tokens - 1 : tokens, at });
      return tokens >= 1 ? 0 : Math.ceil((1 - tokens) / rate);
    },
  };
}

/** Buckets untouched since then are full again. */
function forget(buckets: Map<number, Bucket>, before: number): void {
  for (const [key, { at }] of buckets) if (at < before) buckets.delete(key);
}
