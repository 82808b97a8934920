/**
 * Calls `each` `count` times, once a turn of the event loop: messages come one by one, and a server that would gather several
 * into one write must not be flattered.
 */
export async function everyTurn(count: number, each: (turn: number) => void): Promise<void> {
  for (let turn = 0; turn < count; turn++) {
    await new Promise<void>((resolve) => setImmediate(resolve));
    each(turn);
  }
}

/** What a measured server is asked to do: so many frames, to these rooms in turn. */
export type Publish = { publish: number; rooms: string[] };
