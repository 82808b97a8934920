import { runInTransaction, type Tx } from "../client.ts";
import { log } from "../log.ts";

const BATCH = 200;
/** How many failed ids an error message names. */
const maxNamedFailures = 20;

/** The outcome of a series of erasures: how many succeeded, and the ids of those that failed. */
export type ErasureOutcome = { erased: number; failed: number[] };

/**
 * Erases the rows that `next` lists, in batches and each row in a transaction of its own. `next` receives the last row seen and returns at
 * most `most` rows after it; `erase` returns whether it erased. A failure is logged and does not stop the rest.
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
        log().error({ err, [what]: id }, `${what}: one could not be erased`);
        failed.push(id);
      }
    }
    if (rows.length < BATCH) return { erased, failed };
    last = rows.at(-1);
  }
}

/**
 * Throws an error that names the ids that failed, if any. The job then fails and is retried; in the end it appears in the administrators'
 * work queue.
 */
export function throwIfFailed(what: string, { failed }: ErasureOutcome): void {
  if (failed.length === 0) return;
  throw new Error(`${what} not erased (${failed.length}): ${failed.slice(0, maxNamedFailures).join(", ")}`);
}
