import type { Executor } from "#db/client";
import { findPeople } from "#modules/identity";
import type { MessageRow } from "./schema.ts";

/** Whom a notice speaks of: shown beside its words, as a person is, and never in them. */
export type NoticePerson = { id: number; displayName: string; avatarInitials: string };

/** Those whom notices speak of, by their ids. */
export type NoticeNames = ReadonlyMap<number, NoticePerson>;

/**
 * The people whom notices speak of. A notice stores whom it speaks of and never the name: somebody who has been
 * anonymised is so in what was said of them too.
 */
export async function findNoticeNames(exec: Executor, rows: readonly MessageRow[]): Promise<NoticeNames> {
  const ids = rows.flatMap(({ params }) => (typeof params?.userId === "number" ? [params.userId] : []));
  if (ids.length === 0) return new Map();
  const known = await findPeople(exec, ids);
  return new Map(
    [...known].map(([id, { displayName, avatarInitials }]) => [id, { id, displayName, avatarInitials }]),
  );
}
