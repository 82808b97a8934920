import { runInTransaction, type Tx } from "../client.ts";
import { log } from "../log.ts";

const BATCH = 200;
/** So many that failed are named. */
const NAMED = 20;

/** What erasing many things came to: how many were erased, and the numbers of those that failed. */
export type ErasureOutcome = { erased: number; failed: number[] };

/**
 * Erases what `next` lists, a part at a time and each in a transaction of its own: `next` is given the last row seen and answers those
 * behind it, at most so many; `erase` answers whether it erased. One that fails is logged and keeps none after it.
 */
export async function eraseEach<Row extends { id: number }>(
  what: string,
  next: (last: Row | undefined, most: number) => Promise<Row[]>,
  erase: (tx: Tx, id: number) => Promise<boolean>,
): Promise<ErasureOutcome> {
  const failed: number[] = [];
  let erased = 0;
  for (let last: Row | undefined; ; ) {
    const rows = await next(last, BATCH);
    for (const { id } of rows) {
      try {
        erased += (await runInTransaction((tx) => erase(tx, id))) ? 1 : 0;
      } catch (err) {
        log().error({ err, [what]: id }, `${what}: one was not erased`);
        failed.push(id);
      }
    }
    if (rows.length < BATCH) return { erased, failed };
    last = rows.at(-1);
  }
}

/**
 * Throws with the numbers of those that failed, if any did. The job fails with it, and tries again; what never goes comes to the
 * administrators' work.
 */
export function throwIfFailed(what: string, { failed }: ErasureOutcome): void {
  if (failed.length === 0) return;
  throw new Error(`${what} not erased (${failed.length}): ${failed.slice(0, NAMED).join(", ")}`);
}
