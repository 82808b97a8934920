/** A link may drop a request silently: after this time (ms) it counts as failed. */
const requestTimeoutMs = 15_000;

/** Aborts a fetch, its body included, after `ms`. Not `AbortSignal.timeout`, which Safari knows from 16 on. */
export function createTimeoutSignal(ms = requestTimeoutMs): AbortSignal {
  const ended = new AbortController();
  setTimeout(() => ended.abort(), ms);
  return ended.signal;
}
