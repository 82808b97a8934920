let read: () => Date = () => new Date();

/** The time, for doors and jobs to hand to decisions as an argument; decisions never read it themselves. */
export function now(): Date {
  return read();
}

/** Puts another clock in place (tests, simulations). Returns what puts the real one back. */
export function setClock(clock: () => Date): () => void {
  read = clock;
  return () => {
    read = () => new Date();
  };
}
