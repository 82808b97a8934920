let standIn: (() => Date) | undefined;
/** Milliseconds: the database's time of day at the moment from which our monotonic clock counts. */
let origin: number | undefined;

/**
 * The time, for doors and jobs to hand to decisions as an argument; decisions never read it themselves. Once
 * `setByDatabase` was told it is the database's time, carried on by the monotonic clock: this machine's own time of day may be
 * wrong or jump, and deadlines, sessions and throttles of several instances must not go by several clocks.
 */
export function now(): Date {
  if (standIn !== undefined) return standIn();
  return new Date(origin === undefined ? Date.now() : origin + performance.now());
}

/** Tells that the database's time of day was `time` (ms) when `performance.now()` was `at`. */
export function setByDatabase(time: number, at: number): void {
  origin = time - at;
}

/** Puts another clock in place (tests, simulations). Returns what puts the real one back. */
export function setClock(clock: () => Date): () => void {
  standIn = clock;
  return () => {
    standIn = undefined;
  };
}
