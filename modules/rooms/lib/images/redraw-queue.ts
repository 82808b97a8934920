/**
 * Allows `most` holders at once, and `waiting` others to wait in order. `take` returns a function that releases the turn, or undefined if
 * too many wait already.
 */
export function createTurnQueue(most: number, waiting: number) {
  let working = 0;
  const queue: Array<() => void> = [];
  const give = () => {
    const next = queue.shift();
    if (next === undefined) working -= 1;
    else next();
  };
  return {
    async take(): Promise<(() => void) | undefined> {
      if (working < most) working += 1;
      else if (queue.length >= waiting) return undefined;
      else await new Promise<void>((resolve) => queue.push(resolve));
      return give;
    },
  };
}
