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
  return new Map([...known].map(([id, person]) => [id, said(person)]));
}

/** Whoever's display name holds nothing that can be said is called by their username. */
function said({ displayName, username }: { displayName: string; username: string }): string {
  return nameInNotice(displayName) || nameInNotice(username);
}
