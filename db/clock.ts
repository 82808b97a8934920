let clockOverride: (() => Date) | undefined;
/** The database's time in ms at the origin of this process's monotonic clock. */
let clockOrigin: number | undefined;

/**
 * The current time, for routes and jobs to pass to decisions as an argument; decisions never read it themselves. Once `setDatabaseTime` was
 * called, it is the database's time, advanced by the monotonic clock: this machine's time of day may be wrong or jump, and all instances
 * must use one clock for deadlines, sessions and throttles.
 */
export function currentTime(): Date {
  if (clockOverride !== undefined) return clockOverride();
  return new Date(clockOrigin === undefined ? Date.now() : clockOrigin + performance.now());
}

/** Records that the database's time of day was `time` (ms) when `performance.now()` was `at`. */
export function setDatabaseTime(time: number, at: number): void {
  clockOrigin = time - at;
}

/** Back to this machine's clock; for tests only. */
export function resetClock(): void {
  clockOverride = undefined;
  clockOrigin = undefined;
}

/** Replaces the clock (tests, simulations). Returns a function that restores the real one. */
export function setClock(clock: () => Date): () => void {
  clockOverride = clock;
  return () => {
    clockOverride = undefined;
  };
}
