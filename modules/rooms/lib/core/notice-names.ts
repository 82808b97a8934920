import type { Executor } from "#db/client";
import { findPeople } from "#modules/identity";
import type { MessageRow } from "./schema.ts";

/** A person whom a notice mentions: shown beside its text, never in it. */
export type NoticePerson = { id: number; displayName: string; avatarInitials: string };

/** The people whom notices mention, by id. */
export type NoticeNames = ReadonlyMap<number, NoticePerson>;

/**
 * The people whom notices mention. A notice stores the person's id and never the name, so that a deleted person is anonymous in old notices
 * too.
 */
export async function findNoticeNames(exec: Executor, rows: readonly MessageRow[]): Promise<NoticeNames> {
  const ids = rows.flatMap(({ params }) => (typeof params?.userId === "number" ? [params.userId] : []));
  if (ids.length === 0) return new Map();
  const known = await findPeople(exec, ids);
  return new Map(
    [...known].map(([id, { displayName, avatarInitials }]) => [id, { id, displayName, avatarInitials }]),
  );
}
