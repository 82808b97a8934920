import type { Reply } from "./http-exchange.ts";

export type RetryPolicy = {
  /** The most tries, the first one included. */
  tries: number;
  baseMs: number;
  capMs: number;
  random: () => number;
  sleep: (ms: number) => Promise<void>;
};

/** Three tries, with waits of 100–200 ms and 200–400 ms between them. */
export const defaultRetryPolicy: RetryPolicy = {
  tries: 3,
  baseMs: 200,
  capMs: 2_000,
  random: Math.random,
  sleep: (ms) => Bun.sleep(ms),
};

/**
 * Repeats a call that is safe to repeat while its outcome is unknown. Half of each wait is fixed and half is random, so that clients that
 * failed together do not retry together. A refusal is an answer and is never repeated.
 */
export async function withRetries<T extends { ok: true }>(
  attempt: () => Promise<T | Exclude<Reply, { ok: true }>>,
  { tries, baseMs, capMs, random, sleep }: RetryPolicy,
  signal?: AbortSignal,
): Promise<T | Exclude<Reply, { ok: true }>> {
  for (let n = 1; ; n++) {
    const reply = await attempt();
    if (reply.ok || reply.code !== "PROVIDER_UNAVAILABLE" || n >= tries || signal?.aborted) return reply;
    const wait = Math.min(capMs, baseMs * 2 ** (n - 1));
    await sleep(wait / 2 + (random() * wait) / 2);
  }
}
