/**
 * Wraps `work` so that it never runs twice at once. Calls during a run cause one more run after it, however many there are. Hints come in
 * bursts, and of two concurrent responses the older could arrive last and win.
 */
export function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let again = false;
  const run = async () => {
    do {
      again = false;
      await work();
    } while (again);
  };
  return () => {
    again = running !== undefined;
    running ??= run().finally(() => {
      running = undefined;
    });
    return running;
  };
}
