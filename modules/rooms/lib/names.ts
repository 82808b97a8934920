import type { Executor } from "#db/client";
import { people } from "#modules/identity";
import { nameInNotice } from "./content.ts";
import type { MessageRow } from "./schema.ts";

/** Names by user id, as a notice may say them. */
export type Names = ReadonlyMap<number, string>;

/**
 * The names of those whom notices speak of. A notice stores whom it speaks of and never the name: somebody who has been
 * anonymised is so in what was said of them too.
 */
export async function namesIn(exec: Executor, rows: readonly MessageRow[]): Promise<Names> {
  const ids = rows.flatMap(({ params }) => (typeof params?.userId === "number" ? [params.userId] : []));
  if (ids.length === 0) return new Map();
  const known = await people(exec, ids);
  return new Map([...known].map(([id, person]) => [id, nameInNotice(person.displayName)]));
}
