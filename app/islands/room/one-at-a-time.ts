/**
 * `work`, never twice at once: whoever asks while it is under way gets one more run after it, however many ask. Hints come in
 * bursts, and of two answers under way the older could arrive last and stand.
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
