let clockOverride: (() => Date) | undefined;
/** Milliseconds: the database's time of day at the moment from which our monotonic clock counts. */
let clockOrigin: number | undefined;

/**
 * The time, for doors and jobs to hand to decisions as an argument; decisions never read it themselves. Once
 * `setDatabaseTime` was told it is the database's time, carried on by the monotonic clock: this machine's own time of day may be
 * wrong or jump, and deadlines, sessions and throttles of several instances must not go by several clocks.
 */
export function currentTime(): Date {
  if (clockOverride !== undefined) return clockOverride();
  return new Date(clockOrigin === undefined ? Date.now() : clockOrigin + performance.now());
}

/** Tells that the database's time of day was `time` (ms) when `performance.now()` was `at`. */
export function setDatabaseTime(time: number, at: number): void {
  clockOrigin = time - at;
}

/** Puts another clock in place (tests, simulations). Returns what puts the real one back. */
export function setClock(clock: () => Date): () => void {
  clockOverride = clock;
  return () => {
    clockOverride = undefined;
  };
}
